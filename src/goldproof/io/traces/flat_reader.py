"""Flat tables read in chunks: a table of the conversations that are complete, while the last waits for the next chunk.

Of a conversation with a bad row nothing is used: half of it would give a wrong number. A row without a conversation is
taken to belong to the one before, and spoils it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from goldproof.io.traces.flat import build_table
from goldproof.io.traces.flat_rows import clean_rows, run_starts
from goldproof.io.traces.flat_values import name_column

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import polars as pl

    from goldproof.core.arrays import IntArray
    from goldproof.core.traces import TraceTable
    from goldproof.io.complaints import Complaints
    from goldproof.io.traces.flat_layout import FlatLayout
    from goldproof.io.traces.flat_rows import Chunk, Problem

_TOGETHER_HINT = "Sort the rows by conversation; with polars: frame.sort({column!r}, maintain_order=True)."


class FlatReader:
    """Makes tables of chunks of rows."""

    def __init__(self, layout: FlatLayout, complaints: Complaints, *, unit: Literal["line", "row"]) -> None:
        self._layout = layout
        self._complaints = complaints
        self._unit = unit
        self._seen: set[str] = set()
        self._waiting: Chunk | None = None

    def tables(self, chunks: Iterable[Chunk]) -> Iterator[TraceTable]:
        """Yield a table for each chunk that completes a conversation."""
        pending: Chunk | None = None  # what is known not to be the last
        for chunk in chunks:
            if pending is not None:
                yield from self._feed(pending, last=False)
            pending = chunk
        if pending is not None:
            yield from self._feed(pending, last=True)

    def _feed(self, chunk: Chunk, *, last: bool) -> Iterator[TraceTable]:
        rows = chunk if self._waiting is None else self._waiting.then(chunk)
        names = self._names(rows)
        starts = run_starts(_filled(names))
        if not last:
            starts = starts[:-1]  # the last conversation may go on
        whole = int(starts[-1]) if len(starts) else 0
        self._waiting = rows.between(whole, len(names))
        if whole:
            yield from self._table(rows.between(0, whole), names.head(whole), starts=starts)

    def _names(self, rows: Chunk) -> pl.Series:
        return name_column(rows.frame[self._layout.names["conversation"]], self._complaints)

    def _table(self, chunk: Chunk, names: pl.Series, *, starts: IntArray) -> Iterator[TraceTable]:
        filled = _filled(names)
        self._check_together(filled.gather(starts[:-1]).drop_nulls().to_list())
        rows, problems = clean_rows(chunk, filled, starts=starts, layout=self._layout, complaints=self._complaints)
        column = self._layout.names["conversation"]
        nameless = names.is_null().arg_true().to_list() if names.null_count() else []
        problems += [rows.problem(row, f"the conversation is empty (column {column!r}).") for row in nameless]
        bad = self._report(problems) | set(rows.codes[chunk.spoilt].tolist())
        rows = rows.without(bad) if bad else rows
        table, problems = build_table(rows)
        if problems:
            table = build_table(rows.without(self._report(problems))).table
        if len(table.conversations):
            yield table

    def _check_together(self, names: list[str]) -> None:
        """Refuse a table in which a conversation comes back: part of it may have been used already."""
        fresh = set(names)
        if len(fresh) == len(names) and self._seen.isdisjoint(fresh):
            self._seen |= fresh
            return
        name = next(name for n, name in enumerate(names) if name in self._seen or name in names[:n])
        raise self._complaints.fatal(
            f"conversation {name!r} comes back after others; the rows of a conversation must stand together.",
            hint=_TOGETHER_HINT.format(column=self._layout.names["conversation"]),
        )

    def _report(self, problems: list[Problem]) -> set[int]:
        """Report bad rows; return the conversations that they spoil."""
        for problem in sorted(problems):
            if self._unit == "line":
                self._complaints.add(problem.text, line=problem.number)
            else:
                self._complaints.add(f"row {problem.number}: {problem.text}", line=None, what="row")
        return {problem.conversation for problem in problems}


def _filled(names: pl.Series) -> pl.Series:
    """Return the conversation of each row, where it is missing that of the row before (or after)."""
    if not names.null_count():
        return names
    return names.fill_null(strategy="forward").fill_null(strategy="backward")
