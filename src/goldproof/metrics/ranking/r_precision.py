"""Rprec: precision after R documents, where R is the number of relevant documents.

A document is relevant if its grade is at least `rel` (1 unless named: `Rprec(rel=2)`). Unjudged documents, and those
of negative grade, are not relevant. Ties: score descending, then document id descending. Fewer than R retrieved: the
missing ones count as not relevant. A judged question that the run lacks scores 0. A question without a relevant
document is undefined. At this cutoff precision and recall are equal.

    Rprec = |relevant documents of rank <= R| / R

Buckley and Voorhees, Retrieval System Evaluation, in TREC: Experiment and Evaluation in Information Retrieval, 2005.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.ranks import ratio, relevant_total

if TYPE_CHECKING:
    from goldproof.metrics.ranks import JudgedRanks
    from goldproof.records.arrays import FloatArray


def r_precision(ranks: JudgedRanks, *, rel: int) -> FloatArray:
    """Relevant documents among the first R, over R."""
    total = relevant_total(ranks, rel=rel)
    keep = (ranks.grade >= rel) & (ranks.rank <= total[ranks.question])
    return ratio(np.bincount(ranks.question[keep], minlength=ranks.questions), total)


def _explain(ranks: JudgedRanks, *, rel: int) -> str:
    total = int(relevant_total(ranks, rel=rel)[0])
    hits = int(np.count_nonzero((ranks.grade >= rel) & (ranks.rank <= total)))
    return f"{total} relevant documents, {hits} of them in the first {total} -> {hits}/{total}"


DEFINITION = Definition(
    shape=SHAPES["Rprec"],
    kind="relevance",
    summary="Precision after as many documents as are relevant.",
    formula="relevant in the first R / R, with R = number of relevant documents",
    kernel=r_precision,
    explain=_explain,
)
