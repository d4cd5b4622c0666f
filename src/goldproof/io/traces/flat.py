"""A flat table of results, one row each, as traces.

Rows of a conversation stand together, in any order inside: they are ordered by iteration, search and rank, whichever
are given, else they stay as they are. Numbers of turns, iterations and searches need not be consecutive: their order
counts. Only the rows of the highest turn are used. A row without a result is a search that found nothing, or that
failed where it has an `error`. A row without an iteration says that nothing was searched, or that the conversation
failed.

All is done on whole columns; a row is looked at on its own only to say what is wrong with it.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from goldproof.core.traces import RESULT_COLUMNS, UNLABELLED, ResultTable, TraceTable
from goldproof.io.traces.field_rows import field_rows
from goldproof.io.traces.flat_levels import group_values, in_order, levels
from goldproof.io.traces.result_plan import ROLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.core.arrays import BoolArray, IntArray
    from goldproof.io.traces.flat_levels import Levels
    from goldproof.io.traces.flat_rows import FlatRows, Problem

_SEARCH_ROLES = ("search", "rank", "search_query")


class Built(NamedTuple):
    """A table, and the rows that spoil it."""

    table: TraceTable
    problems: list[Problem]


class _Searched(NamedTuple):
    """The rows of searches, and the conversations that failed."""

    rows: FlatRows
    failed: Mapping[str, str]


def build_table(rows: FlatRows) -> Built:
    """Make a table of cleaned rows; it is of use only if no row spoils it."""
    problems: list[Problem] = []
    rows = _last_turns(rows, problems)
    told = {role: _told(rows, role, problems) for role in ("cluster", "question_id", "question_text")}
    searched, failed = _searched(rows, problems)
    searched = in_order(searched)
    found = levels(searched)
    empty = _empty(searched, found, problems)
    size = len(found.searches)
    table = TraceTable(
        conversations=rows.names.alias("conversation"),
        clusters=told["cluster"].alias("cluster"),
        questions=_either(told["question_id"], rows.names).alias("question"),
        texts=told["question_text"].alias("text"),
        iteration_starts=_starts(np.bincount(searched.codes[found.iterations], minlength=len(rows.names))),
        search_starts=np.append(np.searchsorted(found.searches, found.iterations), size).astype(np.int64),
        result_starts=_result_starts(found, empty),
        queries=_queries(searched, found, problems),
        results=_results(searched if empty is None else searched.take(np.flatnonzero(~empty))),
        failed_searches=_failed_searches(searched, found, empty=empty, problems=problems),
        failed=MappingProxyType(failed),
    )
    return Built(table, problems)


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


def _told(rows: FlatRows, role: str, problems: list[Problem]) -> pl.Series:
    """Return what is said of each conversation; its rows must not say two things."""
    groups = len(rows.names)
    if role not in rows.columns:
        return pl.Series([None], dtype=pl.String).new_from_index(0, groups)
    column = rows.columns[role]
    values, differing = group_values(column, rows.codes, groups=groups)
    name = {"question_text": "question"}.get(role, role)
    for row in differing.tolist():
        said, before = column[row], values[int(rows.codes[row])]
        where = f"conversation {rows.names[int(rows.codes[row])]!r}"
        problems.append(rows.problem(row, f"{name} {said[:60]!r} differs within {where}, which had {before[:60]!r}."))
    return values


def _searched(rows: FlatRows, problems: list[Problem]) -> _Searched:
    """Set apart the rows without an iteration, which say that nothing was searched or that the conversation failed."""
    if not rows.columns["iteration"].null_count():
        return _Searched(rows, {})
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
    return _Searched(rows.take(np.flatnonzero(kept)), reasons)


def _errors(rows: FlatRows, among: BoolArray) -> IntArray:
    """Return the rows that say why something failed."""
    if "error" not in rows.columns:
        return np.empty(0, dtype=np.int64)
    return np.flatnonzero(rows.columns["error"].is_not_null().to_numpy() & among)


def _empty(rows: FlatRows, found: Levels, problems: list[Problem]) -> BoolArray | None:
    """Return which rows hold no result; such a row is the only one of its search."""
    empty = rows.empty()
    if empty is None:
        return None
    sizes = np.diff(found.searches, append=found.rows)
    crowded = np.flatnonzero(empty & (np.repeat(sizes, sizes) > 1))
    problems += [rows.problem(row, "holds no result, but its search has other rows.") for row in crowded.tolist()]
    return empty


def _result_starts(found: Levels, empty: BoolArray | None) -> IntArray:
    if empty is None:
        return np.append(found.searches, found.rows)
    return _starts(np.bincount(found.search_of_row()[~empty], minlength=len(found.searches)))


def _queries(rows: FlatRows, found: Levels, problems: list[Problem]) -> pl.Series:
    searches = len(found.searches)
    if "search_query" not in rows.columns:
        return pl.Series("query", [None], dtype=pl.String).new_from_index(0, searches)
    column = rows.columns["search_query"]
    values, differing = group_values(column, found.search_of_row(), groups=searches)
    for row in differing.tolist():
        hint = "" if "search" in rows.columns else " (number the searches of an iteration in a column 'search')"
        problems.append(rows.problem(row, f"query {column[row][:60]!r} differs within its search{hint}."))
    return values.alias("query")


def _failed_searches(rows: FlatRows, found: Levels, *, empty: BoolArray | None, problems: list[Problem]) -> IntArray:
    errors = _errors(rows, np.ones(len(rows), dtype=np.bool_))
    for row in errors.tolist():
        if empty is None or not empty[row]:
            said = rows.columns["error"][row][:60]
            problems.append(
                rows.problem(row, f"has both an error ({said!r}) and a result: did the search fail or not?")
            )
    return np.unique(np.searchsorted(found.searches, errors, side="right") - 1)


def _results(rows: FlatRows) -> ResultTable:
    given = {column: rows.columns[ROLES[column]] for column in RESULT_COLUMNS if ROLES[column] in rows.columns}
    used = [values.alias(column) for column, values in given.items() if values.null_count() < len(values)]
    gains = rows.columns.get("gain")
    return ResultTable(
        pl.DataFrame(used) if used else pl.DataFrame(height=len(rows)),
        np.full(len(rows), UNLABELLED, dtype=np.int8)
        if gains is None
        else gains.cast(pl.Int8).fill_null(UNLABELLED).to_numpy(),
        field_rows(rows.fields),
    )


def _either(first: pl.Series, second: pl.Series) -> pl.Series:
    return first.zip_with(first.is_not_null(), second)


def _starts(counts: IntArray) -> IntArray:
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
