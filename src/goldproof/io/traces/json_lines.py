"""Traces as JSON lines, one conversation per line, and the same objects in Python.

A line is parsed, appended to plain lists and dropped, so memory does not grow with the file; only the ids of the
conversations are kept, to find one that is there twice. Of a line with anything bad in it nothing is used: half a
conversation would give a wrong number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING

import orjson

from goldproof.core.errors import InputError
from goldproof.io.jsonl import BadRecordError, JsonLine, read_objects
from goldproof.io.traces.batch import TraceBatch
from goldproof.io.traces.conversation import CONVERSATION_KEYS, read_conversation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from goldproof.core.traces import TraceTable
    from goldproof.io.complaints import Complaints

RESULTS_PER_BATCH = 50_000


def read_json_traces(
    path: Path, complaints: Complaints, *, results_per_batch: int = RESULTS_PER_BATCH
) -> Iterator[TraceTable]:
    """Read conversations from JSON lines."""

    def refuse(line: JsonLine, error: BadRecordError) -> None:
        complaints.add(str(error), line=line.number)

    lines = read_objects(path, complaints)
    return conversation_tables(lines, refuse, unit="line", results_per_batch=results_per_batch)


def traces_from_records(
    conversations: Iterable[Mapping[str, object]], *, results_per_batch: int = RESULTS_PER_BATCH
) -> Iterator[TraceTable]:
    """Take conversations of the same shape from Python; tuples and numpy's numbers will do."""

    def refuse(line: JsonLine, error: BadRecordError) -> None:
        raise InputError(f"{_named(line)}: {error}") from error

    lines = (_plain(number, record) for number, record in enumerate(conversations, start=1))
    return conversation_tables(lines, refuse, unit="conversation", results_per_batch=results_per_batch)


def conversation_tables(
    lines: Iterator[JsonLine],
    refuse: Callable[[JsonLine, BadRecordError], None],
    *,
    unit: str,
    results_per_batch: int,
) -> Iterator[TraceTable]:
    """Yield tables of about that many results; unit: what a line is called where a conversation was met before."""
    seen: dict[str, int] = {}
    while True:
        batch = TraceBatch()
        more = _fill(batch, lines, refuse=refuse, seen=seen, unit=unit, limit=results_per_batch)
        if len(batch):
            yield batch.table()
        if not more:
            return


def _fill(
    batch: TraceBatch,
    lines: Iterator[JsonLine],
    *,
    refuse: Callable[[JsonLine, BadRecordError], None],
    seen: dict[str, int],
    unit: str,
    limit: int,
) -> bool:
    """Add conversations until the batch is full; False where there are no more."""
    for line in lines:
        try:
            found = read_conversation(line.record)
            if found.id in seen:
                raise BadRecordError(f"conversation {found.id!r} is there twice (first at {unit} {seen[found.id]}).")
            batch.add(found)
        except BadRecordError as error:
            refuse(line, error)
            continue
        seen[found.id] = line.number
        if batch.size >= limit:
            return True
    return False


def _plain(number: int, record: object) -> JsonLine:
    """Return a record in JSON's own types, as if it had been read from a line."""
    if not isinstance(record, Mapping):
        raise InputError(f"conversation {number}: is a {type(record).__name__}, expected a mapping.")
    try:
        data = orjson.dumps(record, default=_jsonable, option=orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS)
    except orjson.JSONEncodeError as error:
        raise InputError(f"conversation {number}: holds what JSON cannot ({error}).") from error
    return JsonLine(number, orjson.loads(data))


def _jsonable(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence | Set):
        return list(value)
    raise TypeError(f"a {type(value).__name__}")


def _named(line: JsonLine) -> str:
    name = next((line.record[key] for key in CONVERSATION_KEYS if line.record.get(key)), None)
    return f"conversation {line.number}" + ("" if name is None else f" ({str(name)[:60]!r})")
