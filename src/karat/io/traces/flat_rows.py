"""Rows of a flat table as they come from a file, and cleaned: one type per column, numbered conversations."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from karat.core.traces import RESULT_COLUMNS
from karat.io.traces.flat_layout import NUMBERS
from karat.io.traces.flat_values import (
    error_column,
    gain_column,
    name_column,
    result_id_column,
    text_column,
    whole_column,
)
from karat.io.traces.result_plan import ROLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from karat.core.arrays import BoolArray, IntArray
    from karat.io.complaints import Complaints
    from karat.io.traces.flat_layout import FlatLayout

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


def clean_rows(
    chunk: Chunk, names: pl.Series, *, starts: IntArray, layout: FlatLayout, complaints: Complaints
) -> tuple[FlatRows, list[Problem]]:
    """Bring every column to its type, and note the cells that cannot be. starts: where conversations start."""
    columns: dict[str, pl.Series] = {}
    bad: list[tuple[int, str]] = []
    for role, name in layout.names.items():
        column = chunk.frame[name]
        if role in NUMBERS:
            columns[role], cells = whole_column(column, complaints, what=role)
            bad += cells.items()
        elif role == "gain":
            columns[role], cells = gain_column(column, complaints)
            bad += cells.items()
        elif role != "conversation":
            columns[role] = _TEXTS.get(role, text_column)(column, complaints)
    codes = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    rows = FlatRows(columns, chunk.frame.select(layout.fields), chunk.numbers, codes, names.gather(starts[:-1]))
    return rows, [rows.problem(row, text) for row, text in bad]
