"""Conversations from JSON lines or Python objects to trace tables.

A line is parsed, appended to plain lists and dropped, so memory does not grow with the file; only the ids of the
conversations are kept, to find one that is there twice. Of a line with anything bad in it nothing is used: half a
conversation would give a wrong number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from itertools import accumulate
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import orjson
import polars as pl

from goldproof.errors import InputError
from goldproof.io.json_files import BadRecordError, NumberedRecord, read_objects
from goldproof.io.traces.conversation import CONVERSATION_KEYS, read_conversation
from goldproof.io.traces.results import BadResultError, ResultLists
from goldproof.records.traces import TraceTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from goldproof.io.diagnostics import Diagnostics
    from goldproof.io.traces.conversation import Conversation
    from goldproof.records.arrays import IntArray


RESULTS_PER_BATCH = 50_000


def read_json_traces(
    path: Path, diagnostics: Diagnostics, *, results_per_batch: int = RESULTS_PER_BATCH
) -> Iterator[TraceTable]:
    """Read conversations from JSON lines."""

    def refuse(line: NumberedRecord, error: BadRecordError) -> None:
        diagnostics.report(str(error), line=line.number)

    lines = read_objects(path, diagnostics)
    return conversation_tables(lines, refuse, unit="line", results_per_batch=results_per_batch)


def traces_from_records(
    conversations: Iterable[Mapping[str, object]], *, results_per_batch: int = RESULTS_PER_BATCH
) -> Iterator[TraceTable]:
    """Read conversations of the same shape from Python objects; tuples and numpy's numbers will do."""

    def refuse(line: NumberedRecord, error: BadRecordError) -> None:
        raise InputError(f"{_named(line)}: {error}") from error

    lines = (_plain(number, record) for number, record in enumerate(conversations, start=1))
    return conversation_tables(lines, refuse, unit="conversation", results_per_batch=results_per_batch)


def conversation_tables(
    lines: Iterator[NumberedRecord],
    refuse: Callable[[NumberedRecord, BadRecordError], None],
    *,
    unit: str,
    results_per_batch: int,
) -> Iterator[TraceTable]:
    """Yield tables of about that many results; unit: the word for a line in messages."""
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
    lines: Iterator[NumberedRecord],
    *,
    refuse: Callable[[NumberedRecord, BadRecordError], None],
    seen: dict[str, int],
    unit: str,
    limit: int,
) -> bool:
    """Add conversations until the batch is full; False where there are no more."""
    for line in lines:
        try:
            conversation = read_conversation(line.record)
            if conversation.id in seen:
                raise BadRecordError(
                    f"conversation {conversation.id!r} occurs twice (first at {unit} {seen[conversation.id]})."
                )
            batch.add(conversation)
        except BadRecordError as error:
            refuse(line, error)
            continue
        seen[conversation.id] = line.number
        if batch.size >= limit:
            return True
    return False


def _plain(number: int, record: object) -> NumberedRecord:
    """Return a record in JSON's own types, as if it had been read from a line."""
    if not isinstance(record, Mapping):
        raise InputError(f"conversation {number}: is a {type(record).__name__}, expected a mapping.")
    try:
        data = orjson.dumps(record, default=_jsonable, option=orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS)
    except orjson.JSONEncodeError as error:
        raise InputError(f"conversation {number}: holds a value that JSON cannot ({error}).") from error
    return NumberedRecord(number, orjson.loads(data))


def _jsonable(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence | Set):
        return list(value)
    raise TypeError(f"a {type(value).__name__}")


def _named(line: NumberedRecord) -> str:
    name = next((line.record[key] for key in CONVERSATION_KEYS if line.record.get(key)), None)
    return f"conversation {line.number}" + ("" if name is None else f" ({str(name)[:60]!r})")


class TraceBatch:
    """Collects conversations until they make a table."""

    def __init__(self) -> None:
        self._conversations: list[str] = []
        self._clusters: list[str | None] = []
        self._questions: list[str] = []
        self._texts: list[str | None] = []
        self._iterations: list[int] = []  # per conversation
        self._searches: list[int] = []  # per iteration
        self._counts: list[int] = []  # results per search
        self._queries: list[str | None] = []
        self._failed_searches: list[int] = []
        self._failed: dict[str, str] = {}
        self._results = ResultLists()

    def __len__(self) -> int:
        return len(self._conversations)

    @property
    def size(self) -> int:
        """The results in the batch, and the conversations and searches without one."""
        return len(self._results) + len(self._counts) + len(self._conversations)

    def add(self, conversation: Conversation) -> None:
        """Add a conversation; where a result is bad, nothing of it is added."""
        try:
            self._results.extend(conversation.results)
        except BadResultError as error:
            raise BadRecordError(f"{conversation.place(error.index)}: {error}") from error
        self._failed_searches += [len(self._queries) + position for position in conversation.failed_searches]
        self._conversations.append(conversation.id)
        self._clusters.append(conversation.cluster)
        self._questions.append(conversation.question or conversation.id)
        self._texts.append(conversation.text)
        self._iterations.append(len(conversation.iterations))
        self._searches += conversation.iterations
        self._counts += conversation.counts
        self._queries += conversation.queries
        if conversation.failure is not None:
            self._failed[conversation.id] = conversation.failure

    def table(self) -> TraceTable:
        """Return the conversations as a table."""
        return TraceTable(
            conversations=pl.Series("conversation", self._conversations, dtype=pl.String),
            clusters=pl.Series("cluster", self._clusters, dtype=pl.String),
            questions=pl.Series("question", self._questions, dtype=pl.String),
            texts=pl.Series("text", self._texts, dtype=pl.String),
            iteration_starts=_starts(self._iterations),
            search_starts=_starts(self._searches),
            result_starts=_starts(self._counts),
            queries=pl.Series("query", self._queries, dtype=pl.String),
            results=self._results.table(),
            failed_searches=np.asarray(self._failed_searches, dtype=np.int64),
            failed=MappingProxyType(self._failed),
        )


def _starts(counts: list[int]) -> IntArray:
    return np.fromiter(accumulate(counts, initial=0), dtype=np.int64, count=len(counts) + 1)
