"""Flat tables of results from Parquet, CSV, TSV and data frames, read in chunks.

Memory holds a chunk and the conversation that goes on beyond it, never the file. Columns are those of
`goldproof.io.traces.flat_columns`.

Of a conversation with a bad row nothing is used: half of it would give a wrong number. A row without a conversation is
taken to belong to the one before, and spoils it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl

from goldproof.io.diagnostics import Diagnostics
from goldproof.io.parquet import UNREADABLE, not_parquet, read_parquet_columns, to_polars
from goldproof.io.record_files import read_text_table
from goldproof.io.traces.flat_columns import flat_layout, name_column
from goldproof.io.traces.flat_table import Chunk, build_table, clean_rows, run_starts
from goldproof.records.traces import RESULT_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from goldproof.io.file_layout import Sniffed
    from goldproof.io.record_files import TextTable
    from goldproof.io.traces.flat_columns import FlatLayout
    from goldproof.io.traces.flat_table import Problem
    from goldproof.records.arrays import IntArray
    from goldproof.records.traces import TraceTable


_NARROW = 10  # rows without text of their own are so small that a chunk may hold more of them


def read_parquet_traces(path: Path, diagnostics: Diagnostics, *, results_per_batch: int) -> Iterator[TraceTable]:
    """Read a flat table from Parquet."""
    layout = flat_layout(read_parquet_columns(path, diagnostics), diagnostics, line=None)
    wide = layout.fields or any(column in layout.names for column in RESULT_COLUMNS if column != "id")
    size = results_per_batch if wide else results_per_batch * _NARROW
    reader = FlatReader(layout, diagnostics, unit="row")
    return reader.tables(_parquet_chunks(path, layout, size=size, diagnostics=diagnostics))


def _parquet_chunks(path: Path, layout: FlatLayout, *, size: int, diagnostics: Diagnostics) -> Iterator[Chunk]:
    rows = pl.scan_parquet(path, glob=False).select(layout.read)
    first = 0
    while True:
        # A slice at a time: polars' own batches run ahead of the reader and take several times the memory.
        try:
            frame = rows.slice(first, size).collect()
        except UNREADABLE as error:
            raise not_parquet(diagnostics, error) from error
        if len(frame):
            yield Chunk(frame, np.arange(first + 1, first + len(frame) + 1), np.zeros(len(frame), dtype=np.bool_))
        first += len(frame)
        if len(frame) < size:
            return


def read_text_traces(
    path: Path, diagnostics: Diagnostics, *, sniffed: Sniffed, results_per_batch: int
) -> Iterator[TraceTable]:
    """Read a flat table from CSV or TSV."""
    table = read_text_table(path, diagnostics, sniffed=sniffed)
    layout = flat_layout(table.header, diagnostics, line=table.header_line)
    chunks = _text_chunks(table, layout, size=results_per_batch, diagnostics=diagnostics)
    return FlatReader(layout, diagnostics, unit="line").tables(chunks)


def _text_chunks(table: TextTable, layout: FlatLayout, *, size: int, diagnostics: Diagnostics) -> Iterator[Chunk]:
    """Cut rows into chunks. A line that was reported and left out spoils the rows before and after it."""
    rows: list[list[object]] = []
    lines: list[int] = []
    spoilt: set[int] = set()
    reported = diagnostics.total
    for row in table.rows:
        if diagnostics.total != reported:
            reported = diagnostics.total
            spoilt |= {len(rows) - 1, len(rows)}
        rows.append(row.fields)
        lines.append(row.line or row.number)
        if len(rows) > size:
            # The last row stays behind: what comes after it may show that a line was lost.
            yield _text_chunk(table, layout, rows=rows[:-1], lines=lines[:-1], spoilt=spoilt)
            spoilt = {0} if len(rows) - 1 in spoilt else set()
            rows, lines = rows[-1:], lines[-1:]
    if diagnostics.total != reported:
        spoilt.add(len(rows) - 1)
    yield _text_chunk(table, layout, rows=rows, lines=lines, spoilt=spoilt)


def _text_chunk(
    table: TextTable, layout: FlatLayout, *, rows: list[list[object]], lines: list[int], spoilt: set[int]
) -> Chunk:
    columns = zip(*rows, strict=True) if rows else [()] * len(table.header)
    read = set(layout.read)
    series = [
        pl.Series(name, values, dtype=pl.String).replace("", None)
        for name, values in zip(table.header, columns, strict=True)
        if name in read
    ]
    marks = np.zeros(len(rows), dtype=np.bool_)
    marks[[row for row in spoilt if 0 <= row < len(rows)]] = True
    return Chunk(pl.DataFrame(series).select(layout.read), np.asarray(lines, dtype=np.int64), marks)


_TOGETHER_HINT = "Sort the rows by conversation; with polars: frame.sort({column!r}, maintain_order=True)."


class FlatReader:
    """Builds trace tables from chunks of rows."""

    def __init__(self, layout: FlatLayout, diagnostics: Diagnostics, *, unit: Literal["line", "row"]) -> None:
        self._layout = layout
        self._diagnostics = diagnostics
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
        return name_column(rows.frame[self._layout.names["conversation"]], self._diagnostics)

    def _table(self, chunk: Chunk, names: pl.Series, *, starts: IntArray) -> Iterator[TraceTable]:
        filled = _filled(names)
        self._check_together(filled.gather(starts[:-1]).drop_nulls().to_list())
        rows, problems = clean_rows(chunk, filled, starts=starts, layout=self._layout, diagnostics=self._diagnostics)
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
        raise self._diagnostics.error(
            f"conversation {name!r} appears again after others; the rows of a conversation must be contiguous.",
            hint=_TOGETHER_HINT.format(column=self._layout.names["conversation"]),
        )

    def _report(self, problems: list[Problem]) -> set[int]:
        """Report bad rows; return the conversations that they spoil."""
        for problem in sorted(problems):
            if self._unit == "line":
                self._diagnostics.report(problem.text, line=problem.number)
            else:
                self._diagnostics.report(f"row {problem.number}: {problem.text}", line=None, unit="row")
        return {problem.conversation for problem in problems}


def _filled(names: pl.Series) -> pl.Series:
    """Return the conversation of each row, where it is missing that of the row before (or after)."""
    if not names.null_count():
        return names
    return names.fill_null(strategy="forward").fill_null(strategy="backward")


def traces_from_frame(frame: object, *, where: str = "traces") -> Iterator[TraceTable]:
    """Read conversations from a data frame; where: its name in messages."""
    diagnostics = Diagnostics(Path(where))
    rows = to_polars(frame, diagnostics)
    layout = flat_layout(rows.columns, diagnostics, line=None)
    chunk = Chunk(rows.select(layout.read), np.arange(1, len(rows) + 1), np.zeros(len(rows), dtype=np.bool_))
    return FlatReader(layout, diagnostics, unit="row").tables([chunk])
