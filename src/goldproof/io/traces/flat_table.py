"""Rows of a flat table to conversations, iterations and searches.

Rows of a conversation stand together, in any order inside: they are ordered by iteration, search and rank, whichever
are given, else they stay as they are. Numbers of turns, iterations and searches need not be consecutive: their order
counts. Only the rows of the highest turn are used. A row without a result is a search that found nothing, or that
failed where it has an `error`. A row without an iteration says that nothing was searched, or that the conversation
failed.

All work is on whole columns; a single row is looked at only to say what is wrong with it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from goldproof.io.traces.flat_columns import (
    NUMBERS,
    error_column,
    field_rows,
    fill_gaps,
    gain_column,
    name_column,
    open_fields,
    result_id_column,
    text_column,
    whole_column,
)
from goldproof.io.traces.results import ROLES
from goldproof.records.traces import RESULT_COLUMNS, UNLABELLED, ResultTable, TraceTable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.io.diagnostics import Diagnostics
    from goldproof.io.traces.flat_columns import FlatLayout
    from goldproof.records.arrays import BoolArray, IntArray


_COLUMN_NAMES = {**ROLES, "gain": "gain"}
_RESULT_ROLES = (*(ROLES[column] for column in RESULT_COLUMNS), "gain")
_TEXTS = {"cluster": name_column, "question_id": name_column, "result_id": result_id_column, "error": error_column}
_SEARCH_ROLES = ("search", "rank", "search_query")
_ORDER = ("iteration", "search", "rank")


class Problem(NamedTuple):
    """A problem of a row: its line or row in the file, and the code of its conversation."""

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
        """Return a problem of a row."""
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
    chunk: Chunk, names: pl.Series, *, starts: IntArray, layout: FlatLayout, diagnostics: Diagnostics
) -> tuple[FlatRows, list[Problem]]:
    """Bring every column to its type, and note the cells that do not fit. starts: where conversations start."""
    cleaning = _Cleaning(chunk.frame.select(layout.fields), diagnostics)
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


class _Cleaning:
    """Brings columns to their types one by one. bad: the problems of rows."""

    def __init__(self, fields: pl.DataFrame, diagnostics: Diagnostics) -> None:
        self.columns: dict[str, pl.Series] = {}
        self.fields = fields
        self.bad: list[tuple[int, str]] = []
        self._diagnostics = diagnostics

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
            return _TEXTS.get(role, text_column)(column, self._diagnostics)
        gain = role == "gain"
        cells = gain_column(column, self._diagnostics) if gain else whole_column(column, self._diagnostics, what=role)
        self.bad += cells.bad.items()
        return cells.values


class BuiltTable(NamedTuple):
    """A table, and the problems that spoil it."""

    table: TraceTable
    problems: list[Problem]


class _SearchRows(NamedTuple):
    """The rows of searches, and the conversations that failed."""

    rows: FlatRows
    failed: Mapping[str, str]


class Levels(NamedTuple):
    """The first row of each iteration and of each search, and how many rows there are."""

    iterations: IntArray
    searches: IntArray
    rows: int

    def search_of_row(self) -> IntArray:
        """Return which search each row belongs to."""
        return np.repeat(np.arange(len(self.searches)), np.diff(self.searches, append=self.rows))


class GroupValues(NamedTuple):
    """One value per group, null where it has none; and the rows that differ from the one before."""

    values: pl.Series
    differing: IntArray


def build_table(rows: FlatRows) -> BuiltTable:
    """Build a table from cleaned rows; it is valid only without problems."""
    problems: list[Problem] = []
    rows = _last_turns(rows, problems)
    labels = {role: _conversation_values(rows, role, problems) for role in ("cluster", "question_id", "question_text")}
    searched, failed = _search_rows(rows, problems)
    searched = in_order(searched)
    level_starts = levels(searched)
    empty = _empty(searched, level_starts, problems)
    size = len(level_starts.searches)
    table = TraceTable(
        conversations=rows.names.alias("conversation"),
        clusters=labels["cluster"].alias("cluster"),
        questions=_either(labels["question_id"], rows.names).alias("question"),
        texts=labels["question_text"].alias("text"),
        iteration_starts=_starts(np.bincount(searched.codes[level_starts.iterations], minlength=len(rows.names))),
        search_starts=np.append(np.searchsorted(level_starts.searches, level_starts.iterations), size).astype(np.int64),
        result_starts=_result_starts(level_starts, empty),
        queries=_queries(searched, level_starts, problems),
        results=_results(searched if empty is None else searched.take(np.flatnonzero(~empty))),
        failed_searches=_failed_searches(searched, level_starts, empty=empty, problems=problems),
        failed=MappingProxyType(failed),
    )
    return BuiltTable(table, problems)


def _last_turns(rows: FlatRows, problems: list[Problem]) -> FlatRows:
    """Return the rows of each conversation's highest turn, and those that stand outside any iteration or turn."""
    turns = rows.whole("turn")
    if turns is None or not len(rows):
        return rows
    if not rows.columns["turn"].null_count() and turns.min() == turns.max():  # as in most files
        return rows
    missing = rows.columns["turn"].is_null().to_numpy()
    stray = np.flatnonzero(missing & rows.columns["iteration"].is_not_null().to_numpy())
    problems += [rows.problem(row, "the turn is empty.") for row in stray.tolist()]
    turns = np.where(missing, np.iinfo(np.int64).min, turns)
    firsts = np.flatnonzero(np.diff(rows.codes, prepend=-1))
    kept = missing | (turns == np.maximum.reduceat(turns, firsts)[rows.codes])
    return rows if kept.all() else rows.take(np.flatnonzero(kept))


def _conversation_values(rows: FlatRows, role: str, problems: list[Problem]) -> pl.Series:
    """Return one value per conversation; its rows must agree."""
    groups = len(rows.names)
    if role not in rows.columns:
        return pl.Series([None], dtype=pl.String).new_from_index(0, groups)
    column = rows.columns[role]
    values, differing = group_values(column, rows.codes, groups=groups)
    name = {"question_text": "question"}.get(role, role)
    for row in differing.tolist():
        value, before = column[row], values[int(rows.codes[row])]
        where = f"conversation {rows.names[int(rows.codes[row])]!r}"
        problems.append(rows.problem(row, f"{name} {value[:60]!r} differs within {where}, which had {before[:60]!r}."))
    return values


def _search_rows(rows: FlatRows, problems: list[Problem]) -> _SearchRows:
    """Separate rows without an iteration: nothing was searched there, or the conversation failed."""
    if not rows.columns["iteration"].null_count():
        return _SearchRows(rows, {})
    marks = rows.columns["iteration"].is_null().to_numpy()
    bare = rows.empty(*_SEARCH_ROLES)
    stray = marks if bare is None else marks & ~bare
    problems += [rows.problem(row, "the iteration is empty.") for row in np.flatnonzero(stray).tolist()]
    errors = _errors(rows, marks)
    failed = {int(rows.codes[row]): rows.columns["error"][row] for row in reversed(errors.tolist())}
    kept = ~marks & ~np.isin(rows.codes, list(failed))
    silent = np.isin(rows.codes, rows.codes[kept]) & marks & ~stray
    text = "has no iteration, but the conversation has searches: leave the row out, or number the iteration."
    problems += [rows.problem(row, text) for row in np.flatnonzero(silent).tolist()]
    reasons = {rows.names[code]: reason for code, reason in sorted(failed.items())}
    return _SearchRows(rows.take(np.flatnonzero(kept)), reasons)


def _errors(rows: FlatRows, among: BoolArray) -> IntArray:
    """Return the rows that give the reason of a failure."""
    if "error" not in rows.columns:
        return np.empty(0, dtype=np.int64)
    return np.flatnonzero(rows.columns["error"].is_not_null().to_numpy() & among)


def in_order(rows: FlatRows) -> FlatRows:
    """Return the rows by iteration, search and rank within each conversation."""
    keys = [key for role in _ORDER if (key := rows.whole(role)) is not None]
    if _sorted(rows.codes, keys):
        return rows
    return rows.take(np.lexsort([*reversed(keys), rows.codes]))


def _sorted(codes: IntArray, keys: list[IntArray]) -> bool:
    tied = codes[1:] == codes[:-1]
    for key in keys:
        if bool((tied & (key[1:] < key[:-1])).any()):
            return False
        tied &= key[1:] == key[:-1]
    return True


def levels(rows: FlatRows) -> Levels:
    """Find where iterations and searches begin."""
    new = _changes(rows.codes)
    iteration, search = rows.whole("iteration"), rows.whole("search")
    if iteration is not None:
        new |= _changes(iteration)
    iterations = np.flatnonzero(new)
    if search is None:
        return Levels(iterations, iterations, len(rows))
    new |= _changes(search)
    return Levels(iterations, np.flatnonzero(new), len(rows))


def _empty(rows: FlatRows, level_starts: Levels, problems: list[Problem]) -> BoolArray | None:
    """Return which rows hold no result; such a row is the only one of its search."""
    empty = rows.empty()
    if empty is None:
        return None
    sizes = np.diff(level_starts.searches, append=level_starts.rows)
    crowded = np.flatnonzero(empty & (np.repeat(sizes, sizes) > 1))
    problems += [rows.problem(row, "holds no result, but its search has other rows.") for row in crowded.tolist()]
    return empty


def _result_starts(level_starts: Levels, empty: BoolArray | None) -> IntArray:
    if empty is None:
        return np.append(level_starts.searches, level_starts.rows)
    return _starts(np.bincount(level_starts.search_of_row()[~empty], minlength=len(level_starts.searches)))


def _queries(rows: FlatRows, level_starts: Levels, problems: list[Problem]) -> pl.Series:
    searches = len(level_starts.searches)
    if "search_query" not in rows.columns:
        return pl.Series("query", [None], dtype=pl.String).new_from_index(0, searches)
    column = rows.columns["search_query"]
    values, differing = group_values(column, level_starts.search_of_row(), groups=searches)
    for row in differing.tolist():
        hint = "" if "search" in rows.columns else " (number the searches of an iteration in a column 'search')"
        problems.append(rows.problem(row, f"query {column[row][:60]!r} differs within its search{hint}."))
    return values.alias("query")


def _failed_searches(
    rows: FlatRows, level_starts: Levels, *, empty: BoolArray | None, problems: list[Problem]
) -> IntArray:
    errors = _errors(rows, np.ones(len(rows), dtype=np.bool_))
    for row in errors.tolist():
        if empty is None or not empty[row]:
            error = rows.columns["error"][row][:60]
            problems.append(
                rows.problem(row, f"has both an error ({error!r}) and a result: did the search fail or not?")
            )
    return np.unique(np.searchsorted(level_starts.searches, errors, side="right") - 1)


def _results(rows: FlatRows) -> ResultTable:
    columns = {column: rows.columns[ROLES[column]] for column in RESULT_COLUMNS if ROLES[column] in rows.columns}
    used = [values.alias(column) for column, values in columns.items() if values.null_count() < len(values)]
    gains = rows.columns.get("gain")
    return ResultTable(
        pl.DataFrame(used) if used else pl.DataFrame(height=len(rows)),
        np.full(len(rows), UNLABELLED, dtype=np.int8)
        if gains is None
        else gains.cast(pl.Int8).fill_null(UNLABELLED).to_numpy(),
        field_rows(rows.fields),
    )


def group_values(values: pl.Series, codes: IntArray, *, groups: int) -> GroupValues:
    """Return one value per group of rows. codes: the group of each row, never descending."""
    given_rows = np.flatnonzero(values.is_not_null().to_numpy())
    if not len(given_rows):
        return GroupValues(pl.Series(values.name, [None] * groups, dtype=values.dtype), given_rows)
    if len(given_rows) < len(values):
        values, codes = values.gather(given_rows), codes[given_rows]
    new = _changes(codes)
    differs = ~new
    differs[1:] &= (values.slice(1) != values.slice(0, len(values) - 1)).to_numpy()
    firsts = np.flatnonzero(new)
    if len(firsts) == groups:
        return GroupValues(values.gather(firsts), given_rows[differs])
    spread = pl.Series([None], dtype=pl.Int64).new_from_index(0, groups).scatter(codes[firsts], firsts)
    return GroupValues(values.gather(spread), given_rows[differs])


def _changes(values: IntArray) -> BoolArray:
    changes = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=changes[1:])
    return changes


def _either(first: pl.Series, second: pl.Series) -> pl.Series:
    return first.zip_with(first.is_not_null(), second)


def _starts(counts: IntArray) -> IntArray:
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
