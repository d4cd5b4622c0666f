"""DRG and DRG@i: how much discounted good gain did an iteration bring on average, through iteration i?

Gain is as in CG, its discount as in DCG. Duplicates are not in the numerator; the denominator counts iterations, not
results, and is not discounted: with the same gain in every iteration DRG falls as i grows. Unlabelled results add 0 and
are reported. R = 0: an iteration that searched and found nothing adds 0 and counts in i, while one without a search is
not counted at all. DRG divides by the number of iterations. Beyond the last iteration the value is undefined, unless it
is carried on. It is also undefined where nothing was searched, and where results came but none is labelled and no label
judges the question.

    DRG@i = DCG@i / i
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.gain.discounted_gain import discounted_gain
from goldproof.metrics.gain.iterations import discounted, gains, last, number

if TYPE_CHECKING:
    from goldproof.metrics.gain.iterations import Iterations
    from goldproof.records.arrays import FloatArray


def discounted_gain_rate(iterations: Iterations) -> FloatArray:
    """Discounted good gain through each iteration, over the iterations so far."""
    rate: FloatArray = discounted_gain(iterations) / iterations.number
    return rate


def _explain(iterations: Iterations, *, k: int | None) -> str:
    row = last(iterations, k)
    rate = number(discounted_gain_rate(iterations)[row])
    return f"{gains(iterations, k)}; ({discounted(iterations.gain[: row + 1])})/{row + 1} = {rate}"


DEFINITION = Definition(
    shape=SHAPES["DRG"],
    kind="gain",
    summary="Discounted good gain per iteration, through iteration i.",
    formula="DCG@i / i",
    kernel=discounted_gain_rate,
    explain=_explain,
    upper=None,
)
