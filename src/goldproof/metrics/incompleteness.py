"""Unjudged documents: how many there are, and what a score would be if none or all of them were relevant.

Metrics count unjudged documents as not relevant. `bounds` recomputes a metric as if every unjudged document among the
first k (all retrieved ones where the metric has no cutoff) had been judged: once as not relevant (grade 0), once as
relevant. A relevant one gets the highest grade (or gain of one's own) of the judgments, or the metric's threshold if
that is higher, and joins the relevant documents of its question; AP, nDCG, Rprec and Bpref may therefore fall where the
unjudged are counted as relevant. Questions whose score is undefined have undefined bounds.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from goldproof.metrics.catalogue import METRICS
from goldproof.metrics.matching.match import sorted_judged
from goldproof.metrics.names import Metric, parse_metric
from goldproof.metrics.ranks import JudgedRanks, Scores, relevant_found
from goldproof.metrics.scoring import arguments, graded, score

if TYPE_CHECKING:
    from goldproof.metrics.matching.match import Matched
    from goldproof.metrics.scoring import NoRelevant
    from goldproof.records.arrays import IntArray

ROWS = 1 << 21  # documents judged at a time, to bound memory


class Bounds(NamedTuple):
    """Scores if none of the unjudged documents is relevant, and if all are."""

    none_relevant: Scores
    all_relevant: Scores


def unjudged(matched: Matched, *, k: int | None = None) -> IntArray:
    """Count, per question, the unjudged documents among the first k (all retrieved ones where k is None)."""
    ranks = matched.ranks
    seen = ranks.retrieved if k is None else np.minimum(ranks.retrieved, k)
    return seen - relevant_found(ranks, rel=0, k=k)


def bounds(metric: Metric | str, matched: Matched, *, no_relevant: NoRelevant = "undefined") -> Bounds | None:
    """Score a metric as if the unjudged documents were judged; None for metrics that do not look at them."""
    named = parse_metric(metric) if isinstance(metric, str) else metric
    definition = METRICS.get(named.family)
    if definition.kind != "relevance" or named.judged_only:
        return None
    ranks = graded(named, matched)
    known = score(named, matched, no_relevant=no_relevant)
    highest = max(named.threshold, int(ranks.judged_grade.max(initial=0)))
    values = [np.empty(ranks.questions), np.empty(ranks.questions)]
    for low, high in _stretches(ranks, named.cutoff):
        part = _stretch(ranks, low, high)
        for value, grade in zip(values, (0, highest), strict=True):
            judged = _judge_all(part, k=named.cutoff, grade=grade)
            value[low:high] = definition.kernel(judged, **arguments(named, definition))
    none, all_ = (Scores(np.where(known.scored, value, 0.0), known.code, known.reasons) for value in values)
    return Bounds(none, all_)


def _stretches(ranks: JudgedRanks, k: int | None) -> list[tuple[int, int]]:
    seen = ranks.retrieved if k is None else np.minimum(ranks.retrieved, k)
    part = np.cumsum(seen) // ROWS
    edges = [0, *(np.flatnonzero(np.diff(part)) + 1).tolist(), ranks.questions]
    return [(low, high) for low, high in pairwise(edges) if high > low]


def _stretch(ranks: JudgedRanks, low: int, high: int) -> JudgedRanks:
    hits = slice(*np.searchsorted(ranks.question, [low, high]))
    judged = slice(*np.searchsorted(ranks.judged_question, [low, high]))
    return JudgedRanks(
        questions=high - low,
        question=ranks.question[hits] - low,
        rank=ranks.rank[hits],
        grade=ranks.grade[hits],
        judged_question=ranks.judged_question[judged] - low,
        judged_grade=ranks.judged_grade[judged],
        retrieved=ranks.retrieved[low:high],
        present=ranks.present[low:high],
    )


def _judge_all(ranks: JudgedRanks, *, k: int | None, grade: int) -> JudgedRanks:
    """Give every unjudged document among the first k this grade; documents below are ignored."""
    seen = ranks.retrieved if k is None else np.minimum(ranks.retrieved, k)
    first = np.cumsum(seen) - seen
    question = np.repeat(np.arange(ranks.questions), seen)
    grades = np.full(len(question), grade)
    new = np.ones(len(question), dtype=np.bool_)
    within = ranks.rank <= seen[ranks.question]
    cell = first[ranks.question[within]] + ranks.rank[within] - 1
    grades[cell] = ranks.grade[within]
    new[cell] = False
    judged = sorted_judged(
        np.concatenate([ranks.judged_question, question[new]]),
        np.concatenate([ranks.judged_grade, np.full(int(new.sum()), grade)]),
    )
    return JudgedRanks(
        ranks.questions,
        question,
        np.arange(len(question)) - first[question] + 1,
        grades,
        *judged,
        retrieved=ranks.retrieved,
        present=ranks.present,
    )
