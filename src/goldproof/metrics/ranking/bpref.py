"""Bpref: how often is a relevant document ranked above a judged non-relevant one?

A document is relevant if its grade is at least `rel` (1 unless named: `Bpref(rel=2)`), and judged non-relevant if its
grade is 0 or more and below that. Unjudged documents, and those of negative grade, are passed over, so that the score
depends less on how deep the judging went. Ties: score descending, then document id descending. A judged question
that the run lacks scores 0. A question without a relevant document is undefined.

    Bpref = 1/R * sum over retrieved relevant documents of 1 - min(n, R) / min(N, R)

with R relevant and N judged non-relevant documents, and n of the latter ranked above the document (the term is 1 where
n = 0). Buckley and Voorhees, Retrieval evaluation with incomplete information, SIGIR 2004, as trec_eval computes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.ranks import position_in_group, ratio, relevant_found, relevant_hits, relevant_total

if TYPE_CHECKING:
    from goldproof.metrics.ranks import JudgedRanks
    from goldproof.records.arrays import FloatArray


def bpref(ranks: JudgedRanks, *, rel: int) -> FloatArray:
    """Mean over the relevant documents of the share of judged non-relevant ones not ranked above it."""
    total = relevant_total(ranks, rel=rel)
    against = np.bincount(ranks.judged_question, minlength=ranks.questions) - total
    relevant = ranks.grade >= rel
    hits = relevant_hits(ranks, rel=rel, k=None)
    above = position_in_group(ranks.question, groups=ranks.questions)[relevant] + 1 - hits.nth
    most = np.minimum(against, total)[hits.question]
    term = 1.0 - np.minimum(above, total[hits.question]) / np.maximum(most, 1)
    return ratio(np.bincount(hits.question, weights=term, minlength=ranks.questions), total)


def _explain(ranks: JudgedRanks, *, rel: int) -> str:
    total, hits = int(relevant_total(ranks, rel=rel)[0]), int(relevant_found(ranks, rel=rel, k=None)[0])
    against = len(ranks.judged_grade) - total
    value = bpref(ranks, rel=rel)[0] * total
    return (
        f"{hits} of {total} relevant documents found, {against} judged not relevant; shares of preferences kept "
        f"add up to {value:.4f} -> {value:.4f}/{total}"
    )


DEFINITION = Definition(
    shape=SHAPES["Bpref"],
    kind="relevance",
    summary="Share of preferences kept: relevant documents above judged non-relevant ones.",
    formula="1/R * sum over retrieved relevant documents of 1 - min(n above, R) / min(N, R)",
    kernel=bpref,
    explain=_explain,
)
