"""SRE and SRE@i: which share of the results through iteration i was good and new?

A result is good if its label is 2 or more (the threshold). Duplicates are not in the numerator, where a result counts
once, but are in the denominator. Unlabelled results are in the denominator only, and are reported. R = 0: as long as
nothing was found the value is 0; an iteration that found nothing changes nothing, since the counts are over all results
so far. SRE is the value at the last iteration. Beyond it the value is undefined, unless it is carried on. It is also
undefined where nothing was searched, and where results came but none is labelled and no label judges the question.

    SRE@i = GR@i / R@i, or 0 where R@i = 0
    GR@i  = good results that first occur in iterations 1 to i;  R@i = all results in them
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.gain.iterations import last, number
from goldproof.metrics.ranks import ratio

if TYPE_CHECKING:
    from goldproof.metrics.gain.iterations import Iterations
    from goldproof.records.arrays import FloatArray


def result_efficiency(iterations: Iterations) -> FloatArray:
    """Good unique results through each iteration, over all results; 0 where there are none."""
    return ratio(iterations.counted(iterations.good), iterations.counted(iterations.results))


def _explain(iterations: Iterations, *, k: int | None) -> str:
    row = last(iterations, k)
    good, results = int(iterations.good[: row + 1].sum()), int(iterations.results[: row + 1].sum())
    if not results:
        return f"nothing was found through iteration {row + 1}; GR/R counts 0"
    return f"GR = {good} and R = {results} through iteration {row + 1}; {good}/{results} = {number(good / results)}"


DEFINITION = Definition(
    shape=SHAPES["SRE"],
    kind="gain",
    summary="Share of all results through iteration i that is good and new.",
    formula="GR@i / R@i (0 where R@i = 0)",
    kernel=result_efficiency,
    explain=_explain,
)
