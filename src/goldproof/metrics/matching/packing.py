"""Sort rows of (question, ...) fast: pack them into one integer where they fit, sort that, unpack.

Rows of a negative grade (pooled, not judged) are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from goldproof.core.arrays import IntArray


WORD = 63  # bits of an integer that is not negative


def sorted_hits(question: IntArray, rank: IntArray, grade: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return (question, rank, grade) sorted by question and rank."""
    judged = grade >= 0
    if not judged.all():
        question, rank, grade = question[judged], rank[judged], grade[judged]
    ranks, grades = _bits(rank), _bits(grade)
    if _bits(question) + ranks + grades < WORD:
        key = np.sort((question << ranks | rank) << grades | grade)
        return key >> (ranks + grades), key >> grades & _ones(ranks), key & _ones(grades)
    order = np.lexsort((rank, question))
    return question[order], rank[order], grade[order]


def sorted_judged(question: IntArray, grade: IntArray) -> tuple[IntArray, IntArray]:
    """Return (question, grade) sorted by question and falling grade."""
    judged = grade >= 0
    if not judged.all():
        question, grade = question[judged], grade[judged]
    grades = _bits(grade)
    if _bits(question) + grades < WORD:
        key = np.sort(question << grades | (_ones(grades) - grade))
        return key >> grades, _ones(grades) - (key & _ones(grades))
    order = np.lexsort((-grade, question))
    return question[order], grade[order]


def _bits(values: IntArray) -> int:
    return int(values.max(initial=0)).bit_length()


def _ones(bits: int) -> int:
    return (1 << bits) - 1
