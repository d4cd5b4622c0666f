"""FalseSurface@k: does the system return anything for a question that has no answer?

For questions marked unanswerable only: 1 if any document is among the first k, else 0; lower is better. Grades
play no part, since whatever is returned is wrong. Ties do not matter. A question that the run lacks returned nothing:
0 (and it is counted as missing). An answerable question is undefined. With rankings that are never empty this is
always 1: the system needs a floor of its own below which it returns nothing.

    FalseSurface@k = 1 if min(k, number retrieved) > 0, else 0

The value does not depend on k, which is kept so that the name says how much was looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.metrics.catalogue import SHAPES, Definition

if TYPE_CHECKING:
    from goldproof.metrics.ranks import JudgedRanks
    from goldproof.records.arrays import FloatArray


def false_surface(ranks: JudgedRanks, *, k: int) -> FloatArray:
    """1 where anything was retrieved, else 0."""
    return (np.minimum(ranks.retrieved, k) > 0).astype(float)


def _explain(ranks: JudgedRanks, *, k: int) -> str:
    shown = min(k, int(ranks.retrieved[0]))
    return f"the question has no answer and {shown} documents were returned in the first {k} -> {int(shown > 0)}"


DEFINITION = Definition(
    shape=SHAPES["FalseSurface"],
    kind="unanswerable",
    summary="For unanswerable questions: 1 if anything is returned in the first k, else 0.",
    formula="1 if anything is returned, else 0 (lower is better)",
    kernel=false_surface,
    explain=_explain,
    higher_is_better=False,
)
