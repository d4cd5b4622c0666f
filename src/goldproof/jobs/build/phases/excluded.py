"""What an earlier phase holds, so that it is not taken again: ids, and questions where the file has them.

    a benchmark (JSON lines)       id and question of each line; BEIR's `_id` and `text` will do
    a manifest, or any such table  the column `id`, and `question` where there is one
    a JSON list                    ids
    plain lines                    ids; a line with a blank in it is a question, since an id of ours has none

A question without an id has its own text as id. An empty file excludes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from goldproof.io.columns import normal_name, shown_names
from goldproof.io.datasets.id_lists import read_ids
from goldproof.io.delimited import cut_line, cut_records
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.json_files import BadRecordError, JsonObject, get_id, json_kind, read_objects
from goldproof.io.sniffing import sniff
from goldproof.io.text_files import check_file, read_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from goldproof.io.delimited import Separator

_SEPARATORS: tuple[Separator, ...] = ("\t", ",")
_ID_KEYS = ("id", "_id", "query_id", "question_id", "qid")
_QUESTION_KEYS = ("question", "text")


class Excluded(NamedTuple):
    """One sample that is not to be taken again; question: its text, where known."""

    id: str
    question: str | None


def read_excluded(path: Path | str) -> Iterator[Excluded]:
    """Yield what a file excludes, in its order."""
    path = check_file(path)
    if path.stat().st_size == 0:
        return
    complaints, found = Diagnostics(path), sniff(path)
    separator = _table_separator(found.first_line)
    if found.format == "jsonl":
        yield from _of_objects(path, complaints)
    elif found.format in ("json", "parquet", "yaml"):
        yield from (Excluded(name, None) for name in sorted(read_ids(path)))
    elif separator is not None:
        yield from _of_rows(path, separator, complaints)
    else:
        yield from (_of_text(line.text.strip()) for line in read_lines(path, complaints))


def _of_text(text: str) -> Excluded:
    return Excluded(text, text if any(map(str.isspace, text)) else None)


def _of_objects(path: Path, complaints: Diagnostics) -> Iterator[Excluded]:
    for line, record in read_objects(path, complaints):
        try:
            yield _of_object(record)
        except BadRecordError as error:
            complaints.add(str(error), line=line)


def _of_object(record: JsonObject) -> Excluded:
    key = next((key for key in _QUESTION_KEYS if key in record), None)
    question = None if key is None else record[key]
    if question is not None and not isinstance(question, str):
        raise BadRecordError(f"key {key!r} is {json_kind(question)}, expected the text of a question.")
    name = next((key for key in _ID_KEYS if key in record), None)
    if name is not None:
        return Excluded(get_id({"id": record[name]}, "id"), question or None)
    if not question:
        raise BadRecordError(f"no key 'id' and no 'question' (found {shown_names(list(record)) or 'no key'}).")
    return Excluded(question, question)


def _table_separator(first_line: str) -> Separator | None:
    """Say how columns are cut if the first line is a header with an id."""
    return next((s for s in _SEPARATORS if set(_ID_KEYS) & set(_names(cut_line(first_line, s)))), None)


def _names(header: list[str]) -> list[str]:
    return [normal_name(name) for name in header]


def _of_rows(path: Path, separator: Separator, complaints: Diagnostics) -> Iterator[Excluded]:
    records = cut_records(path, separator, complaints)
    names = _names(next(records).fields)
    at = names.index(next(key for key in _ID_KEYS if key in names))
    question_at = names.index("question") if "question" in names else None
    for line, fields in records:
        if len(fields) != len(names):
            complaints.add(f"found {len(fields)} columns, expected {len(names)} ({shown_names(names)}).", line=line)
        elif not fields[at].strip():
            complaints.add("the id is empty.", line=line)
        else:
            question = fields[question_at].strip() if question_at is not None else ""
            yield Excluded(fields[at].strip(), question or None)
