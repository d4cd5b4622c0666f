"""What metrics see: where the judged documents of each question were ranked.

A negative grade marks a document that was pooled but not judged (as in trec_eval): such rows never get here, so every
document in these arrays has a grade of 0 or more, and every other retrieved document is unjudged.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from goldproof.core.arrays import BoolArray, FloatArray, IntArray

CodeArray: TypeAlias = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRanks:
    """Ranks and grades of the judged documents, for all questions at once.

    question, rank, grade: the judged documents that were retrieved, sorted by question and rank (from 1).
    judged_question, judged_grade: every judged document, sorted by question and falling grade.
    retrieved: per question, how many documents were retrieved (within the depth).
    present: per question, is it in the run at all?
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
