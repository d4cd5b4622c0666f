"""Hit@k: is any relevant document among the first k?

A document is relevant if its grade is at least `rel` (1 unless named: `Hit(rel=2)@5`). Unjudged documents, and those of
negative grade, are not relevant. Ties: score descending, then document id descending. A judged question that the run
lacks scores 0. A question without a relevant document is undefined.

    Hit@k = 1 if some relevant document has rank <= k, else 0

Also called Success@k (trec_eval: success_k), hit rate, and by some "Recall@K".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.ranks import relevant_found, relevant_hits

if TYPE_CHECKING:
    from goldproof.metrics.ranks import JudgedRanks
    from goldproof.records.arrays import FloatArray


def hit(ranks: JudgedRanks, *, k: int | None, rel: int) -> FloatArray:
    """1 where some relevant document is among the first k, else 0."""
    return (relevant_found(ranks, rel=rel, k=k) > 0).astype(float)


def _explain(ranks: JudgedRanks, *, k: int | None, rel: int) -> str:
    ranked = relevant_hits(ranks, rel=rel, k=None).rank
    if not len(ranked):
        return "no relevant document was retrieved -> 0"
    return f"the first relevant document is at rank {ranked[0]} -> {int(k is None or ranked[0] <= k)}"


DEFINITION = Definition(
    shape=SHAPES["Hit"],
    kind="relevance",
    summary="1 if any relevant document is among the first k, else 0.",
    formula="1 if min rank of a relevant document <= k, else 0",
    kernel=hit,
    explain=_explain,
)
