"""JSON lines: one object per line.

    judgments  {"query_id": "q1", "doc_id": "d1", "grade": 2}
    rankings   see `goldproof.io.jsonl_ranking`

Keys have the aliases of `goldproof.io.columns`. An id may be a number and is kept as its text; other keys are ignored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import orjson

from goldproof.io.columns import ALIASES, find_key, shown_names
from goldproof.io.opening import read_lines
from goldproof.io.row_collector import RowCollector
from goldproof.io.values import GRADE, BadValueError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from goldproof.io.complaints import Complaints
    from goldproof.io.opening import Line
    from goldproof.io.rows import RowBuffer
    from goldproof.io.values import ValueKind

JsonObject = dict[str, object]


class BadRecordError(ValueError):
    """A JSON object that does not hold what it should; the text says so in a sentence."""


class JsonLine(NamedTuple):
    """One object and where it stands."""

    number: int
    record: JsonObject


def read_objects(path: Path, complaints: Complaints) -> Iterator[JsonLine]:
    """Yield the objects of a file; a line that is not a JSON object is reported and left out."""
    for line in read_lines(path, complaints):
        try:
            found = orjson.loads(line.text)
        except orjson.JSONDecodeError as error:
            complaints.add(_not_json(line, error), line=line.number)
            continue
        if not isinstance(found, dict):
            complaints.add(f"is {json_kind(found)}, expected a JSON object.", line=line.number)
            continue
        yield JsonLine(line.number, found)


def read_jsonl_judgments(path: Path, complaints: Complaints) -> RowBuffer:
    """Read judgments."""
    collected = RowCollector(GRADE)
    for number, record in read_objects(path, complaints):
        try:
            collected.add(get_id(record, "query"), get_id(record, "document"), get_value(record, GRADE), line=number)
        except BadRecordError as error:
            complaints.add(str(error), line=number)
    return collected.buffer()


def get_id(record: JsonObject, role: str) -> str:
    """Return the id that plays a role: text, or a whole number as text."""
    key = find_key(record, role)
    if key is None:
        raise BadRecordError(f"no key {ALIASES[role][0]!r} (found {_keys(record)}).")
    value = record[key]
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise BadRecordError(f"key {key!r} is {json_kind(value)}, expected text.")
    if not value:
        raise BadRecordError(f"key {key!r} is empty.")
    return value


def get_value(record: JsonObject, kind: ValueKind) -> float:
    """Return the grade or score of an object."""
    key = find_key(record, kind.name)
    if key is None:
        raise BadRecordError(f"no key {ALIASES[kind.name][0]!r} (found {_keys(record)}).")
    try:
        return kind.parse(record[key])
    except BadValueError as error:
        raise BadRecordError(f"{error} (key {key!r}).") from error


def get_failure(record: JsonObject) -> str | None:
    """Return why the system failed, or None where it did not."""
    key = find_key(record, "error")
    error = None if key is None else record[key]
    if error is None or error is False:
        return None
    if error is True:
        return "no reason given"
    shown = orjson.dumps(error).decode()
    if not error or (isinstance(error, str) and not error.strip()):
        raise BadRecordError(f"key {key!r} is {shown}, expected why the system failed, or null where it did not.")
    return error if isinstance(error, str) else shown


def _not_json(line: Line, error: orjson.JSONDecodeError) -> str:
    if "NaN" in line.text or "Infinity" in line.text:
        return "is not JSON: NaN and Infinity are not JSON numbers."
    if "infinity" in error.msg:
        return f"holds a number beyond double precision (column {error.colno}), which is not finite."
    return f"is not JSON ({error.msg}, column {error.colno})."


def json_kind(value: object) -> str:
    """Say what kind of JSON value this is."""
    if value is None:
        return "null"
    names = {bool: "true or false", int: "a number", float: "a number", str: "text", list: "a list", dict: "an object"}
    return names[type(value)]


def _keys(record: JsonObject) -> str:
    return shown_names(list(record)) or "no key"
