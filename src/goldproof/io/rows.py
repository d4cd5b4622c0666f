"""Tables from rows of (query, document, value): grouping by query, and duplicates.

Duplicates are looked for by a 64-bit hash of (question, document): equal neighbours after sorting. Only where hashes
meet are the names themselves compared, so ten million rows cost one hash and one sort.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import polars as pl

from goldproof.records.tables import JudgmentTable, RankingTable, group_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from goldproof.io.diagnostics import Diagnostics
    from goldproof.io.values import ValueKind
    from goldproof.records.arrays import BoolArray, FloatArray, IntArray


_MIX = np.uint64(0x9E3779B97F4A7C15)

_SLICE_ROWS = 1 << 16

_JUDGED_TWICE = (
    "Give one grade per query and document: of several annotators, for example the median or the majority grade "
    "(docs/reference/formats.md has a recipe). --skip-bad does not apply to judgments."
)


@dataclass(frozen=True, slots=True)
class Rows:
    """Some rows of a file: numbers[i] is the line of row i, or its row where the format has no lines (Parquet)."""

    questions: pl.Series
    documents: pl.Series
    values: FloatArray | IntArray
    numbers: Sequence[int]
    unit: Literal["line", "row"] = "line"


class _Repeat(NamedTuple):
    """A row for a pair that an earlier row has already."""

    here: int
    there: int
    question: str
    document: str


@dataclass(slots=True)
class RowBuffer:
    """Rows collected while reading, and what a ranking says besides rows.

    empty: questions with an empty result list; failed: question -> why the system failed; dropped: question -> the
    first of its lines that was left out as bad. A question of which nothing else is left is failed: to score it as
    one for which nothing was returned would make a 0 of a line that could not be read. on_repeats: called before pairs
    that occur twice are reported; raises where it knows a better reason.
    """

    parts: list[Rows] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    dropped: dict[str, str] = field(default_factory=dict)
    on_repeats: Callable[[], None] | None = None

    def judgments(self, diagnostics: Diagnostics) -> JudgmentTable:
        """Group the rows into judgments."""
        questions, starts, documents, values = self._grouped(
            diagnostics, np.empty(0, dtype=np.int64), repeat_hint=_JUDGED_TWICE
        )
        return JudgmentTable(questions, starts, documents, values.astype(np.int64, copy=False))

    def ranking(self, diagnostics: Diagnostics) -> RankingTable:
        """Group the rows into a ranking."""
        questions, starts, documents, values = self._grouped(diagnostics, np.empty(0, dtype=np.float64))
        if self.empty:
            questions = pl.concat([questions, pl.Series("question", self.empty, dtype=pl.String)])
            starts = np.concatenate([starts, np.full(len(self.empty), starts[-1], dtype=np.int64)])
        failed = {**self._lost(questions), **self.failed}
        return RankingTable(questions, starts, documents, values.astype(np.float64, copy=False), failed)

    def _lost(self, questions: pl.Series) -> dict[str, str]:
        """Return the questions of which every line was left out, and why."""
        if not self.dropped:
            return {}
        kept = set(questions.to_list())
        return {name: f"left out as bad: {why}" for name, why in self.dropped.items() if name not in kept}

    def _grouped(
        self, diagnostics: Diagnostics, nothing: FloatArray | IntArray, *, repeat_hint: str | None = None
    ) -> tuple[pl.Series, IntArray, pl.Series, FloatArray | IntArray]:
        none = pl.Series("", [], dtype=pl.String)
        questions = pl.concat([p.questions.rename("question") for p in self.parts] or [none], rechunk=False)
        documents = pl.concat([p.documents.rename("document") for p in self.parts] or [none], rechunk=False)
        values = np.concatenate([nothing, *(p.values for p in self.parts)])
        distinct, starts, order = group_rows(questions)
        if order is not None:
            questions, documents, values = questions.gather(order), documents.gather(order), values[order]
        spare, repeats = self._duplicates(distinct, starts, documents, order=order)
        if repeats:
            if self.on_repeats is not None:
                self.on_repeats()
            self._report_repeats(repeats, diagnostics, hint=repeat_hint)
            keep = pl.Series(~spare)
            distinct, starts, _ = group_rows(questions.filter(keep))
            documents, values = documents.filter(keep), values[~spare]
        return distinct, starts, documents, values

    def _duplicates(
        self,
        questions: pl.Series,
        starts: IntArray,
        documents: pl.Series,
        *,
        order: IntArray | None,
    ) -> tuple[BoolArray, list[_Repeat]]:
        """Return a mark for each row that repeats an earlier one, and the repeats in the order of the file."""
        spare = np.zeros(len(documents), dtype=np.bool_)
        suspects = _suspect_rows(starts, documents)
        if not len(suspects):
            return spare, []
        first: dict[tuple[str, str], int] = {}
        groups = np.searchsorted(starts, suspects, side="right") - 1
        names = zip(questions.gather(groups).to_list(), documents.gather(suspects).to_list(), strict=True)
        repeats: list[_Repeat] = []
        for row, (question, document) in zip(suspects.tolist(), names, strict=True):
            here = row if order is None else int(order[row])
            there = first.setdefault((question, document), here)
            if there != here:
                spare[row] = True
                repeats.append(_Repeat(here, there, question, document))
        return spare, sorted(repeats)

    def _report_repeats(self, repeats: list[_Repeat], diagnostics: Diagnostics, *, hint: str | None) -> None:
        pairs = len({(repeat.question, repeat.document) for repeat in repeats})
        in_all = f" In all {pairs:,} pairs of query and document occur more than once." if pairs > 1 and hint else ""
        for here, there, question, document in repeats:
            (number, unit), (first, first_unit) = self._place(here), self._place(there)
            problem = f"document {document!r} is listed twice for query {question!r} (first at {first_unit} {first})."
            where = f"row {number}: " if unit == "row" else ""
            diagnostics.report(where + problem + in_all, line=None if unit == "row" else number, hint=hint)
            in_all = ""  # once is enough

    def _place(self, row: int) -> tuple[int, str]:
        ends = np.cumsum([len(part.questions) for part in self.parts])
        index = int(np.searchsorted(ends, row, side="right"))
        part = self.parts[index]
        return part.numbers[row - int(ends[index]) + len(part.questions)], part.unit


def _suspect_rows(starts: IntArray, documents: pl.Series) -> IntArray:
    """Return the rows whose (question, document) hash occurs more than once, in order."""
    hashes = documents.hash().to_numpy()
    suspects = [_suspects_between(starts[low : high + 1], hashes, low) for low, high in _slices(starts)]
    return np.concatenate([np.empty(0, dtype=np.int64), *suspects])


def _slices(starts: IntArray) -> list[tuple[int, int]]:
    """Cut the questions into slices of about `_SLICE_ROWS` rows: sorting is faster in the processor's cache."""
    last = len(starts) - 1
    cuts = np.unique(np.searchsorted(starts, np.arange(0, starts[-1], _SLICE_ROWS), side="left"))
    bounds = [*cuts[cuts < last].tolist(), last]
    return list(pairwise(bounds))


def _suspects_between(starts: IntArray, hashes: npt.NDArray[np.uint64], first: int) -> IntArray:
    codes = np.arange(first, first + len(starts) - 1, dtype=np.uint64) * _MIX
    mixed = hashes[starts[0] : starts[-1]] ^ np.repeat(codes, np.diff(starts))
    ordered = np.sort(mixed)
    repeated = ordered[1:][ordered[1:] == ordered[:-1]]
    if not len(repeated):
        return np.empty(0, dtype=np.int64)
    rows: IntArray = np.flatnonzero(np.isin(mixed, repeated)).astype(np.int64) + starts[0]
    return rows


class RowCollector:
    """Collects rows one at a time, and what a ranking says besides rows (see `RowBuffer`)."""

    def __init__(self, kind: ValueKind) -> None:
        self.failed: dict[str, str] = {}
        self.empty: list[str] = []
        self.dropped: dict[str, str] = {}
        self._kind = kind
        self._questions: list[str] = []
        self._documents: list[str] = []
        self._values: list[float] = []
        self._lines: list[int] = []

    def add(self, question: str, document: str, value: float, *, line: int) -> None:
        """Add one row."""
        self._questions.append(question)
        self._documents.append(document)
        self._values.append(value)
        self._lines.append(line)

    def buffer(self) -> RowBuffer:
        """Return all rows."""
        rows = Rows(
            pl.Series(self._questions, dtype=pl.String),
            pl.Series(self._documents, dtype=pl.String),
            self._kind.array(self._values),
            self._lines,
        )
        return RowBuffer([rows], self.empty, self.failed, self.dropped)
