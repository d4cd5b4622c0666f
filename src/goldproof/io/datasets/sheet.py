"""The sheet in which people grade documents: CSV that spreadsheets open, one row for each question and document.

    query_id, doc_id, question, title, text, grade

`grade` is empty; people write 2 (answers the question), 1 (bears on it) or 0. The file is UTF-8 with a byte-order mark,
without which Excel takes it for Latin-1, and all cells are quoted. A spreadsheet would run a cell that begins with
`=`, `+`, `-` or `@` as a formula, and turns ids such as `007`, `1-2` or `MARCH1` into numbers and dates. An apostrophe
before them prevents both; `from_cell` takes it off again, and off nothing else, so that ids come back as they were.

Texts are for reading only. What no cell can hold is left out of them: control characters, and all beyond the 32,000
characters that Excel takes, with a note of how much is missing.
"""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from goldproof.errors import ConflictError, GoldproofError
from goldproof.io.atomic_files import write_hashed
from goldproof.io.columns import normal_name
from goldproof.io.record_files import read_records
from goldproof.io.text_files import UTF8_BOM

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

COLUMNS = ("query_id", "doc_id", "question", "title", "text", "grade")
LONGEST = 32_000  # UTF-16 units; a cell of Excel holds 32,767
_FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]")
_PLAIN_NUMBER = re.compile(r"0|[1-9][0-9]{0,14}")
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_CONVERTED = re.compile(rf"[.,]?\d.*|{_MONTH}[ ./-]?\d+|true|false|\s.*|.*\s", re.IGNORECASE | re.DOTALL)
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


class SheetRow(NamedTuple):
    """A question and a document to be graded."""

    query_id: str
    doc_id: str
    question: str
    title: str
    text: str


def write_sheet(path: Path | str, rows: Iterable[SheetRow], *, force: bool = False) -> str:
    """Write the sheet, whole or not at all; return its sha256. force: replace a file that is there, whatever it is."""
    check_sheet_target(path, force=force)
    return write_hashed(path, _lines(rows))


def _lines(rows: Iterable[SheetRow]) -> Iterator[bytes]:
    yield UTF8_BOM + _line(COLUMNS)
    for row in rows:
        yield _line((as_cell(row.query_id), as_cell(row.doc_id), *map(_text_cell, row[2:]), ""))


def _line(cells: Iterable[str]) -> bytes:
    written = io.StringIO()
    csv.writer(written, quoting=csv.QUOTE_ALL).writerow(cells)
    return written.getvalue().encode("utf-8", "replace")


def as_cell(name: str) -> str:
    """Return an id as a cell that a spreadsheet leaves as it is."""
    return f"'{name}" if _needs_mark(name) else name


def from_cell(cell: str) -> str:
    """Return the id in a cell: without the apostrophe that `as_cell` put before it."""
    return cell[1:] if cell.startswith("'") and _needs_mark(cell[1:]) else cell


def _needs_mark(name: str) -> bool:
    if _FORMULA.match(name) or (_CONVERTED.fullmatch(name) and not _PLAIN_NUMBER.fullmatch(name)):
        return True
    return name.startswith("'") and _needs_mark(name[1:])  # so that one apostrophe more always comes off again


def _text_cell(text: str) -> str:
    """Return a text as a cell that no spreadsheet runs as a formula, cut to what a cell holds."""
    clean = _UNPRINTABLE.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))
    units = clean.encode("utf-16-le", "replace")
    if len(units) > 2 * LONGEST:
        shown = units[: 2 * LONGEST].decode("utf-16-le", "ignore")
        clean = f"{shown}\n[cut here: {len(shown):,} of {len(clean):,} characters]"
    return f"'{clean}" if _FORMULA.match(clean) else clean


def is_sheet(columns: Iterable[str]) -> bool:
    """Return whether these are columns of a sheet, with or without others."""
    return {"question", "text", "grade"} <= set(map(normal_name, columns))


def check_sheet_target(path: Path | str, *, force: bool) -> None:
    """Refuse a file that holds grades, or that is no sheet, unless it may be replaced."""
    path = Path(path)
    if force or not path.exists():
        return
    advice = "name another file, or replace it with --force."
    try:
        records = [record for _, record in read_records(path)]
    except GoldproofError as error:
        raise ConflictError(f"{path}: is there already, and is no sheet; {advice}") from error
    if not records or not is_sheet(records[0]):
        raise ConflictError(f"{path}: is there already, and is no sheet; {advice}")
    grades = sum(1 for record in records for name, value in record.items() if normal_name(name) == "grade" and value)
    if grades:
        raise ConflictError(f"{path}: people have filled in {grades:,} grades there; {advice}")
