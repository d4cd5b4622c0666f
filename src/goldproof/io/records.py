"""Records of a data file, one after the other with flat memory, whatever the format.

JSON lines; one JSON array of objects; one JSON object around such an array, or standing for itself; Parquet; CSV and
TSV with a header. Text may be gzipped. What a file is, is decided by its content, then by its suffix.

A record is a `dict` of plain JSON values (`goldproof.io.parquet_records` says what becomes of other types); in CSV
every value is text. Its number counts from 1: the line in JSON lines and CSV (for a record over several lines the
last), the position in an array or Parquet file.

A damaged record is reported to the `Complaints`, which stop there or count it. What leaves the rest of the file
unreadable (an array that is cut off, a quote that is never closed) always stops.
"""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from goldproof.io.complaints import Complaints
from goldproof.io.csv_records import read_csv_records
from goldproof.io.json_array import CUT_OFF, array_elements
from goldproof.io.json_outline import outline
from goldproof.io.json_values import BadJsonError, parse_value
from goldproof.io.jsonl import json_kind
from goldproof.io.opening import UTF8_BOM, check_file, read_blocks, read_chunks, read_head
from goldproof.io.sniffing import sniff

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from goldproof.io.json_array import Element
    from goldproof.io.json_outline import ListAt

RecordFormat = Literal["array", "objects", "lines", "parquet", "csv", "tsv"]
CHUNK_BYTES = 1 << 18
_SECOND_LINE = re.compile(rb"[^\n]*\n\s*\{")  # no document goes on like this
LINE_SUFFIXES = (".jsonl", ".ndjson", ".jsonlines")
_EXPECTED = "Expected JSON lines, a JSON array of objects, Parquet, or CSV or TSV with a header."


class RecordAt(NamedTuple):
    """One record and its number, from 1."""

    number: int
    record: dict[str, object]


def read_records(path: Path, complaints: Complaints | None = None) -> Iterator[RecordAt]:
    """Yield the records of a file; without complaints the first damaged one raises `FileFormatError`."""
    complaints = complaints or Complaints(path)
    match record_format(path):
        case "array":
            return _array(path, complaints)
        case "objects":
            return _objects(path, complaints)
        case "lines":
            return _lines(path, complaints)
        case "parquet":
            return _parquet(path, complaints)
        case "csv":
            return _table(path, ",", complaints)
        case "tsv":
            return _table(path, "\t", complaints)
    found = read_head(path, whole_line=False).strip()
    if not found:
        raise complaints.fatal("the file is empty.", hint="Was it cut off, or never written?")
    shown = found[:40].decode("utf-8", "replace")
    raise complaints.fatal(f"is not a file of records: it begins with {shown!r}.", hint=_EXPECTED)


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


def _table(path: Path, separator: str, complaints: Complaints) -> Iterator[RecordAt]:
    for line, record in read_csv_records(path, separator, complaints):
        yield RecordAt(line, record)


def _parquet(path: Path, complaints: Complaints) -> Iterator[RecordAt]:
    from goldproof.io.parquet_records import read_parquet_records  # noqa: PLC0415 - JSON and CSV do without polars

    for number, record in enumerate(read_parquet_records(path, complaints), start=1):
        yield RecordAt(number, record)


def _objects(path: Path, complaints: Complaints) -> Iterator[RecordAt]:
    """Read what begins with an object: lines, or one document."""
    found = outline(read_chunks(path, size=CHUNK_BYTES))
    if found.goes_on or (not found.closed and _SECOND_LINE.match(read_head(path, whole_line=False).lstrip())):
        return _lines(path, complaints)
    if not found.closed:
        raise complaints.fatal("the JSON object is cut off: no bracket closes it.", line=1, hint=CUT_OFF)
    if found.records is None:
        return _one_object(path, complaints)
    return _listed(path, found.records, complaints)


def _lines(path: Path, complaints: Complaints) -> Iterator[RecordAt]:
    for block in read_blocks(path):
        for number, raw in enumerate(block.data.split(b"\n"), start=block.first_line):
            if raw and not raw.isspace() and (record := _parsed(raw, number, complaints)) is not None:
                yield RecordAt(number, record)


def _one_object(path: Path, complaints: Complaints) -> Iterator[RecordAt]:
    text = b"".join(read_chunks(path, size=CHUNK_BYTES))
    if (record := _parsed(text, 1, complaints)) is not None:
        yield RecordAt(1, record)


def _array(path: Path, complaints: Complaints) -> Iterator[RecordAt]:
    pieces = read_chunks(path, size=CHUNK_BYTES)
    head = next(pieces)
    start = head.index(b"[")
    line = 1 + head.count(b"\n", 0, start)
    return _elements(array_elements(chain((head[start + 1 :],), pieces), complaints, line=line), complaints)


def _listed(path: Path, start: ListAt, complaints: Complaints) -> Iterator[RecordAt]:
    pieces = _after(start.offset + 1, read_chunks(path, size=CHUNK_BYTES))
    return _elements(array_elements(pieces, complaints, line=start.line, whole=False), complaints)


def _after(offset: int, pieces: Iterator[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        if offset < len(piece):
            yield piece[offset:]
        offset = max(0, offset - len(piece))


def _elements(elements: Iterable[Element], complaints: Complaints) -> Iterator[RecordAt]:
    for number, line, text in elements:
        record = _parsed(text, line, complaints, element=number)
        if record is not None:
            yield RecordAt(number, record)


def _parsed(text: bytes, line: int, complaints: Complaints, *, element: int = 0) -> dict[str, object] | None:
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
        complaints.add(f"element {element} of the array {problem}", line=line, what="element")
    else:
        complaints.add(problem, line=line)
    return None
