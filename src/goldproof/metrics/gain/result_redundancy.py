"""SRR and SRR@i: which share of the results through iteration i had been seen before? Lower is better.

Duplicates are in the numerator and in the denominator: a result is one if it occurred before, in the same iteration or
an earlier one of the same turn. Labels play no part, so that unlabelled results count like others and no label is
needed. R = 0: as long as nothing was found the value is 0; an iteration that found nothing changes nothing, since the
counts are over all results so far. SRR is the value at the last iteration. Beyond it the value is undefined, unless it
is carried on. It is also undefined where nothing was searched.

    SRR@i  = DupR@i / R@i, or 0 where R@i = 0
    DupR@i = results in iterations 1 to i that occurred before;  R@i = all results in them
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.gain.iterations import last, number
from goldproof.metrics.ranks import ratio

if TYPE_CHECKING:
    from goldproof.metrics.gain.iterations import Iterations
    from goldproof.records.arrays import FloatArray


def result_redundancy(iterations: Iterations) -> FloatArray:
    """Duplicates through each iteration, over all results; 0 where there are none."""
    return ratio(iterations.counted(iterations.duplicates), iterations.counted(iterations.results))


def _explain(iterations: Iterations, *, k: int | None) -> str:
    row = last(iterations, k)
    seen, results = int(iterations.duplicates[: row + 1].sum()), int(iterations.results[: row + 1].sum())
    if not results:
        return f"nothing was found through iteration {row + 1}; DupR/R counts 0"
    return f"DupR = {seen} and R = {results} through iteration {row + 1}; {seen}/{results} = {number(seen / results)}"


DEFINITION = Definition(
    shape=SHAPES["SRR"],
    kind="search",
    summary="Share of all results through iteration i that had been seen before.",
    formula="DupR@i / R@i (0 where R@i = 0; lower is better)",
    kernel=result_redundancy,
    explain=_explain,
    higher_is_better=False,
)
