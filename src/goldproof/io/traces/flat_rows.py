"""Rows of a flat table as they come from a file, and cleaned: one type per column, numbered conversations."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from goldproof.core.traces import RESULT_COLUMNS
from goldproof.io.traces.field_rows import open_fields
from goldproof.io.traces.flat_layout import NUMBERS
from goldproof.io.traces.flat_spares import fill_gaps
from goldproof.io.traces.flat_values import (
    error_column,
    gain_column,
    name_column,
    result_id_column,
    text_column,
    whole_column,
)
from goldproof.io.traces.result_plan import ROLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.core.arrays import BoolArray, IntArray
    from goldproof.io.complaints import Complaints
    from goldproof.io.traces.flat_layout import FlatLayout

_COLUMN_NAMES = {**ROLES, "gain": "gain"}
_RESULT_ROLES = (*(ROLES[column] for column in RESULT_COLUMNS), "gain")
_TEXTS = {"cluster": name_column, "question_id": name_column, "result_id": result_id_column, "error": error_column}


class Problem(NamedTuple):
    """What is wrong with a row: its line or row in the file, and the code of its conversation."""

    number: int
    conversation: int
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """Some rows as they are in the file. numbers: the line or row of each. spoilt: next to a line that was lost."""

    frame: pl.DataFrame
    numbers: IntArray
    spoilt: BoolArray

    def between(self, start: int, stop: int) -> Chunk:
        """Return some of the rows."""
        part = slice(start, stop)
        return Chunk(self.frame[part], self.numbers[part], self.spoilt[part])

    def then(self, other: Chunk) -> Chunk:
        """Return these rows and others after them."""
        if not len(self.numbers):
            return other
        return Chunk(
            pl.concat([self.frame, other.frame]),
            np.concatenate([self.numbers, other.numbers]),
            np.concatenate([self.spoilt, other.spoilt]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class FlatRows:
    """Cleaned rows. names: the conversations; codes: which of them each row belongs to, never descending."""

    columns: Mapping[str, pl.Series]
    fields: pl.DataFrame
    numbers: IntArray
    codes: IntArray
    names: pl.Series

    def __len__(self) -> int:
        return len(self.codes)

    def problem(self, row: int, text: str) -> Problem:
        """Return what is wrong with a row."""
        return Problem(int(self.numbers[row]), int(self.codes[row]), text)

    def take(self, rows: IntArray) -> FlatRows:
        """Return some rows, in this order; all conversations keep their codes."""
        return replace(
            self,
            columns={role: column.gather(rows) for role, column in self.columns.items()},
            fields=self.fields[rows] if self.fields.width else self.fields,
            numbers=self.numbers[rows],
            codes=self.codes[rows],
        )

    def without(self, conversations: set[int]) -> FlatRows:
        """Return the rows of the other conversations, numbered anew."""
        kept = np.ones(len(self.names), dtype=np.bool_)
        kept[list(conversations)] = False
        rows = self.take(np.flatnonzero(kept[self.codes]))
        return replace(rows, codes=(np.cumsum(kept) - 1)[rows.codes], names=self.names.filter(pl.Series(kept)))

    def whole(self, role: str) -> IntArray | None:
        """Return a column of whole numbers, 0 where a cell is empty; None where there is no such column."""
        if role not in self.columns:
            return None
        column = self.columns[role]
        numbers: IntArray = (column.fill_null(0) if column.null_count() else column).to_numpy()
        return numbers

    def empty(self, *more: str) -> BoolArray | None:
        """Return which rows hold no result, and nothing in `more` columns either; None where no row is like that."""
        columns = [self.columns[role] for role in (*_RESULT_ROLES, *more) if role in self.columns]
        if not all(column.null_count() for column in columns):
            return None
        nothing: BoolArray = np.logical_and.reduce([column.is_null().to_numpy() for column in columns])
        return nothing if nothing.any() else None


def run_starts(names: pl.Series) -> IntArray:
    """Return where runs of equal names start, and the end."""
    lengths = names.rle().struct.field("len").to_numpy()
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])


class _Cleaning:
    """Columns that are brought to their types one by one. bad: what is wrong with a row."""

    def __init__(self, fields: pl.DataFrame, complaints: Complaints) -> None:
        self.columns: dict[str, pl.Series] = {}
        self.fields = fields
        self.bad: list[tuple[int, str]] = []
        self._complaints = complaints

    def take(self, role: str, column: pl.Series) -> None:
        """Take the column of a role."""
        self.columns[role] = self._clean(column, role)

    def fill(self, role: str, spare: str) -> None:
        """Fill the gaps in the column of a role, all of it where there is none, from a field."""
        if role not in self.columns:
            nothing = pl.Series([None], dtype=pl.Int64 if role == "gain" else pl.String)
            self.columns[role] = nothing.new_from_index(0, len(self.fields))
        self.columns[role], self.fields = fill_gaps(
            self.columns[role], self.fields, role=role, spare=spare, clean=partial(self._clean, role=role)
        )

    def _clean(self, column: pl.Series, role: str) -> pl.Series:
        if role not in NUMBERS and role != "gain":
            return _TEXTS.get(role, text_column)(column, self._complaints)
        gain = role == "gain"
        cells = gain_column(column, self._complaints) if gain else whole_column(column, self._complaints, what=role)
        self.bad += cells.bad.items()
        return cells.values


def clean_rows(
    chunk: Chunk, names: pl.Series, *, starts: IntArray, layout: FlatLayout, complaints: Complaints
) -> tuple[FlatRows, list[Problem]]:
    """Bring every column to its type, and note the cells that cannot be. starts: where conversations start."""
    cleaning = _Cleaning(chunk.frame.select(layout.fields), complaints)
    for role, name in layout.names.items():
        if role != "conversation":
            cleaning.take(role, chunk.frame[name])
        for spare in layout.spares.get(role, ()):
            cleaning.fill(role, spare)
    cleaning.fields = open_fields(cleaning.fields)
    for name in _COLUMN_NAMES.keys() & cleaning.fields.columns:  # from a struct: others of these names are columns
        cleaning.fill(_COLUMN_NAMES[name], name)
    codes = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    rows = FlatRows(cleaning.columns, cleaning.fields, chunk.numbers, codes, names.gather(starts[:-1]))
    return rows, [rows.problem(row, text) for row, text in cleaning.bad]
