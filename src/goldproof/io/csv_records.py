"""Records of CSV and TSV files with a header: every value is text, as it stands.

Fields may be quoted as spreadsheets and Python write them, in TSV as well: line breaks and separators inside a quoted
field belong to it, a quote inside is doubled. A record is known by the line on which it ends.
"""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, NamedTuple

from goldproof.io.columns import shown_names
from goldproof.io.opening import read_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from goldproof.io.complaints import Complaints

_FIELD_LIMIT = 2**31 - 1


class Row(NamedTuple):
    """The fields of one record, and the line on which it ends."""

    line: int
    fields: list[str]


class CsvRecord(NamedTuple):
    """One record by column name."""

    line: int
    record: dict[str, object]


def read_csv_records(path: Path, separator: str, complaints: Complaints) -> Iterator[CsvRecord]:
    """Yield the records of a file; one of another width than the header is reported and left out."""
    rows = _rows(path, separator, complaints)
    header = _header(next(rows, None), complaints)
    for line, fields in rows:
        if len(fields) != len(header):
            problem = f"found {len(fields)} columns, expected {len(header)} ({shown_names(header)})."
            complaints.add(problem, line=line)
            continue
        yield CsvRecord(line, dict(zip(header, fields, strict=True)))


def _header(row: Row | None, complaints: Complaints) -> list[str]:
    if row is None:
        raise complaints.fatal("the header cannot be read.", line=1)
    header = [name.strip() for name in row.fields]
    for name in header:
        if header.count(name) > 1:
            raise complaints.fatal(f"column {name!r} occurs twice.", line=row.line, hint="Rename one of them.")
    return header


def _rows(path: Path, separator: str, complaints: Complaints) -> Iterator[Row]:
    lines = _Lines(path)
    reader = csv.reader(lines, delimiter=separator, strict=True)
    while True:
        start = lines.number + 1
        try:
            fields = _next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            if lines.number != start or "unexpected end of data" in str(error):
                raise complaints.fatal(
                    f"a quote that opens here takes in all up to line {lines.number} ({error}).",
                    line=start,
                    hint='Close the quote; a quote inside a quoted field is doubled ("").',
                ) from error
            complaints.add(f"is not well-formed CSV ({error}).", line=start)
            continue
        if lines.bad >= start:
            complaints.add("is not UTF-8.", line=lines.bad, hint="Save the file as UTF-8.")
        elif any(fields):
            yield Row(lines.number, fields)


def _next(reader: Iterator[list[str]]) -> list[str]:
    """Return the next row whatever the length of its fields: csv's limit is one for the whole process."""
    before = csv.field_size_limit(_FIELD_LIMIT)
    try:
        return next(reader)
    finally:
        csv.field_size_limit(before)


class _Lines:
    """The lines of a file as text with their ends; `number` is the last one given, `bad` the last that is not UTF-8."""

    def __init__(self, path: Path) -> None:
        self.number = 0
        self.bad = 0
        self._lines = (line for block in read_blocks(path) for line in block.data.splitlines(keepends=True))

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.number += 1
        try:
            return line.decode("utf-8")
        except UnicodeDecodeError:
            self.bad = self.number
            return line.decode("utf-8", "replace")
