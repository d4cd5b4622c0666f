"""IPrec@recall: the best precision from the rank at which a level of recall is reached.

The number after the @ is a recall from 0 to 1, not a rank: `IPrec@0.1`, one point of a precision-recall curve. A
document is relevant if its grade is at least `rel` (1 unless named: `IPrec(rel=2)@0.1`). Unjudged documents, and those
of negative grade, are not relevant. Ties: score descending, then document id descending. A level that the ranking never
reaches scores 0, and so does a judged question that the run lacks. A question without a relevant document is undefined.

    IPrec@recall = highest n / r over the relevant documents with n >= N, where r is the rank of the nth one
    N = recall * R + 0.9, rounded down, of R relevant documents

N is that of ir_measures and of trec_eval up to 9 (iprec_at_recall): recall * R rounded up, unless it is less than 0.1
above a whole number. trec_eval 10 takes the nearest whole number instead, and so fewer documents at some levels.

Manning, Raghavan and Schütze, Introduction to Information Retrieval, section 8.4, 2008.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.ranks import relevant_hits, relevant_total

if TYPE_CHECKING:
    from goldproof.metrics.ranks import JudgedRanks
    from goldproof.records.arrays import FloatArray, IntArray


def interpolated_precision(ranks: JudgedRanks, *, recall: float, rel: int) -> FloatArray:
    """Return the highest precision at a relevant document from the level of recall on."""
    hits, needed = relevant_hits(ranks, rel=rel, k=None), _needed(ranks, recall=recall, rel=rel)
    reached = hits.nth >= needed[hits.question]
    best = np.zeros(ranks.questions)
    np.maximum.at(best, hits.question[reached], (hits.nth / hits.rank)[reached])
    return best


def _needed(ranks: JudgedRanks, *, recall: float, rel: int) -> IntArray:
    return (recall * relevant_total(ranks, rel=rel) + 0.9).astype(np.int64)


def _explain(ranks: JudgedRanks, *, recall: float, rel: int) -> str:
    hits, needed = relevant_hits(ranks, rel=rel, k=None), int(_needed(ranks, recall=recall, rel=rel)[0])
    total, found = int(relevant_total(ranks, rel=rel)[0]), len(hits.rank)
    at_level = f"recall {recall:g} takes {needed} of {total} relevant documents"
    if found < max(needed, 1):
        return f"{at_level}, {found} found -> 0"
    pairs = [(n, r) for n, r in zip(hits.nth.tolist(), hits.rank.tolist(), strict=True) if n >= needed]
    n, r = max(pairs, key=lambda pair: pair[0] / pair[1])
    return f"{at_level}; from there on the precision is highest at rank {r} -> {n}/{r}"


DEFINITION = Definition(
    shape=SHAPES["IPrec"],
    kind="relevance",
    summary="Highest precision from the rank at which a level of recall is reached.",
    formula="max of P@r over the ranks r with R@r >= recall",
    kernel=interpolated_precision,
    explain=_explain,
)
