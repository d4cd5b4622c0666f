"""DRAG and DRAG@i: the mean of AvgGain over the iterations through i, if early iterations count more.

The sum is discounted, its denominator i is not: with the same average in every iteration DRAG falls as i grows.
Duplicates are not in the numerator of an iteration's average but are in its denominator. Unlabelled results add 0 to
the numerator, 1 each to the denominator, and are reported. R = 0: an iteration that searched and found nothing has the
average 0 and counts in i, while one without a search is not counted at all. DRAG is the value at the last iteration.
Beyond it the value is undefined, unless it is carried on. It is also undefined where nothing was searched, and where
results came but none is labelled and no label judges the question.

    DRAG@i = 1/i * sum over k <= i of w(k) * AvgGain_k,  w(k) = 1 / log2(k + 1)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.gain.average_gain import average_gain
from goldproof.metrics.gain.iterations import discount, discounted, last, number, shares
from goldproof.records.traces import HIGHEST_GAIN

if TYPE_CHECKING:
    from goldproof.metrics.gain.iterations import Iterations
    from goldproof.records.arrays import FloatArray


def discounted_average_gain_rate(iterations: Iterations) -> FloatArray:
    """Discounted sum of the good gain per result, over the iterations so far."""
    weighted = discount(iterations.number) * average_gain(iterations)
    rate: FloatArray = iterations.summed(weighted) / iterations.number
    return rate


def _explain(iterations: Iterations, *, k: int | None) -> str:
    row = last(iterations, k)
    averages = average_gain(iterations)[: row + 1]
    rate = number(discounted_average_gain_rate(iterations)[row])
    return f"{shares(iterations, k)}; ({discounted(averages)})/{row + 1} = {rate}"


DEFINITION = Definition(
    shape=SHAPES["DRAG"],
    kind="gain",
    summary="Mean over the iterations through i of the good gain per result, discounted.",
    formula="1/i * sum of w(k) * AvgGain_k for k <= i, w(k) = 1 / log2(k + 1)",
    kernel=discounted_average_gain_rate,
    explain=_explain,
    upper=float(HIGHEST_GAIN),
)
