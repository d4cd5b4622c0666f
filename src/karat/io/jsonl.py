"""JSON lines: one object per line.

    judgments  {"query_id": "q1", "doc_id": "d1", "grade": 2}
    rankings   {"query_id": "q1", "doc_id": "d1", "score": 12.5}
               {"query_id": "q1", "results": [{"doc_id": "d1", "score": 12.5}, ...]}
               {"query_id": "q1", "results": ["d1", "d2"]}        best first; scores are made up: n, n - 1, ... 1
               {"query_id": "q1", "error": "timeout"}             the system failed on this question; null and
                                                                  false mean that it did not

Keys have the aliases of `karat.io.columns`. An id may be a number and is kept as its text; other keys are ignored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import orjson
import polars as pl

from karat.io.columns import ALIASES, find_key
from karat.io.opening import read_lines
from karat.io.rows import RowBuffer, Rows
from karat.io.values import GRADE, SCORE, BadValueError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from karat.io.complaints import Complaints
    from karat.io.opening import Line
    from karat.io.values import ValueKind

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
            complaints.add(f"is {_json_kind(found)}, expected a JSON object.", line=line.number)
            continue
        yield JsonLine(line.number, found)


def read_jsonl_judgments(path: Path, complaints: Complaints) -> RowBuffer:
    """Read judgments."""
    collected = _Collected(GRADE)
    for number, record in read_objects(path, complaints):
        try:
            collected.add(get_id(record, "query"), get_id(record, "document"), get_value(record, GRADE), line=number)
        except BadRecordError as error:
            complaints.add(str(error), line=number)
    return collected.buffer()


def read_jsonl_ranking(path: Path, complaints: Complaints) -> RowBuffer:
    """Read a ranking, flat or with one line per question."""
    collected = _Collected(SCORE)
    seen: dict[str, _Seen] = {}
    for number, record in read_objects(path, complaints):
        try:
            query, failure, results = get_id(record, "query"), _failure(record), _results(record)
            whole = failure is not None or isinstance(results, list)
            _check_once(query, seen, _Seen(number, whole=whole))
            if failure is not None:
                collected.failed[query] = failure
            elif results is None:
                collected.add(query, get_id(record, "document"), get_value(record, SCORE), line=number)
            else:
                _add_results(collected, query, results, line=number)
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
        raise BadRecordError(f"key {key!r} is {_json_kind(value)}, expected text.")
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


class _Seen(NamedTuple):
    """Where a query was first met; `whole` lines speak for their query alone, others add one result to it."""

    line: int
    whole: bool


class _Collected:
    """Columns that grow row by row."""

    def __init__(self, kind: ValueKind) -> None:
        self.failed: dict[str, str] = {}
        self.empty: list[str] = []
        self._kind = kind
        self._questions: list[str] = []
        self._documents: list[str] = []
        self._values: list[float] = []
        self._lines: list[int] = []

    def add(self, question: str, document: str, value: float, *, line: int) -> None:
        self._questions.append(question)
        self._documents.append(document)
        self._values.append(value)
        self._lines.append(line)

    def buffer(self) -> RowBuffer:
        rows = Rows(
            pl.Series(self._questions, dtype=pl.String),
            pl.Series(self._documents, dtype=pl.String),
            self._kind.array(self._values),
            self._lines,
        )
        return RowBuffer([rows], self.empty, self.failed)


def _failure(record: JsonObject) -> str | None:
    """Return why the system failed on the question, or None where it did not."""
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


def _results(record: JsonObject) -> object:
    key = find_key(record, "results")
    return None if key is None else record[key]


def _check_once(query: str, seen: dict[str, _Seen], now: _Seen) -> None:
    first = seen.setdefault(query, now)
    if first is not now and (first.whole or now.whole):
        raise BadRecordError(f"query {query!r} is ranked twice (first at line {first.line}).")


def _add_results(collected: _Collected, query: str, results: object, *, line: int) -> None:
    if not isinstance(results, list):
        raise BadRecordError(f"key 'results' is {_json_kind(results)}, expected a list.")
    hits = [_hit(result, position, count=len(results)) for position, result in enumerate(results)]
    if not hits:
        collected.empty.append(query)
    for document, score in hits:
        collected.add(query, document, score, line=line)


def _hit(result: object, position: int, *, count: int) -> tuple[str, float]:
    try:
        if isinstance(result, dict):
            return get_id(result, "document"), get_value(result, SCORE)
        return get_id({"doc_id": result}, "document"), float(count - position)
    except BadRecordError as error:
        raise BadRecordError(f"result {position + 1}: {error}") from error


def _not_json(line: Line, error: orjson.JSONDecodeError) -> str:
    if "NaN" in line.text or "Infinity" in line.text:
        return "is not JSON: NaN and Infinity are not JSON numbers."
    if "infinity" in error.msg:
        return f"holds a number beyond double precision (column {error.colno}), which is not finite."
    return f"is not JSON ({error.msg}, column {error.colno})."


def _json_kind(value: object) -> str:
    if value is None:
        return "null"
    names = {bool: "true or false", int: "a number", float: "a number", str: "text", list: "a list", dict: "an object"}
    return names[type(value)]


def _keys(record: JsonObject) -> str:
    return ", ".join(list(record)[:8]) or "no key"
