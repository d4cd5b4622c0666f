"""Sort rows of (question, ...) fast: pack them into one integer where they fit, sort that, unpack.

Rows of a negative grade (pooled, not judged) are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from karat.core.tables import IntArray


def sorted_hits(question: IntArray, rank: IntArray, grade: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return (question, rank, grade) sorted by question and rank."""
    judged = grade >= 0
    if not judged.all():
        question, rank, grade = question[judged], rank[judged], grade[judged]
    ranks, grades = int(rank.max(initial=0)) + 1, int(grade.max(initial=0)) + 1
    if _fits(int(question.max(initial=0)) + 1, ranks, grades):
        key = np.sort((question * ranks + rank) * grades + grade)
        rest, grade = np.divmod(key, grades)
        question, rank = np.divmod(rest, ranks)
        return question, rank, grade
    order = np.lexsort((rank, question))
    return question[order], rank[order], grade[order]


def sorted_judged(question: IntArray, grade: IntArray) -> tuple[IntArray, IntArray]:
    """Return (question, grade) sorted by question and falling grade."""
    judged = grade >= 0
    if not judged.all():
        question, grade = question[judged], grade[judged]
    grades = int(grade.max(initial=0)) + 1
    if _fits(int(question.max(initial=0)) + 1, grades):
        question, fallen = np.divmod(np.sort(question * grades + (grades - 1 - grade)), grades)
        return question, grades - 1 - fallen
    order = np.lexsort((-grade, question))
    return question[order], grade[order]


def _fits(*sizes: int) -> bool:
    product = 1
    for size in sizes:
        product *= size
    return product < 2**62
