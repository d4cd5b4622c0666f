"""Judgments and rankings given as dicts: checked, and judged documents looked up in the rankings.

Each judged document is looked up in its ranking, not each retrieved one in the judgments: there are fewer of them.
Types are checked in bulk; only when a check fails is the culprit searched for, one by one.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

import numpy as np
import polars as pl

from goldproof.errors import InputError
from goldproof.metrics.matching.order import IdList, Retrieved, Wanted, first_of_each, not_text
from goldproof.records.tables import JudgmentTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from collections.abc import Set as AbstractSet

    import numpy.typing as npt

    from goldproof.records.arrays import FloatArray, IntArray


Grades: TypeAlias = Mapping[str, Mapping[str, int]]

Run: TypeAlias = Mapping[str, Mapping[str, float]]

HIGHEST = 2.0**53  # a grade that a float still holds exactly

_LOOKED_AT = 1000  # questions whose first document id is checked; the rest where ids are compared

_SAMPLE = 32  # questions whose scores are looked at in advance

DISTINCT = 0.9  # share of distinct scores below which ids are joined on the way: later they are out of the cache

_NOTHING: dict[str, float] = {}


def checked_dicts(table: object, *, what: str) -> dict[str, dict[str, float]]:
    """Check that the table is a mapping of mappings whose ids are text."""
    if not isinstance(table, Mapping):
        raise InputError(
            f"{what}: expected {{question: {{document: number}}}} or a table, found {type(table).__name__}."
        )
    outer = table if type(table) is dict else dict(table)
    if set(map(type, outer.values())) - {dict}:
        outer = {question: _checked_inner(question, inner, what=what) for question, inner in outer.items()}
    if set(map(type, outer)) - {str}:
        _refuse_id(outer, what=f"{what}: question id")
    some_ids = (next(iter(inner)) for inner in islice(outer.values(), _LOOKED_AT) if inner)
    if set(map(type, some_ids)) - {str}:
        _refuse_id(chain.from_iterable(outer.values()), what=f"{what}: document id")
    return cast("dict[str, dict[str, float]]", outer)


def _checked_inner(question: object, inner: object, *, what: str) -> dict[object, object]:
    if not isinstance(inner, Mapping):
        raise InputError(f"{what}, question {question!r}: expected {{document: number}}, found {type(inner).__name__}.")
    return dict(inner)


def _refuse_id(ids: Iterable[object], *, what: str) -> None:
    wrong = [name for name in ids if not isinstance(name, str)]
    if wrong:
        raise not_text(wrong, what=what)


def flat_grades(questions: Sequence[str], judged: Sequence[Mapping[str, object]]) -> IntArray:
    """Return all grades, question after question; they must be whole numbers."""
    count = sum(map(len, judged))
    try:
        return _packed(judged, np.empty(count, dtype=np.int64), code="q")
    except (struct.error, TypeError):
        pass  # not all whole numbers by type: perhaps by value
    try:
        grades = _packed(judged, np.empty(count), code="d")
    except (struct.error, TypeError, OverflowError):
        raise _bad_number(questions, judged, what="grade") from None
    whole = np.isfinite(grades) & (np.abs(grades) < HIGHEST) & (grades == np.rint(grades))
    if not whole.all():
        raise _bad_number(questions, judged, what="grade")
    return grades.astype(np.int64)


def _packed(tables: Iterable[Mapping[str, object]], out: npt.NDArray[Any], *, code: str) -> npt.NDArray[Any]:
    at = 0
    for table in tables:
        _packer(len(table), code)(out, at, *table.values())
        at += 8 * len(table)
    return out


def locate_in_dicts(
    questions: Sequence[str], judged: Sequence[Mapping[str, object]], *, counts: IntArray, run: Run
) -> tuple[Retrieved, Wanted, IntArray]:
    """Look every judged document up; return what was retrieved, the hits, and which judged rows they are.

    counts: how many documents are judged per question.
    """
    runs = [run.get(question, _NOTHING) for question in questions]
    length = np.fromiter(map(len, runs), dtype=np.int64, count=len(runs))
    scores = _look_up(questions, runs, judged=judged, sizes=(int(length.sum()), int(counts.sum())))
    retrieved = Retrieved(
        scores.every, np.cumsum(length) - length, length, partial(_ids, runs, scores.run_texts, length)
    )
    rows = np.flatnonzero(~np.isnan(scores.judged))
    question = np.repeat(np.arange(len(counts)), counts)[rows]
    place = rows - (np.cumsum(counts) - counts)[question]
    ids = partial(_ids, judged, scores.judged_texts, counts)
    return retrieved, Wanted(question, scores.judged[rows], place, ids), rows


class _LookedUp(NamedTuple):
    """All scores, and the score of every judged document (NaN = not retrieved).

    run_texts, judged_texts: the ids of each question, joined; None where they are not expected to be needed.
    """

    every: FloatArray
    judged: FloatArray
    run_texts: list[str] | None
    judged_texts: list[str] | None


def _often_tied(runs: Sequence[Mapping[str, float]]) -> bool:
    """Guess from a sample whether many documents share their score with another of their question."""
    some = runs[:: len(runs) // _SAMPLE + 1]
    return sum(len(set(row.values())) for row in some) < DISTINCT * sum(map(len, some))


def _look_up(
    questions: Sequence[str],
    runs: Sequence[Mapping[str, float]],
    *,
    judged: Sequence[Mapping[str, object]],
    sizes: tuple[int, int],
) -> _LookedUp:
    """Read the scores of all rankings and look the judged documents up; sizes: how many there are of each."""
    # One pass over each question while it is in the cache, straight into memory. `struct` refuses text and None, which
    # numpy would convert. Copying saves a third of the time: it touches all ids and scores in the order in which they
    # lie in memory, and fast, so that the lookups, which jump about, wait for none of them.
    every, looked_up = map(np.empty, sizes)
    run_texts: list[str] = []
    judged_texts: list[str] = []
    at = place = 0
    absent = repeat(math.nan)
    try:
        tied = _often_tied(runs)
        for row, wanted in zip(map(dict, runs), judged, strict=True):
            _packer(len(row), "d")(every, at, *row.values())
            _packer(len(wanted), "d")(looked_up, place, *map(row.get, wanted, absent))
            at += 8 * len(row)
            place += 8 * len(wanted)
            if tied:
                run_texts.append("\n".join(row))
                judged_texts.append("\n".join(wanted))
    except (struct.error, TypeError, OverflowError):
        _refuse_id(chain.from_iterable(chain(runs, judged)), what="document id")
        raise _bad_number(questions, runs, what="score") from None
    if not np.isfinite(every).all():
        raise _bad_number(questions, runs, what="score")
    return _LookedUp(every, looked_up, run_texts, judged_texts) if tied else _LookedUp(every, looked_up, None, None)


def _ids(
    tables: Sequence[Mapping[str, object]],
    texts: list[str] | None,
    length: IntArray,
    question: IntArray,
    size: IntArray,
    place: IntArray,
) -> IdList:
    # All ids of these questions: picking some from a dict would cost more.
    new = first_of_each(question)
    some = question[new]
    end = np.cumsum(length[some])
    position = np.repeat((end - length[some])[np.cumsum(new) - 1], size) + place
    return IdList(tables, some.tolist(), int(end[-1]), position, texts)


@lru_cache(maxsize=4096)
def _packer(count: int, code: str) -> Callable[..., None]:
    return struct.Struct(f"{count}{code}").pack_into


def _bad_number(questions: Sequence[str], rows: Sequence[Mapping[str, object]], *, what: str) -> InputError:
    expected = "a finite number" if what == "score" else "a whole number"
    for question, row in zip(questions, rows, strict=True):
        for document, value in row.items():
            if not _is_number(value, whole=what == "grade"):
                return InputError(
                    f"question {question!r}, document {document!r}: {what} {value!r} is not {expected}; "
                    "correct it or leave the document out."
                )
    return InputError(f"a {what} is not {expected}; correct it or leave the document out.")


def _is_number(value: object, *, whole: bool) -> bool:
    if isinstance(value, (str, bytes)) or not hasattr(value, "__float__"):
        return False
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return math.isfinite(number) and (not whole or (number.is_integer() and abs(number) < HIGHEST))


Kernels: TypeAlias = Mapping[str, "Sequence[Sequence[str]]"]


@dataclass(frozen=True, slots=True, eq=False)
class KnownGrades:
    """Judgments: grades, kernels and questions without an answer.

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
    def of(
        cls, judgments: JudgmentTable | Grades, *, kernels: Kernels | None, unanswerable: Iterable[str]
    ) -> KnownGrades:
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

    def keep(self, some: AbstractSet[str]) -> KnownGrades:
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
        return KnownGrades(
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
        if isinstance(sets, str) or any(isinstance(kernel, str) or not kernel for kernel in sets):
            raise InputError(
                f"question {question!r}: kernels are lists of document ids, none of them empty, such as "
                f"[['d1', 'd2'], ['d3']]; found {sets!r}."
            )
        if sets:
            checked[question] = tuple(tuple(dict.fromkeys(kernel)) for kernel in sets)
    return checked
