"""Judgments in the form in which they came, with the questions in order and the grades as one array."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import polars as pl

from goldproof.core.errors import InputError
from goldproof.core.tables import JudgmentTable
from goldproof.metrics.matching.dicts import checked_dicts, flat_grades

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from goldproof.core.arrays import IntArray
    from goldproof.metrics.matching.dicts import Grades

Kernels: TypeAlias = Mapping[str, "Sequence[Sequence[str]]"]


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What is judged.

    counts: per question, how many documents are judged; question, grades: per judged document. documents: a mapping per
    question, or all ids in one series: as they came, since turning one into the other is what would cost time.
    """

    questions: list[str]
    counts: IntArray
    question: IntArray
    grades: IntArray
    documents: list[Mapping[str, object]] | pl.Series
    kernels: Mapping[str, tuple[tuple[str, ...], ...]]
    unanswerable: frozenset[str]

    @classmethod
    def of(cls, judgments: JudgmentTable | Grades, *, kernels: Kernels | None, unanswerable: Iterable[str]) -> Known:
        """Read a table or a dict."""
        if isinstance(judgments, JudgmentTable):
            if kernels is not None or frozenset(unanswerable):
                raise InputError(
                    "a JudgmentTable has its own kernels and unanswerable questions; do not give them again."
                )
            graded = judgments.questions.to_list()
            documents: list[Mapping[str, object]] | pl.Series = judgments.documents
            counts, grades = np.diff(judgments.starts), judgments.grades
            alternatives, marks = checked_kernels(judgments.kernels), judgments.unanswerable
        else:
            table = checked_dicts(judgments, what="judgments")
            graded, documents = list(table), list(table.values())
            counts = np.fromiter(map(len, documents), dtype=np.int64, count=len(graded))
            grades = flat_grades(graded, documents)
            alternatives, marks = checked_kernels(kernels or {}), frozenset(unanswerable)
        seen = set(graded) if alternatives or marks else set()
        more = [question for question in dict.fromkeys([*alternatives, *sorted(marks)]) if question not in seen]
        if isinstance(documents, list):
            documents.extend({} for _ in more)
        counts = np.concatenate([counts, np.zeros(len(more), dtype=np.int64)])
        question = np.repeat(np.arange(len(counts)), counts)
        return cls([*graded, *more], counts, question, grades, documents, alternatives, marks)

    def keep(self, some: AbstractSet[str]) -> Known:
        """Return only the given questions."""
        chosen = np.fromiter(map(some.__contains__, self.questions), dtype=np.bool_, count=len(self.questions))
        if chosen.all():
            return self
        rows = chosen[self.question]
        counts = self.counts[chosen]
        if isinstance(self.documents, pl.Series):
            documents: list[Mapping[str, object]] | pl.Series = self.documents.filter(pl.Series(rows))
        else:
            documents = [self.documents[i] for i in np.flatnonzero(chosen).tolist()]
        return Known(
            questions=[question for question in self.questions if question in some],
            counts=counts,
            question=np.repeat(np.arange(len(counts)), counts),
            grades=self.grades[rows],
            documents=documents,
            kernels={question: sets for question, sets in self.kernels.items() if question in some},
            unanswerable=self.unanswerable & some,
        )


def checked_kernels(kernels: Kernels) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Drop repeated documents within a kernel; refuse an empty kernel, which anything would complete."""
    checked: dict[str, tuple[tuple[str, ...], ...]] = {}
    for question, sets in kernels.items():
        if isinstance(sets, str) or any(isinstance(one, str) or not one for one in sets):
            raise InputError(
                f"question {question!r}: kernels are lists of document ids, none of them empty, such as "
                f"[['d1', 'd2'], ['d3']]; found {sets!r}."
            )
        if sets:
            checked[question] = tuple(tuple(dict.fromkeys(one)) for one in sets)
    return checked
