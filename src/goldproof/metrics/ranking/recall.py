"""R@k: which share of the relevant documents is among the first k?

A document is relevant if its grade is at least `rel` (1 unless named: `R(rel=2)@100`). Unjudged documents, and those of
negative grade, are not relevant. Ties: score descending, then document id descending. `R` without a cutoff looks at all
that was retrieved (trec_eval: set_recall). A judged question that the run lacks scores 0. A question without a relevant
document is undefined.

    R@k = |relevant documents of rank <= k| / |relevant documents|

Not to be confused with what some call "Recall@K", which is `Hit@k` here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.ranks import ratio, relevant_found, relevant_total

if TYPE_CHECKING:
    from goldproof.metrics.ranks import JudgedRanks
    from goldproof.records.arrays import FloatArray


def recall(ranks: JudgedRanks, *, k: int | None, rel: int) -> FloatArray:
    """Relevant documents among the first k, over all relevant documents."""
    return ratio(relevant_found(ranks, rel=rel, k=k), relevant_total(ranks, rel=rel))


def _explain(ranks: JudgedRanks, *, k: int | None, rel: int) -> str:
    hits, total = int(relevant_found(ranks, rel=rel, k=k)[0]), int(relevant_total(ranks, rel=rel)[0])
    return f"{hits} of {total} relevant documents found -> {hits}/{total}"


DEFINITION = Definition(
    shape=SHAPES["R"],
    kind="relevance",
    summary="Share of the relevant documents that is among the first k.",
    formula="relevant in the first k / relevant",
    kernel=recall,
    explain=_explain,
)
