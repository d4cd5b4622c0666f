"""The manifest: one CSV row per sample, for people and spreadsheets.

Exactly the columns `id, doc_type, question_type, difficulty, answerable, source_dataset, original_id`; `answerable` is
true or false; fields are quoted as RFC 4180 says, where they need it; lines end with a line feed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from karat.io.columns import shown_names
from karat.io.complaints import Complaints
from karat.io.delimited import cut_records
from karat.io.opening import check_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from karat.jobs.build.sample import Sample

COLUMNS = ("id", "doc_type", "question_type", "difficulty", "answerable", "source_dataset", "original_id")
_QUOTED = frozenset(',"\r\n')
_MARKS = {"true": True, "false": False}


class ManifestRow(NamedTuple):
    """What the manifest says of a sample."""

    id: str
    doc_type: str
    question_type: str
    difficulty: str
    answerable: bool
    source_dataset: str
    original_id: str

    @classmethod
    def of(cls, sample: Sample) -> ManifestRow:
        """Return the row of a sample."""
        return cls(*(getattr(sample, column) for column in COLUMNS))


class ManifestAt(NamedTuple):
    """A row, and the line on which it ends."""

    line: int
    row: ManifestRow


def manifest_lines(samples: Iterable[Sample]) -> Iterator[bytes]:
    """Yield the manifest: its header, then a line for each sample."""
    yield _line(COLUMNS)
    for sample in samples:
        yield _line(_written(value) for value in ManifestRow.of(sample))


def read_manifest(path: Path | str, complaints: Complaints | None = None) -> Iterator[ManifestAt]:
    """Yield the rows of a manifest; a bad one is an error, or is reported and left out."""
    path = check_file(path)
    complaints = complaints or Complaints(path)
    records = cut_records(path, ",", complaints)
    header = next(records, None)
    if header is None or tuple(header.fields) != COLUMNS:
        found = "nothing" if header is None else shown_names(header.fields)
        raise complaints.fatal(f"has the columns {found}, expected {', '.join(COLUMNS)}.", line=1)
    for line, fields in records:
        problem = _problem(fields)
        if problem:
            complaints.add(problem, line=line)
            continue
        name, doc_type, question_type, difficulty, answerable, source, original = fields
        row = ManifestRow(name, doc_type, question_type, difficulty, _MARKS[answerable], source, original)
        yield ManifestAt(line, row)


def _problem(fields: list[str]) -> str | None:
    if len(fields) != len(COLUMNS):
        return f"found {len(fields)} columns, expected {len(COLUMNS)} ({', '.join(COLUMNS)})."
    if not fields[0]:
        return "the id is empty."
    if fields[4] not in _MARKS:
        return f"answerable is {fields[4]!r}, expected true or false."
    return None


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _line(values: Iterable[str]) -> bytes:
    return (",".join(map(_quoted, values)) + "\n").encode("utf-8")


def _quoted(value: str) -> str:
    if _QUOTED.isdisjoint(value):
        return value
    return '"' + value.replace('"', '""') + '"'
