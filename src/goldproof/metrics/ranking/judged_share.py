"""Judged@k: which share of the first k documents has been judged at all?

Not a measure of quality but of trust: what is unjudged counts as not relevant elsewhere. A document is judged if it has
a grade of 0 or more; a negative grade means pooled but not judged. Ties: score descending, then document id descending.
Only documents that were retrieved are counted. Nothing retrieved, or a question that the run lacks: undefined.

    Judged@k = |judged documents of rank <= k| / min(k, number retrieved)

trec_eval's unj_k counts the rest but divides by k: unj_k = (1 - Judged@k) * min(k, retrieved) / k.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.ranks import ratio, relevant_found

if TYPE_CHECKING:
    from goldproof.metrics.ranks import JudgedRanks
    from goldproof.records.arrays import FloatArray


def judged_share(ranks: JudgedRanks, *, k: int) -> FloatArray:
    """Judged documents among the first k, over the number of documents there."""
    return ratio(relevant_found(ranks, rel=0, k=k), np.minimum(ranks.retrieved, k))


def _explain(ranks: JudgedRanks, *, k: int) -> str:
    judged, seen = int(relevant_found(ranks, rel=0, k=k)[0]), min(k, int(ranks.retrieved[0]))
    return f"{judged} of the first {seen} documents are judged -> {judged}/{seen}"


DEFINITION = Definition(
    shape=SHAPES["Judged"],
    kind="coverage",
    summary="Share of the first k retrieved documents that has been judged.",
    formula="judged in the first k / min(k, retrieved)",
    kernel=judged_share,
    explain=_explain,
)
