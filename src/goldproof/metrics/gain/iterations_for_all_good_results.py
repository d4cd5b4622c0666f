"""IterationsForAllGoodResults: by which iteration had all good results appeared? Lower is better.

The pool of good results (labels of 2 or more, the threshold) is the conversation's own, or the union over the systems
that are compared, or a given one. Only a pool from outside can stay incomplete: then the value is 100, and a value
above 100 counts as 100 too. So the mean is capped: it mixes how often with how soon. Beside it stand the share of
conversations that completed their pool, and by which iteration those had on average. Duplicates do not matter: a good
result has appeared once it first occurs. Unlabelled results are not in the pool and are reported. R = 0: an iteration
that searched and found nothing counts as an iteration, while one without a search is none. The name takes no number.
Undefined where nothing was searched, and where the pool is empty.

    IterationsForAllGoodResults = min(k, 100)
    k = the first iteration by which every result of the pool has appeared, 100 where there is none
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.metrics.catalogue import SHAPES, Definition

if TYPE_CHECKING:
    from goldproof.records.arrays import FloatArray, IntArray

CAP = 100


def iterations_for_all_good_results(completed: IntArray) -> FloatArray:
    """Return, per conversation, the iteration by which the whole pool had appeared (0 = never), at most 100."""
    return np.where(completed > 0, np.minimum(completed, CAP), CAP).astype(np.float64)


def _explain(completed: int, *, pool: int) -> str:
    size = f"a pool of {pool} good result{'' if pool == 1 else 's'}"
    if completed == 0:
        return f"of {size} not all appeared; counts {CAP}"
    capped = f"; counts {CAP}" if completed > CAP else ""
    return f"{size} was complete by iteration {completed}{capped}"


DEFINITION = Definition(
    shape=SHAPES["IterationsForAllGoodResults"],
    kind="completion",
    summary="The iteration by which all good results had appeared, capped: 100 where they never did.",
    formula="min(k, 100), k = first iteration by which the whole pool has appeared (lower is better)",
    kernel=iterations_for_all_good_results,
    explain=_explain,
    higher_is_better=False,
    lower=1.0,
    upper=float(CAP),
)
