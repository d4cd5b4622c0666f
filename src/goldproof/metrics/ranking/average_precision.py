"""AP and AP@k: precision at each relevant document, averaged over all relevant documents.

A document is relevant if its grade is at least `rel` (1 unless named: `AP(rel=2)@100`). Unjudged documents, and those
of negative grade, are not relevant. Ties: score descending, then document id descending. Relevant documents that were
not retrieved (among the first k) add 0 but are counted in the denominator (trec_eval: map, map_cut_k). A judged
question that the run lacks scores 0. A question without a relevant document is undefined. The mean over questions is
known as MAP.

    AP@k = 1/R * sum over relevant documents of rank r <= k of |relevant documents of rank <= r| / r

Buckley and Voorhees, Retrieval System Evaluation, in TREC: Experiment and Evaluation in Information Retrieval, 2005.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.ranks import ratio, relevant_hits, relevant_total

if TYPE_CHECKING:
    from goldproof.metrics.ranks import JudgedRanks
    from goldproof.records.arrays import FloatArray

_SHOWN = 6


def average_precision(ranks: JudgedRanks, *, k: int | None, rel: int) -> FloatArray:
    """Sum of precisions at the relevant documents among the first k, over the number of relevant documents."""
    hits = relevant_hits(ranks, rel=rel, k=k)
    total = np.bincount(hits.question, weights=hits.nth / hits.rank, minlength=ranks.questions)
    return ratio(total, relevant_total(ranks, rel=rel))


def _explain(ranks: JudgedRanks, *, k: int | None, rel: int) -> str:
    hits, total = relevant_hits(ranks, rel=rel, k=k), int(relevant_total(ranks, rel=rel)[0])
    parts = [f"{nth}/{rank}" for nth, rank in zip(hits.nth.tolist(), hits.rank.tolist(), strict=True)]
    terms = " + ".join([*parts[:_SHOWN], *(["..."] if len(parts) > _SHOWN else [])]) or "0"
    return f"{len(parts)} of {total} relevant documents found -> ({terms})/{total}"


DEFINITION = Definition(
    shape=SHAPES["AP"],
    kind="relevance",
    summary="Mean over the relevant documents of the precision at their rank; its mean is MAP.",
    formula="sum over relevant ranks r <= k of P@r / relevant",
    kernel=average_precision,
    explain=_explain,
)
