"""RAG and RAG@i: the mean of AvgGain over the iterations through i.

Every iteration weighs the same, however many results it returned. Duplicates are not in the numerator of an iteration's
average but are in its denominator. Unlabelled results add 0 to the numerator, 1 each to the denominator, and are
reported. R = 0: an iteration that searched and found nothing has the average 0 and counts in i, while one without a
search is not counted at all. RAG is the mean over all iterations. Beyond the last iteration the value is undefined,
unless it is carried on. It is also undefined where nothing was searched, and where results came but none is labelled
and no label judges the question.

    RAG@i = 1/i * sum over k <= i of AvgGain_k
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.gain.average_gain import average_gain
from goldproof.metrics.gain.iterations import added, last, number, shares
from goldproof.records.traces import HIGHEST_GAIN

if TYPE_CHECKING:
    from goldproof.metrics.gain.iterations import Iterations
    from goldproof.records.arrays import FloatArray


def average_gain_rate(iterations: Iterations) -> FloatArray:
    """Mean over the iterations so far of the good gain per result."""
    rate: FloatArray = iterations.summed(average_gain(iterations)) / iterations.number
    return rate


def _explain(iterations: Iterations, *, k: int | None) -> str:
    row = last(iterations, k)
    averages = average_gain(iterations)[: row + 1]
    rate = number(average_gain_rate(iterations)[row])
    return f"{shares(iterations, k)}; ({added(averages)})/{row + 1} = {rate}"


DEFINITION = Definition(
    shape=SHAPES["RAG"],
    kind="gain",
    summary="Mean over the iterations through i of the good gain per result.",
    formula="1/i * sum of AvgGain_k for k <= i",
    kernel=average_gain_rate,
    explain=_explain,
    upper=float(HIGHEST_GAIN),
)
