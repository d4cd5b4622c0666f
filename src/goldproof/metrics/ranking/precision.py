"""P@k: which share of the first k documents is relevant?

A document is relevant if its grade is at least `rel` (1 unless named: `P(rel=2)@5`). Unjudged documents, and those of
negative grade, are not relevant. Ties: score descending, then document id descending. `P@k` divides by k, however few
were retrieved; `P` without a cutoff divides by the number retrieved (trec_eval: set_P), and is 0 if there are none. A
judged question that the run lacks scores 0. A question without a relevant document is undefined.

    P@k = |relevant documents of rank <= k| / k
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.ranks import ratio, relevant_found

if TYPE_CHECKING:
    from goldproof.metrics.ranks import JudgedRanks
    from goldproof.records.arrays import FloatArray


def precision(ranks: JudgedRanks, *, k: int | None, rel: int) -> FloatArray:
    """Relevant documents among the first k, over k (over the number retrieved where k is None)."""
    seen = ranks.retrieved if k is None else np.full(ranks.questions, k)
    return ratio(relevant_found(ranks, rel=rel, k=k), seen)


def _explain(ranks: JudgedRanks, *, k: int | None, rel: int) -> str:
    hits = int(relevant_found(ranks, rel=rel, k=k)[0])
    seen, where = (int(ranks.retrieved[0]), "retrieved documents") if k is None else (k, "places")
    return f"{hits} relevant in the first {seen} {where} -> {hits}/{seen}"


DEFINITION = Definition(
    shape=SHAPES["P"],
    kind="relevance",
    summary="Share of the first k places that hold a relevant document.",
    formula="relevant in the first k / k (without k: / number retrieved)",
    kernel=precision,
    explain=_explain,
)
