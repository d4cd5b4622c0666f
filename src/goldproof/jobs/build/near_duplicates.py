"""The pool without repeated questions."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from goldproof.text.near_questions import EQUAL, QuestionIndex

if TYPE_CHECKING:
    from collections.abc import Iterable, Set

    from goldproof.jobs.build.records import Candidate, PoolEntry


class DistinctCandidates(NamedTuple):
    """The candidates that repeat no question, how many were left out and why, and the index of their questions."""

    candidates: list[Candidate]
    left_out: Counter[str]
    questions: QuestionIndex


def without_repeats(
    entries: Iterable[PoolEntry], *, earlier_ids: Set[str], earlier: QuestionIndex, threshold: float | None
) -> DistinctCandidates:
    """Leave out samples of earlier benchmarks and near-duplicates, of their questions and of the entries before.

    threshold: None keeps near-duplicates within the entries; equal ones are still kept once in the index.
    """
    candidates: list[Candidate] = []
    left_out: Counter[str] = Counter()
    questions = QuestionIndex(threshold or EQUAL)
    for candidate, question in entries:
        if candidate.id in earlier_ids:
            left_out["id is in an earlier benchmark"] += 1
        elif len(earlier) and earlier.find(question) is not None:
            left_out["near-duplicate of a question in an earlier benchmark"] += 1
        elif questions.add(candidate.id, question) is not None and threshold is not None:
            left_out["near-duplicate of another question"] += 1
        else:
            candidates.append(candidate)
    return DistinctCandidates(candidates, left_out, questions)
