"""F1@k: the harmonic mean of P@k and R@k.

A document is relevant if its grade is at least `rel` (1 unless named: `F1(rel=2)@5`). Unjudged documents, and those of
negative grade, are not relevant. Ties: score descending, then document id descending. `F1` without a cutoff looks at
all that was retrieved (trec_eval: set_F). Nothing relevant found: 0. A judged question that the run lacks scores 0. A
question without a relevant document is undefined.

    F1@k = 2 P R / (P + R) = 2 |relevant of rank <= k| / (k + |relevant|)

with the number retrieved in place of k where there is no cutoff. van Rijsbergen, Information Retrieval, 1979.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.ranks import ratio, relevant_found, relevant_total

if TYPE_CHECKING:
    from goldproof.metrics.ranks import JudgedRanks
    from goldproof.records.arrays import FloatArray


def f1(ranks: JudgedRanks, *, k: int | None, rel: int) -> FloatArray:
    """Twice the relevant documents among the first k, over k plus all relevant documents."""
    seen = ranks.retrieved if k is None else k
    return ratio(2 * relevant_found(ranks, rel=rel, k=k), seen + relevant_total(ranks, rel=rel))


def _explain(ranks: JudgedRanks, *, k: int | None, rel: int) -> str:
    hits, total = int(relevant_found(ranks, rel=rel, k=k)[0]), int(relevant_total(ranks, rel=rel)[0])
    seen = int(ranks.retrieved[0]) if k is None else k
    return f"{hits} relevant in the first {seen}, {total} relevant in all -> 2*{hits}/({seen}+{total})"


DEFINITION = Definition(
    shape=SHAPES["F1"],
    kind="relevance",
    summary="Harmonic mean of precision and recall in the first k.",
    formula="2 * relevant in the first k / (k + relevant)",
    kernel=f1,
    explain=_explain,
)
