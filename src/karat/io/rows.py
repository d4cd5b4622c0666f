"""Rows as they are read, and how they become a table: grouped by question, no document twice.

Duplicates are looked for by a 64-bit hash of (question, document): equal neighbours after sorting. Only where hashes
meet are the names themselves compared, so ten million rows cost one hash and one sort.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl

from karat.core.tables import JudgmentTable, RankingTable, group_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from karat.core.tables import BoolArray, FloatArray, IntArray
    from karat.io.complaints import Complaints

_MIX = np.uint64(0x9E3779B97F4A7C15)
_SLICE_ROWS = 1 << 16


@dataclass(frozen=True, slots=True)
class Rows:
    """Some rows of a file: numbers[i] is the line of row i, or its row where the format has no lines (Parquet)."""

    questions: pl.Series
    documents: pl.Series
    values: FloatArray | IntArray
    numbers: Sequence[int]
    unit: Literal["line", "row"] = "line"


@dataclass(slots=True)
class RowBuffer:
    """Rows collected while reading, and what a ranking says besides rows.

    empty: questions with an empty result list; failed: question -> why the system failed.
    """

    parts: list[Rows] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)

    def judgments(self, complaints: Complaints) -> JudgmentTable:
        """Group the rows into judgments."""
        questions, starts, documents, values = self._grouped(complaints, np.empty(0, dtype=np.int64))
        return JudgmentTable(questions, starts, documents, values.astype(np.int64, copy=False))

    def ranking(self, complaints: Complaints) -> RankingTable:
        """Group the rows into a ranking."""
        questions, starts, documents, values = self._grouped(complaints, np.empty(0, dtype=np.float64))
        if self.empty:
            questions = pl.concat([questions, pl.Series("question", self.empty, dtype=pl.String)])
            starts = np.concatenate([starts, np.full(len(self.empty), starts[-1], dtype=np.int64)])
        return RankingTable(questions, starts, documents, values.astype(np.float64, copy=False), dict(self.failed))

    def _grouped(
        self, complaints: Complaints, nothing: FloatArray | IntArray
    ) -> tuple[pl.Series, IntArray, pl.Series, FloatArray | IntArray]:
        none = pl.Series("", [], dtype=pl.String)
        questions = pl.concat([p.questions.rename("question") for p in self.parts] or [none], rechunk=False)
        documents = pl.concat([p.documents.rename("document") for p in self.parts] or [none], rechunk=False)
        values = np.concatenate([nothing, *(p.values for p in self.parts)])
        distinct, starts, order = group_rows(questions)
        if order is not None:
            questions, documents, values = questions.gather(order), documents.gather(order), values[order]
        spare = self._duplicates(distinct, starts, documents, order=order, complaints=complaints)
        if spare is not None:
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
        complaints: Complaints,
    ) -> BoolArray | None:
        suspects = _suspect_rows(starts, documents)
        if not len(suspects):
            return None
        spare = np.zeros(len(documents), dtype=np.bool_)
        first: dict[tuple[str, str], int] = {}
        groups = np.searchsorted(starts, suspects, side="right") - 1
        names = zip(questions.gather(groups).to_list(), documents.gather(suspects).to_list(), strict=True)
        repeats: list[tuple[int, int, str, str]] = []
        for row, (question, document) in zip(suspects.tolist(), names, strict=True):
            here = row if order is None else int(order[row])
            there = first.setdefault((question, document), here)
            if there != here:
                spare[row] = True
                repeats.append((here, there, question, document))
        for here, there, question, document in sorted(repeats):
            self._report_repeat(here, there, names=(question, document), complaints=complaints)
        return spare if repeats else None

    def _report_repeat(self, here: int, there: int, *, names: tuple[str, str], complaints: Complaints) -> None:
        question, document = names
        (number, unit), (first, first_unit) = self._place(here), self._place(there)
        problem = f"document {document!r} is listed twice for query {question!r} (first at {first_unit} {first})."
        if unit == "row":
            complaints.add(f"row {number}: {problem}", line=None)
        else:
            complaints.add(problem, line=number)

    def _place(self, row: int) -> tuple[int, str]:
        ends = np.cumsum([len(part.questions) for part in self.parts])
        index = int(np.searchsorted(ends, row, side="right"))
        part = self.parts[index]
        return part.numbers[row - int(ends[index]) + len(part.questions)], part.unit


def _suspect_rows(starts: IntArray, documents: pl.Series) -> IntArray:
    """Return the rows whose (question, document) hash occurs more than once, in order."""
    hashes = documents.hash().to_numpy()
    found = [_suspects_between(starts[low : high + 1], hashes, low) for low, high in _slices(starts)]
    return np.concatenate([np.empty(0, dtype=np.int64), *found])


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
