"""RG and RG@i: how much good gain did an iteration bring on average, through iteration i?

Gain is as in CG: labels of 2 or more (the threshold), each result once. Duplicates are not in the numerator; the
denominator counts iterations, not results. Unlabelled results add 0 and are reported. R = 0: an iteration that searched
and found nothing adds 0 and counts in i, while one without a search is not counted at all. RG divides by the number of
iterations. Beyond the last iteration the value is undefined, unless it is carried on. It is also undefined where
nothing was searched, and where results came but none is labelled and no label judges the question.

    RG@i = CG@i / i
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.gain.cumulative_gain import cumulative_gain
from goldproof.metrics.gain.iterations import added, gains, last, number

if TYPE_CHECKING:
    from goldproof.metrics.gain.iterations import Iterations
    from goldproof.records.arrays import FloatArray


def gain_rate(iterations: Iterations) -> FloatArray:
    """Good gain through each iteration, over the iterations so far."""
    rate: FloatArray = cumulative_gain(iterations) / iterations.number
    return rate


def _explain(iterations: Iterations, *, k: int | None) -> str:
    row = last(iterations, k)
    rate = number(gain_rate(iterations)[row])
    return f"{gains(iterations, k)}; ({added(iterations.gain[: row + 1])})/{row + 1} = {rate}"


DEFINITION = Definition(
    shape=SHAPES["RG"],
    kind="gain",
    summary="Good gain per iteration, through iteration i.",
    formula="CG@i / i",
    kernel=gain_rate,
    explain=_explain,
    upper=None,
)
