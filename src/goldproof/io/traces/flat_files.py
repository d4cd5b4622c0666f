"""Flat traces from files: Parquet in chunks of rows, CSV and TSV line by line.

Memory holds a chunk and the conversation that goes on beyond it, never the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from goldproof.core.traces import RESULT_COLUMNS
from goldproof.io.parquet import UNREADABLE, not_parquet, read_parquet_columns
from goldproof.io.text_table import read_text_table
from goldproof.io.traces.flat_layout import flat_layout
from goldproof.io.traces.flat_reader import FlatReader
from goldproof.io.traces.flat_rows import Chunk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from goldproof.core.traces import TraceTable
    from goldproof.io.complaints import Complaints
    from goldproof.io.sniffing import Sniffed
    from goldproof.io.text_table import TextTable
    from goldproof.io.traces.flat_layout import FlatLayout

_NARROW = 10  # rows without text of their own are so small that a chunk may hold more of them


def read_parquet_traces(path: Path, complaints: Complaints, *, results_per_batch: int) -> Iterator[TraceTable]:
    """Read a flat table from Parquet."""
    layout = flat_layout(read_parquet_columns(path, complaints), complaints, line=None)
    wide = layout.fields or any(column in layout.names for column in RESULT_COLUMNS if column != "id")
    size = results_per_batch if wide else results_per_batch * _NARROW
    reader = FlatReader(layout, complaints, unit="row")
    return reader.tables(_parquet_chunks(path, layout, size=size, complaints=complaints))


def _parquet_chunks(path: Path, layout: FlatLayout, *, size: int, complaints: Complaints) -> Iterator[Chunk]:
    rows = pl.scan_parquet(path, glob=False).select(layout.read)
    first = 0
    while True:
        # A slice at a time: polars' own batches run ahead of the reader and take several times the memory.
        try:
            frame = rows.slice(first, size).collect()
        except UNREADABLE as error:
            raise not_parquet(complaints, error) from error
        if len(frame):
            yield Chunk(frame, np.arange(first + 1, first + len(frame) + 1), np.zeros(len(frame), dtype=np.bool_))
        first += len(frame)
        if len(frame) < size:
            return


def read_text_traces(
    path: Path, complaints: Complaints, *, sniffed: Sniffed, results_per_batch: int
) -> Iterator[TraceTable]:
    """Read a flat table from CSV or TSV."""
    table = read_text_table(path, complaints, sniffed=sniffed)
    layout = flat_layout(table.header, complaints, line=table.header_line)
    chunks = _text_chunks(table, layout, size=results_per_batch, complaints=complaints)
    return FlatReader(layout, complaints, unit="line").tables(chunks)


def _text_chunks(table: TextTable, layout: FlatLayout, *, size: int, complaints: Complaints) -> Iterator[Chunk]:
    """Cut rows into chunks. A line that was reported and left out spoils the rows before and after it."""
    rows: list[list[object]] = []
    lines: list[int] = []
    spoilt: set[int] = set()
    reported = complaints.total
    for row in table.rows:
        if complaints.total != reported:
            reported = complaints.total
            spoilt |= {len(rows) - 1, len(rows)}
        rows.append(row.fields)
        lines.append(row.line or row.number)
        if len(rows) > size:
            # The last row stays behind: what comes after it may show that a line was lost.
            yield _text_chunk(table, layout, rows=rows[:-1], lines=lines[:-1], spoilt=spoilt)
            spoilt = {0} if len(rows) - 1 in spoilt else set()
            rows, lines = rows[-1:], lines[-1:]
    if complaints.total != reported:
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
