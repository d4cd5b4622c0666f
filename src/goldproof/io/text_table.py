"""A table of any format, row by row: CSV, TSV, JSON lines and Parquet look the same to the reader of small tables.

Rows are numbered from 1; a text format also has lines. JSON lines may have different keys: a missing one is None.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from goldproof.io.columns import shown_names
from goldproof.io.delimited import cut_records
from goldproof.io.jsonl import JsonLine, read_objects
from goldproof.io.parquet import read_parquet_columns, read_parquet_frame
from goldproof.io.sniffing import Sniffed, sniff

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from goldproof.io.complaints import Complaints
    from goldproof.io.layout import Separator

READABLE = "Readable: CSV or TSV with a header, JSONL, Parquet; text may be gzipped."
_SEPARATORS: dict[str, Separator] = {"csv": ",", "tsv": "\t", "blanks": "blanks"}
_HEAD_OBJECTS = 1000


class TableRow(NamedTuple):
    """One row: its number, its line (None in Parquet), and its fields in the order of the header."""

    number: int
    line: int | None
    fields: list[object]


@dataclass(frozen=True, slots=True)
class TextTable:
    """A header (on `header_line`, where there is one) and rows, read as they are asked for."""

    header: list[str]
    header_line: int | None
    rows: Iterator[TableRow]


def read_text_table(path: Path, complaints: Complaints, *, sniffed: Sniffed | None = None) -> TextTable:
    """Open a table."""
    found = sniffed or sniff(path)
    if found.format == "parquet":
        header = read_parquet_columns(path, complaints)
        return TextTable(header, None, _parquet_rows(path, header, complaints))
    if found.format == "jsonl":
        return _json_table(read_objects(path, complaints))
    if found.format in _SEPARATORS:
        return _delimited_table(path, _SEPARATORS[found.format], complaints)
    raise complaints.fatal("is not a table of rows and columns.", hint=READABLE)


def _parquet_rows(path: Path, header: list[str], complaints: Complaints) -> Iterator[TableRow]:
    frame = read_parquet_frame(path, header, complaints)
    for number, row in enumerate(frame.iter_rows(), start=1):
        yield TableRow(number, None, list(row))


def _json_table(objects: Iterator[JsonLine]) -> TextTable:
    # The keys of the first objects are the header; optional ones may show up only later.
    head = [line for _, line in zip(range(_HEAD_OBJECTS), objects, strict=False)]
    header = list(dict.fromkeys(key for line in head for key in line.record))
    return TextTable(header, head[0].number if head else None, _json_rows(chain(head, objects), header))


def _json_rows(objects: Iterable[JsonLine], header: list[str]) -> Iterator[TableRow]:
    for number, (line, record) in enumerate(objects, start=1):
        yield TableRow(number, line, [record.get(key) for key in header])


def _delimited_table(path: Path, separator: Separator, complaints: Complaints) -> TextTable:
    records = cut_records(path, separator, complaints)
    first = next(records, None)
    if first is None:
        raise complaints.fatal("holds no rows.", hint=READABLE)
    header = [name.strip() for name in first.fields]

    def rows() -> Iterator[TableRow]:
        for number, (line, fields) in enumerate(records, start=1):
            if len(fields) != len(header):
                problem = f"found {len(fields)} columns, expected {len(header)} ({shown_names(header)})."
                complaints.add(problem, line=line)
                continue
            yield TableRow(number, line, [field.strip(" \t") for field in fields])

    return TextTable(header, first.line, rows())
