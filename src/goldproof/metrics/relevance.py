"""Counts that several metrics are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from goldproof.core.arrays import FloatArray, IntArray
    from goldproof.metrics.judged import JudgedRanks


class RelevantHits(NamedTuple):
    """The relevant documents that were retrieved; nth counts them within their question, from 1."""

    question: IntArray
    rank: IntArray
    nth: IntArray


def relevant_total(ranks: JudgedRanks, *, rel: int) -> IntArray:
    """Count the relevant documents of each question, retrieved or not."""
    if rel not in ranks.totals:  # nearly every metric asks for it
        relevant = np.flatnonzero(ranks.judged_grade >= rel)
        ranks.totals[rel] = np.bincount(ranks.judged_question[relevant], minlength=ranks.questions)
    return ranks.totals[rel]


def relevant_found(ranks: JudgedRanks, *, rel: int, k: int | None) -> IntArray:
    """Count the relevant documents among the first k of each question."""
    return np.bincount(ranks.question[_relevant(ranks, rel=rel, k=k)], minlength=ranks.questions)


def relevant_hits(ranks: JudgedRanks, *, rel: int, k: int | None) -> RelevantHits:
    """Return the relevant documents among the first k, by question and rank, numbered within the question."""
    keep = _relevant(ranks, rel=rel, k=k)
    question = ranks.question[keep]
    return RelevantHits(question, ranks.rank[keep], position_in_group(question, groups=ranks.questions) + 1)


def _relevant(ranks: JudgedRanks, *, rel: int, k: int | None) -> IntArray:
    # Positions, not a mask: numpy picks by a mask half as fast where its values alternate at random.
    keep = ranks.grade >= rel
    if k is not None:
        keep &= ranks.rank <= k
    return np.flatnonzero(keep)


def position_in_group(group: IntArray, *, groups: int) -> IntArray:
    """Number the rows of each group from 0; rows stand grouped, groups in rising order."""
    counts = np.bincount(group, minlength=groups)
    first = np.cumsum(counts) - counts
    return np.arange(len(group)) - first[group]


def ratio(numerator: IntArray | FloatArray, denominator: IntArray | FloatArray) -> FloatArray:
    """Divide; where there is nothing to divide by, 0 (such values are undefined, and dropped by the caller)."""
    out = np.zeros(len(denominator))
    np.divide(numerator, denominator, out=out, where=denominator > 0)
    return out
