"""RR and RR@k: the reciprocal of the rank of the first relevant document.

A document is relevant if its grade is at least `rel` (1 unless named: `RR(rel=2)@10`). Unjudged documents, and those of
negative grade, are not relevant. Ties: score descending, then document id descending. No relevant document retrieved
(among the first k): 0. A judged question that the run lacks scores 0. A question without a relevant document is
undefined. The mean over questions is known as MRR.

    RR@k = 1 / min rank of a relevant document, if that is <= k, else 0

Kantor and Voorhees, The TREC-5 Confusion Track, Information Retrieval 2, 2000.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.ranks import relevant_hits

if TYPE_CHECKING:
    from goldproof.metrics.ranks import JudgedRanks
    from goldproof.records.arrays import FloatArray


def reciprocal_rank(ranks: JudgedRanks, *, k: int | None, rel: int) -> FloatArray:
    """1 over the rank of the first relevant document among the first k, else 0."""
    keep = ranks.grade >= rel
    if k is not None:
        keep &= ranks.rank <= k
    question, rank = ranks.question[keep], ranks.rank[keep]
    first = np.ones(len(question), dtype=np.bool_)
    np.not_equal(question[1:], question[:-1], out=first[1:])
    value = np.zeros(ranks.questions)
    value[question[first]] = 1.0 / rank[first]
    return value


def _explain(ranks: JudgedRanks, *, k: int | None, rel: int) -> str:
    ranked = relevant_hits(ranks, rel=rel, k=k).rank
    within = "" if k is None else f" in the first {k}"
    if not len(ranked):
        return f"no relevant document{within} -> 0"
    return f"the first relevant document{within} is at rank {ranked[0]} -> 1/{ranked[0]}"


DEFINITION = Definition(
    shape=SHAPES["RR"],
    kind="relevance",
    summary="Reciprocal rank of the first relevant document; its mean is MRR.",
    formula="1 / rank of the first relevant document (0 if none in the first k)",
    kernel=reciprocal_rank,
    explain=_explain,
)
