"""CG and CG@i: how much good gain was found through iteration i?

The gain of a result is its label, 0 to 4; it is good from 2 on (the threshold, unless another is chosen), and lower
gains count nothing. Duplicates: a result counts once, where it first occurs; later occurrences, in the same iteration
or another, add nothing. Unlabelled results add 0 and are reported. R = 0: an iteration that searched and found nothing
adds 0; it is an iteration all the same, while one without a search is none. CG is the value at the last iteration.
Beyond the last iteration the value is undefined, unless it is carried on. It is also undefined where nothing was
searched, and where results came but none is labelled and no label judges the question.

    CG@i = sum over k <= i of G_k
    G_k  = sum of the gains of the good results that first occur in iteration k
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.gain.iterations import added, gains, last, number

if TYPE_CHECKING:
    from goldproof.metrics.gain.iterations import Iterations
    from goldproof.records.arrays import FloatArray


def cumulative_gain(iterations: Iterations) -> FloatArray:
    """Good gain through each iteration: a whole number."""
    return iterations.counted(iterations.gain).astype(np.float64)


def _explain(iterations: Iterations, *, k: int | None) -> str:
    row = last(iterations, k)
    if not row:
        return gains(iterations, k)
    total = number(cumulative_gain(iterations)[row])
    return f"{gains(iterations, k)}; {added(iterations.gain[: row + 1])} = {total}"


DEFINITION = Definition(
    shape=SHAPES["CG"],
    kind="gain",
    summary="Good gain through iteration i, each result counted once.",
    formula="sum of G_k for k <= i",
    kernel=cumulative_gain,
    explain=_explain,
    upper=None,
)
