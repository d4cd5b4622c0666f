"""DCG and DCG@i: how much good gain was found through iteration i, if early gain counts more?

Gain is as in CG: labels of 2 or more (the threshold), each result once, where it first occurs. The discount is by
iteration, not by rank: all results of an iteration weigh the same. This is not the DCG of rankings, which is nDCG here.
Duplicates add nothing. Unlabelled results add 0 and are reported. R = 0: an iteration that searched and found nothing
adds 0, and the next is discounted one step more; one without a search is no step. DCG is the value at the last
iteration. Beyond it the value is undefined, unless it is carried on. It is also undefined where nothing was searched,
and where results came but none is labelled and no label judges the question.

    DCG@i = sum over k <= i of w(k) * G_k,  w(k) = 1 / log2(k + 1)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.gain.iterations import discount, discounted, gains, last, number

if TYPE_CHECKING:
    from goldproof.metrics.gain.iterations import Iterations
    from goldproof.records.arrays import FloatArray


def discounted_gain(iterations: Iterations) -> FloatArray:
    """Good gain through each iteration, each iteration's by its weight."""
    return iterations.summed(discount(iterations.number) * iterations.gain)


def _explain(iterations: Iterations, *, k: int | None) -> str:
    row = last(iterations, k)
    total = number(discounted_gain(iterations)[row])
    return f"{gains(iterations, k)}; {discounted(iterations.gain[: row + 1])} = {total}"


DEFINITION = Definition(
    shape=SHAPES["DCG"],
    kind="gain",
    summary="Good gain through iteration i, discounted by iteration.",
    formula="sum of w(k) * G_k for k <= i, w(k) = 1 / log2(k + 1)",
    kernel=discounted_gain,
    explain=_explain,
    upper=None,
)
