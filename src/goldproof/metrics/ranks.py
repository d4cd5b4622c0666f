"""Input and output of metrics (JudgedRanks, KernelRanks, Scores), and the counts they share.

A negative grade marks a document that was pooled but not judged (as in trec_eval): such rows never get here, so every
document in these arrays has a grade of 0 or more, and every other retrieved document is unjudged.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.records.arrays import BoolArray, FloatArray, IntArray


CodeArray: TypeAlias = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRanks:
    """Ranks and grades of the judged documents, for all questions at once.

    question, rank, grade: the judged documents that were retrieved, sorted by question and rank (from 1).
    judged_question, judged_grade: every judged document, sorted by question and falling grade.
    retrieved: per question, how many documents were retrieved (within the depth).
    present: per question, whether the run has it.
    totals: relevant documents per question, by threshold, once `relevant_total` has counted them.
    """

    questions: int
    question: IntArray
    rank: IntArray
    grade: IntArray
    judged_question: IntArray
    judged_grade: IntArray
    retrieved: IntArray
    present: BoolArray
    totals: dict[int, IntArray] = field(default_factory=dict, init=False, repr=False)

    def only(self, index: int) -> JudgedRanks:
        """Return the ranks of one question."""
        hits = slice(*np.searchsorted(self.question, [index, index + 1]))
        judged = slice(*np.searchsorted(self.judged_question, [index, index + 1]))
        return JudgedRanks(
            questions=1,
            question=np.zeros_like(self.question[hits]),
            rank=self.rank[hits],
            grade=self.grade[hits],
            judged_question=np.zeros_like(self.judged_question[judged]),
            judged_grade=self.judged_grade[judged],
            retrieved=self.retrieved[index : index + 1],
            present=self.present[index : index + 1],
        )

    def condensed(self) -> JudgedRanks:
        """Return the ranks without unjudged documents: what stood below them moves up (Sakai's condensed lists)."""
        counts = np.bincount(self.question, minlength=self.questions)
        first = np.cumsum(counts) - counts
        closed_up = np.arange(len(self.question)) - first[self.question] + 1
        return replace(self, rank=closed_up, retrieved=counts)

    def with_gains(self, gains: Mapping[int, int]) -> JudgedRanks:
        """Return the ranks with a gain in the place of each grade; a grade that is not named is its own gain."""
        judged = _mapped(self.judged_grade, gains)
        order = np.lexsort((-judged, self.judged_question))
        return replace(self, grade=_mapped(self.grade, gains), judged_grade=judged[order])


def _mapped(grade: IntArray, gains: Mapping[int, int]) -> IntArray:
    mapped = grade.copy()
    for old, new in gains.items():
        mapped[grade == old] = new
    return mapped


@dataclass(frozen=True, slots=True, eq=False)
class KernelRanks:
    """Ranks of the documents of alternative kernels, for all questions at once.

    question, kernel, rank: one row per document of a kernel, sorted by kernel; rank 0 = not retrieved. Kernels are
    numbered over all questions. kernel_question: per kernel, its question.
    """

    questions: int
    question: IntArray
    kernel: IntArray
    rank: IntArray
    kernel_question: IntArray
    retrieved: IntArray

    def only(self, index: int) -> KernelRanks:
        """Return the kernels of one question."""
        rows, kernels = self.question == index, self.kernel_question == index
        first = int(np.argmax(kernels)) if kernels.any() else 0
        return KernelRanks(
            questions=1,
            question=np.zeros_like(self.question[rows]),
            kernel=self.kernel[rows] - first,
            rank=self.rank[rows],
            kernel_question=np.zeros_like(self.kernel_question[kernels]),
            retrieved=self.retrieved[index : index + 1],
        )


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """One value per question, or the reason why there is none.

    code 0: scored. code i: undefined because of reasons[i - 1]; the value is then 0.0, never NaN, and means nothing.
    """

    value: FloatArray
    code: CodeArray
    reasons: tuple[str, ...] = ()

    @property
    def scored(self) -> BoolArray:
        """Where there is a value."""
        return np.equal(self.code, 0)


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
    """Number the rows of each group from 0; rows are sorted by group."""
    counts = np.bincount(group, minlength=groups)
    first = np.cumsum(counts) - counts
    return np.arange(len(group)) - first[group]


def ratio(numerator: IntArray | FloatArray, denominator: IntArray | FloatArray) -> FloatArray:
    """Divide; where there is nothing to divide by, 0 (such values are undefined, and dropped by the caller)."""
    out = np.zeros(len(denominator))
    np.divide(numerator, denominator, out=out, where=denominator > 0)
    return out


def kernel_sizes(ranks: KernelRanks) -> IntArray:
    """Count the documents of each kernel."""
    return np.bincount(ranks.kernel, minlength=len(ranks.kernel_question))


def kernel_found(ranks: KernelRanks, *, k: int) -> IntArray:
    """Count the documents of each kernel that are among the first k."""
    within = (ranks.rank > 0) & (ranks.rank <= k)
    return np.bincount(ranks.kernel[within], minlength=len(ranks.kernel_question))


def best_kernel(values: FloatArray, ranks: KernelRanks) -> FloatArray:
    """Return the highest value over the kernels of each question; 0 where there is no kernel."""
    best = np.zeros(ranks.questions)
    np.maximum.at(best, ranks.kernel_question, values)
    return best
