"""Any data file as a stream of dicts or of table rows.

JSON lines; one JSON array of objects; one JSON object around such an array, or standing for itself; Parquet; CSV and
TSV with a header. Text may be gzipped. What a file is, is decided by its content, then by its suffix.

A record is a `dict` of plain JSON values (`goldproof.io.parquet` says what becomes of other types); in CSV
every value is text. Its number counts from 1: the line in JSON lines and CSV (for a record over several lines the
last), the position in an array or Parquet file.

A damaged record is reported to the `Diagnostics`, which stop there or count it. What leaves the rest of the file
unreadable (an array that is cut off, a quote that is never closed) always stops.

Rows are numbered from 1; a text format also has lines. JSON lines may have different keys: a missing one is None.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from goldproof.io.columns import shown_names
from goldproof.io.delimited import cut_records, read_csv_records
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.file_layout import Sniffed, sniff
from goldproof.io.json_files import BadJsonError, JsonLine, json_kind, parse_value, read_objects
from goldproof.io.json_stream import CUT_OFF, array_elements, outline
from goldproof.io.parquet import read_parquet_columns, read_parquet_frame
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


class NumberedRecord(NamedTuple):
    """One record and its number, from 1."""

    number: int
    record: dict[str, object]


def read_records(path: Path, diagnostics: Diagnostics | None = None) -> Iterator[NumberedRecord]:
    """Yield the records of a file; without diagnostics the first damaged one raises `FileFormatError`."""
    diagnostics = diagnostics or Diagnostics(path)
    match record_format(path):
        case "array":
            return _array(path, diagnostics)
        case "objects":
            return _objects(path, diagnostics)
        case "lines":
            return _lines(path, diagnostics)
        case "parquet":
            return _parquet(path, diagnostics)
        case "csv":
            return _table(path, ",", diagnostics)
        case "tsv":
            return _table(path, "\t", diagnostics)
    found = read_head(path, whole_line=False).strip()
    if not found:
        raise diagnostics.error("the file is empty.", hint="Was it cut off, or never written?")
    shown = found[:40].decode("utf-8", "replace")
    raise diagnostics.error(f"is not a file of records: it begins with {shown!r}.", hint=_EXPECTED)


def record_format(path: Path) -> RecordFormat | None:
    """Say how the records of a file are written; None where it is empty, or no file of records."""
    # Looked at by a few bytes first: an array may stand on one line as long as the file.
    head = read_head(check_file(path), whole_line=False).removeprefix(UTF8_BOM).lstrip()
    suffix = _suffix(path)
    if not head:
        return None
    if suffix in LINE_SUFFIXES:
        return "lines"
    if head.startswith((b"[", b"{")):
        return "array" if head.startswith(b"[") else "objects"
    found = sniff(path)
    if found.format == "parquet":
        return "parquet"
    return None if found.format == "yaml" or suffix == ".json" else _table_format(found.first_line, suffix)


def _table_format(header: str, suffix: str) -> RecordFormat | None:
    """Tell tables by what separates their columns; without a suffix that says so, a table has at least two."""
    if "\t" in header and suffix != ".csv":
        return "tsv"
    if "," in header or suffix == ".csv":
        return "csv"
    return "tsv" if suffix == ".tsv" else None


def _suffix(path: Path) -> str:
    return Path(path.name.lower().removesuffix(".gz")).suffix


def _table(path: Path, separator: str, diagnostics: Diagnostics) -> Iterator[NumberedRecord]:
    for line, record in read_csv_records(path, separator, diagnostics):
        yield NumberedRecord(line, record)


def _parquet(path: Path, diagnostics: Diagnostics) -> Iterator[NumberedRecord]:
    from goldproof.io.parquet import read_parquet_records  # noqa: PLC0415 - JSON and CSV do without polars

    for number, record in enumerate(read_parquet_records(path, diagnostics), start=1):
        yield NumberedRecord(number, record)


def _objects(path: Path, diagnostics: Diagnostics) -> Iterator[NumberedRecord]:
    """Read what begins with an object: lines, or one document."""
    found = outline(read_chunks(path, size=CHUNK_BYTES))
    if found.goes_on or (not found.closed and _SECOND_LINE.match(read_head(path, whole_line=False).lstrip())):
        return _lines(path, diagnostics)
    if not found.closed:
        raise diagnostics.error("the JSON object is cut off: no bracket closes it.", line=1, hint=CUT_OFF)
    if found.records is None:
        return _one_object(path, diagnostics)
    return _listed(path, found.records, diagnostics)


def _lines(path: Path, diagnostics: Diagnostics) -> Iterator[NumberedRecord]:
    for block in read_blocks(path):
        for number, raw in enumerate(block.data.split(b"\n"), start=block.first_line):
            if raw and not raw.isspace() and (record := _parsed(raw, number, diagnostics)) is not None:
                yield NumberedRecord(number, record)


def _one_object(path: Path, diagnostics: Diagnostics) -> Iterator[NumberedRecord]:
    text = b"".join(read_chunks(path, size=CHUNK_BYTES))
    if (record := _parsed(text, 1, diagnostics)) is not None:
        yield NumberedRecord(1, record)


def _array(path: Path, diagnostics: Diagnostics) -> Iterator[NumberedRecord]:
    pieces = read_chunks(path, size=CHUNK_BYTES)
    head = next(pieces)
    start = head.index(b"[")
    line = 1 + head.count(b"\n", 0, start)
    return _elements(array_elements(chain((head[start + 1 :],), pieces), diagnostics, line=line), diagnostics)


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
        record = _parsed(text, line, diagnostics, element=number)
        if record is not None:
            yield NumberedRecord(number, record)


def _parsed(text: bytes, line: int, diagnostics: Diagnostics, *, element: int = 0) -> dict[str, object] | None:
    """Return the object that a text holds; anything else is reported."""
    try:
        found = parse_value(text)
    except BadJsonError as error:
        problem = str(error)
    else:
        if isinstance(found, dict):
            return found
        problem = f"is {json_kind(found)}, expected a JSON object."
    if element:
        diagnostics.report(f"element {element} of the array {problem}", line=line, unit="element")
    else:
        diagnostics.report(problem, line=line)
    return None


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


def read_text_table(path: Path, diagnostics: Diagnostics, *, sniffed: Sniffed | None = None) -> TextTable:
    """Open a table."""
    found = sniffed or sniff(path)
    if found.format == "parquet":
        header = read_parquet_columns(path, diagnostics)
        return TextTable(header, None, _parquet_rows(path, header, diagnostics))
    if found.format == "jsonl":
        return _json_table(read_objects(path, diagnostics))
    if found.format in _SEPARATORS:
        return _delimited_table(path, _SEPARATORS[found.format], diagnostics)
    raise diagnostics.error("is not a table of rows and columns.", hint=READABLE)


def _parquet_rows(path: Path, header: list[str], diagnostics: Diagnostics) -> Iterator[TableRow]:
    frame = read_parquet_frame(path, header, diagnostics)
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


def _delimited_table(path: Path, separator: Separator, diagnostics: Diagnostics) -> TextTable:
    records = cut_records(path, separator, diagnostics)
    first = next(records, None)
    if first is None:
        raise diagnostics.error("holds no rows.", hint=READABLE)
    header = [name.strip() for name in first.fields]

    def rows() -> Iterator[TableRow]:
        for number, (line, fields) in enumerate(records, start=1):
            if len(fields) != len(header):
                problem = f"found {len(fields)} columns, expected {len(header)} ({shown_names(header)})."
                diagnostics.report(problem, line=line)
                continue
            yield TableRow(number, line, [field.strip(" \t") for field in fields])

    return TextTable(header, first.line, rows())
