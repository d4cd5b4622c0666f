"""Lay a scenario out in time: when each memory is stored and each query asked.

A query that says when it is asked (`asked_at`, a turn or a time) sees only memories that are strictly earlier; one that
does not sees all of them. Turns count by the metadata field `turn`,
times by the first of `time`, `timestamp`, `date`, `created_at`; a date without a time of day begins at midnight UTC. A
scenario asks by turns or by times, not by both.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.errors import InputError
from goldproof.records.entities import Document
from goldproof.retrieve.document_index import DocumentIndex
from goldproof.retrieve.stages.ages import TIME_FIELDS
from goldproof.retrieve.stages.filters import filter_mask
from goldproof.retrieve.stages.times import parse_time, parse_turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.io.scenarios.scenario import MemoryItem, Query, Scenario
    from goldproof.retrieve import Moment

_LEAST_TIME = 1e8  # a bare number below it is a turn, not seconds since 1970


@dataclass(frozen=True, slots=True)
class Step:
    """The memories stored next, and the queries asked then.

    now: the moment of the queries, as the scenario gives it. before: how many memories are stored when they are asked.
    """

    stored: tuple[MemoryItem, ...]
    queries: tuple[Query, ...]
    now: Moment | None
    before: int


@dataclass(frozen=True, slots=True)
class Timeline:
    """A scenario in the order of time: all memories, when each was stored, and the steps."""

    scenario: Scenario
    memories: tuple[MemoryItem, ...]
    moments: tuple[float, ...]
    steps: tuple[Step, ...]

    def pool(self, step: Step) -> tuple[MemoryItem, ...]:
        """Return the memories stored when a step's queries are asked."""
        return self.memories[: step.before]


def timeline_of(scenario: Scenario) -> Timeline:
    """Lay a scenario out in time; InputError where a moment is missing, or an expected memory comes too late."""
    _check_filters(scenario)
    by_time = _counts_time(scenario)
    moments = [_moment(memory, scenario, by_time=by_time) for memory in scenario.memories]
    order = sorted(range(len(moments)), key=lambda i: moments[i])
    memories = tuple(scenario.memories[i] for i in order)
    ordered = tuple(moments[i] for i in order)
    asked = {query.id: _asked_at(query, by_time=by_time) for query in scenario.queries}
    steps: list[Step] = []
    done = 0
    for moment in sorted(set(asked.values())):
        queries = tuple(query for query in scenario.queries if asked[query.id] == moment)
        before = sum(stored < moment for stored in ordered)
        steps.append(Step(memories[done:before], queries, _now(queries), before))
        done = before
        _check_expected(scenario, queries, {memory.id for memory in memories[:before]})
    return Timeline(scenario, memories, ordered, tuple(steps))


def _check_filters(scenario: Scenario) -> None:
    """Refuse filters that could match no memory of the scenario: they are a mistake."""
    filtered = [query for query in scenario.queries if query.filters]
    if not filtered:
        return
    index = DocumentIndex(
        Document(memory.id, memory.content, metadata={**memory.metadata, "role": memory.role})
        for memory in scenario.memories
    )
    for query in filtered:
        try:
            filter_mask(index, query.filters or {})
        except InputError as error:
            raise InputError(f"scenario {scenario.id!r}, query {query.id!r}: filters: {error}") from error


def _now(queries: Sequence[Query]) -> Moment | None:
    """Return the moment of queries that are asked together, as the scenario gives it."""
    asked_at = queries[0].asked_at
    return asked_at if asked_at is None or isinstance(asked_at, str | int | float) else asked_at.isoformat()


def _counts_time(scenario: Scenario) -> bool | None:
    """Whether queries are asked at times (True) or turns (False); None where none says when."""
    kinds = {is_time(query.asked_at) for query in scenario.queries if query.asked_at is not None}
    if len(kinds) > 1:
        raise InputError(
            f"scenario {scenario.id!r}: some queries are asked at turns and some at times; use one of them."
        )
    return next(iter(kinds), None)


def is_time(asked_at: object) -> bool:
    """Whether a moment is a time, not a turn."""
    turn = parse_turn(asked_at)
    return turn is None or abs(turn) >= _LEAST_TIME


def _asked_at(query: Query, *, by_time: bool | None) -> float:
    """Return when a query is asked; after everything where it does not say."""
    if query.asked_at is None or by_time is None:
        return math.inf
    moment = parse_time(query.asked_at) if by_time else parse_turn(query.asked_at)
    if moment is None:
        raise InputError(
            f"query {query.id!r}: asked_at is {query.asked_at!r}; expected a turn such as 5 or a time such as "
            "2024-05-01T09:30."
        )
    return moment


def _moment(memory: MemoryItem, scenario: Scenario, *, by_time: bool | None) -> float:
    """Return when a memory was stored; without moments the order of the file is the order of time."""
    if by_time is None:
        return 0.0
    fields = TIME_FIELDS if by_time else ("turn",)
    parse = parse_time if by_time else parse_turn
    value = next((memory.metadata[name] for name in fields if memory.metadata.get(name) is not None), None)
    moment = None if value is None else parse(value)
    if moment is None:
        names = " or ".join(fields)
        problem = f"its {names} is {value!r}" if value is not None else f"it has no {names}"
        raise InputError(
            f"scenario {scenario.id!r}, memory {memory.id!r}: {problem}, but queries are asked at "
            f"{'times' if by_time else 'turns'}; give every memory one."
        )
    return moment


def _check_expected(scenario: Scenario, queries: Sequence[Query], stored: set[str]) -> None:
    for query in queries:
        late = [memory for memory in query.expected if memory not in stored]
        if late:
            raise InputError(
                f"scenario {scenario.id!r}, query {query.id!r}: expects memory {late[0]!r}, which is not stored before "
                f"{query.asked_at}; ask later, or expect something else."
            )


def moments_of(memories: Sequence[MemoryItem]) -> dict[str, float]:
    """Return when each memory was stored, for measures of order: turns where all have one, else times, else places."""
    turns = {memory.id: parse_turn(memory.metadata.get("turn")) for memory in memories}
    if all(turn is not None for turn in turns.values()):
        return {memory: turn for memory, turn in turns.items() if turn is not None}
    times = {memory.id: _time(memory) for memory in memories}
    if all(time is not None for time in times.values()):
        return {memory: time for memory, time in times.items() if time is not None}
    return {memory.id: float(place) for place, memory in enumerate(memories)}


def _time(memory: MemoryItem) -> float | None:
    return next((t for name in TIME_FIELDS if (t := parse_time(memory.metadata.get(name))) is not None), None)
