"""RBP and RBP@k: relevant documents, weighted by how likely a reader gets that far.

The reader looks at the first document, and goes on from each to the next with the persistence `p` (0.8 unless named:
`RBP(p=0.95)`). A document is relevant if its grade is at least `rel` (1 unless named: `RBP(rel=2)@20`). Unjudged
documents, and those of negative grade, are not relevant. Ties: score descending, then document id descending. A judged
question that the run lacks scores 0. A question without a relevant document is undefined. R relevant documents at the
top give 1 - p^R, not 1.

    RBP@k = (1 - p) * sum over relevant documents of rank r <= k of p^(r - 1)

Relevance is yes or no, as in ir_measures' `RBP(rel=1)`; its `RBP` without `rel` takes the grades as gains. trec_eval's
rbp has p = 0.9 and scales the grades of each question: `RBP(p=0.9)` equals it where grades are 0 and 1.

Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, ACM TOIS 27, 2008.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.ranks import relevant_hits

if TYPE_CHECKING:
    from goldproof.metrics.ranks import JudgedRanks
    from goldproof.records.arrays import FloatArray

_SHOWN = 6


def rank_biased_precision(ranks: JudgedRanks, *, k: int | None, rel: int, p: float) -> FloatArray:
    """Sum of the weights of the relevant documents among the first k."""
    hits = relevant_hits(ranks, rel=rel, k=k)
    total = np.bincount(hits.question, weights=p ** (hits.rank - 1.0), minlength=ranks.questions)
    value: FloatArray = np.minimum((1.0 - p) * total, 1.0)  # the sum over a long list may be rounded upwards
    return value


def _explain(ranks: JudgedRanks, *, k: int | None, rel: int, p: float) -> str:
    hits = relevant_hits(ranks, rel=rel, k=k).rank.tolist()
    parts = [f"{p:g}^{rank - 1}" for rank in hits]
    terms = " + ".join([*parts[:_SHOWN], *(["..."] if len(parts) > _SHOWN else [])]) or "0"
    found = f"at rank {', '.join(map(str, hits[:_SHOWN]))}{', ...' * (len(hits) > _SHOWN)}" if hits else "found nowhere"
    return f"relevant documents {found} -> {1 - p:g} * ({terms})"


DEFINITION = Definition(
    shape=SHAPES["RBP"],
    kind="relevance",
    summary="Relevant documents, weighted by how likely a reader of persistence p (0.8) gets that far.",
    formula="(1 - p) * sum over relevant ranks r <= k of p^(r - 1)",
    kernel=rank_biased_precision,
    explain=_explain,
)
