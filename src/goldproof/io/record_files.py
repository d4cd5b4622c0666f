"""Any data file as a stream of records (dicts) or of table rows.

JSON lines; one JSON array of objects; one JSON object around such an array, or standing for itself; Parquet; CSV (with
commas, or semicolons as spreadsheets write it in many countries) and TSV with a header. Text may be gzipped. The
format is decided by the content, then by the suffix.

A record is a `dict` of plain JSON values (`goldproof.io.parquet` says what becomes of other types); in CSV every value
is text, and fields may be quoted, in TSV too. Its number counts from 1: the line in JSON lines and CSV (for a record
over several lines the last), the position in an array or Parquet file. Rows of a table are numbered from 1; a text
format also has lines. JSON lines may have different keys: a missing one is None.

A damaged record is reported to the `Diagnostics`, which stop there or count it. What leaves the rest of the file
unreadable (an array that is cut off, a quote that is never closed) always stops.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from goldproof.io.delimited import Record, csv_separator, cut_records, quoted_records, rows_below
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.file_layout import Sniffed, sniff
from goldproof.io.json_files import BadJsonError, NumberedRecord, parse_object, read_objects
from goldproof.io.json_stream import CUT_OFF, array_elements, outline
from goldproof.io.parquet import read_parquet_columns, read_parquet_frame, read_parquet_records
from goldproof.io.text_files import UTF8_BOM, check_file, read_blocks, read_chunks, read_head

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from goldproof.io.delimited import Separator
    from goldproof.io.json_stream import Element, ListAt


RecordFormat = Literal["array", "objects", "lines", "parquet", "csv", "tsv"]
CHUNK_BYTES = 1 << 18
_SECOND_LINE = re.compile(rb"[^\n]*\n\s*\{")  # no document goes on like this
LINE_SUFFIXES = (".jsonl", ".ndjson", ".jsonlines")
_EXPECTED = "Expected JSON lines, a JSON array of objects, Parquet, or CSV or TSV with a header."
READABLE = "Readable: CSV or TSV with a header, JSONL, Parquet; text may be gzipped."
_SEPARATORS: dict[str, Separator] = {"csv": ",", "tsv": "\t", "blanks": "blanks"}
_HEAD_OBJECTS = 1000


def read_records(path: Path, diagnostics: Diagnostics | None = None) -> Iterator[NumberedRecord]:
    """Yield the records of a file; without diagnostics the first damaged one raises `FileFormatError`."""
    diagnostics = diagnostics or Diagnostics(path)
    match record_format(path):
        case "array":
            return _array(path, diagnostics)
        case "objects":
            return _objects(path, diagnostics)
        case "lines":
            return read_objects(path, diagnostics, nan="null")
        case "parquet":
            return _parquet(path, diagnostics)
        case "csv":
            return _table(path, csv_separator(sniff(path).first_line), diagnostics)
        case "tsv":
            return _table(path, "\t", diagnostics)
    head = read_head(path, whole_line=False).strip()
    if not head:
        raise diagnostics.error("the file is empty.", hint="Was it cut off, or never written?")
    shown = head[:40].decode("utf-8", "replace")
    raise diagnostics.error(f"is not a file of records: it begins with {shown!r}.", hint=_EXPECTED)


def record_format(path: Path) -> RecordFormat | None:
    """Return how the records of a file are written; None where it is empty, or no file of records."""
    # Looked at by a few bytes first: an array may stand on one line as long as the file.
    head = read_head(check_file(path), whole_line=False).removeprefix(UTF8_BOM).lstrip()
    suffix = _suffix(path)
    if not head:
        return None
    if suffix in LINE_SUFFIXES:
        return "lines"
    if head.startswith((b"[", b"{")):
        return "array" if head.startswith(b"[") else "objects"
    sniffed = sniff(path)
    if sniffed.format == "parquet":
        return "parquet"
    return None if sniffed.format == "yaml" or suffix == ".json" else _table_format(sniffed.first_line, suffix)


def _table_format(header: str, suffix: str) -> RecordFormat | None:
    """Recognise a table by its separator; without a telling suffix it has at least two columns."""
    if "\t" in header and suffix != ".csv":
        return "tsv"
    if "," in header or suffix == ".csv":
        return "csv"
    return "tsv" if suffix == ".tsv" else None


def _suffix(path: Path) -> str:
    return Path(path.name.lower().removesuffix(".gz")).suffix


def _array(path: Path, diagnostics: Diagnostics) -> Iterator[NumberedRecord]:
    pieces = read_chunks(path, size=CHUNK_BYTES)
    head = next(pieces)
    start = head.index(b"[")
    line = 1 + head.count(b"\n", 0, start)
    return _elements(array_elements(chain((head[start + 1 :],), pieces), diagnostics, line=line), diagnostics)


def _objects(path: Path, diagnostics: Diagnostics) -> Iterator[NumberedRecord]:
    """Read a file that begins with an object: JSON lines, or one document."""
    shape = outline(read_chunks(path, size=CHUNK_BYTES))
    if shape.goes_on or (not shape.closed and _SECOND_LINE.match(read_head(path, whole_line=False).lstrip())):
        return read_objects(path, diagnostics, nan="null")
    if not shape.closed:
        raise diagnostics.error("the JSON object is cut off: no bracket closes it.", line=1, hint=CUT_OFF)
    if shape.records is None:
        return _one_object(path, diagnostics)
    return _listed(path, shape.records, diagnostics)


def _listed(path: Path, start: ListAt, diagnostics: Diagnostics) -> Iterator[NumberedRecord]:
    pieces = _after(start.offset + 1, read_chunks(path, size=CHUNK_BYTES))
    return _elements(array_elements(pieces, diagnostics, line=start.line, whole=False), diagnostics)


def _after(offset: int, pieces: Iterator[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        if offset < len(piece):
            yield piece[offset:]
        offset = max(0, offset - len(piece))


def _elements(elements: Iterable[Element], diagnostics: Diagnostics) -> Iterator[NumberedRecord]:
    for number, line, text in elements:
        try:
            record = parse_object(text, nan="null")
        except BadJsonError as error:
            diagnostics.report(f"element {number} of the array {error}", line=line, unit="element")
        else:
            yield NumberedRecord(number, record)


def _one_object(path: Path, diagnostics: Diagnostics) -> Iterator[NumberedRecord]:
    try:
        yield NumberedRecord(1, parse_object(b"".join(read_chunks(path, size=CHUNK_BYTES)), nan="null"))
    except BadJsonError as error:
        diagnostics.report(str(error), line=1)


def _parquet(path: Path, diagnostics: Diagnostics) -> Iterator[NumberedRecord]:
    for number, record in enumerate(read_parquet_records(path, diagnostics), start=1):
        yield NumberedRecord(number, record)


def _table(path: Path, separator: str, diagnostics: Diagnostics) -> Iterator[NumberedRecord]:
    """Yield the records of a table with a header."""
    rows = (row for row in quoted_records(read_blocks(path), diagnostics, separator=separator) if any(row.fields))
    header = _csv_header(next(rows, None), diagnostics)
    for line, fields in rows_below(header, rows, diagnostics):
        yield NumberedRecord(line, dict(zip(header, fields, strict=True)))


def _csv_header(row: Record | None, diagnostics: Diagnostics) -> list[str]:
    if row is None:
        raise diagnostics.error("the header cannot be read.", line=1)
    header = [name.strip() for name in row.fields]
    for name in header:
        if header.count(name) > 1:
            raise diagnostics.error(f"column {name!r} occurs twice.", line=row.line, hint="Rename one of them.")
    return header


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


def read_text_table(path: Path, diagnostics: Diagnostics, *, sniffed: Sniffed | None = None) -> TextTable:
    """Open a table of any format."""
    sniffed = sniffed or sniff(path)
    if sniffed.format == "parquet":
        header = read_parquet_columns(path, diagnostics)
        return TextTable(header, None, _parquet_rows(path, header, diagnostics))
    if sniffed.format == "jsonl":
        return _json_table(read_objects(path, diagnostics))
    if sniffed.format in _SEPARATORS:
        return _delimited_table(path, _SEPARATORS[sniffed.format], diagnostics)
    raise diagnostics.error("is not a table of rows and columns.", hint=READABLE)


def _parquet_rows(path: Path, header: list[str], diagnostics: Diagnostics) -> Iterator[TableRow]:
    frame = read_parquet_frame(path, header, diagnostics)
    for number, row in enumerate(frame.iter_rows(), start=1):
        yield TableRow(number, None, list(row))


def _json_table(objects: Iterator[NumberedRecord]) -> TextTable:
    # The keys of the first objects are the header; optional ones may show up only later.
    head = [line for _, line in zip(range(_HEAD_OBJECTS), objects, strict=False)]
    header = list(dict.fromkeys(key for line in head for key in line.record))
    return TextTable(header, head[0].number if head else None, _json_rows(chain(head, objects), header))


def _json_rows(objects: Iterable[NumberedRecord], header: list[str]) -> Iterator[TableRow]:
    for number, (line, record) in enumerate(objects, start=1):
        yield TableRow(number, line, [record.get(key) for key in header])


def _delimited_table(path: Path, separator: Separator, diagnostics: Diagnostics) -> TextTable:
    records = cut_records(path, separator, diagnostics)
    first = next(records, None)
    if first is None:
        raise diagnostics.error("holds no rows.", hint=READABLE)
    header = [name.strip() for name in first.fields]
    rows = enumerate(rows_below(header, records, diagnostics), start=1)
    trimmed = (TableRow(number, line, [field.strip(" \t") for field in fields]) for number, (line, fields) in rows)
    return TextTable(header, first.line, trimmed)
