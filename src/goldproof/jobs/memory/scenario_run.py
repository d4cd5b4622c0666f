"""Walk a system through scenarios: clear, store, ask; finished scenarios are kept.

A system that cannot be cleared, or cannot store a memory, fails the queries that follow in that scenario: their answers
would be of another conversation. A system that fails on one query fails that query, and the run goes on. What ends the
whole run is raised: a spent budget, a model that is down.

A system is walked through one conversation at a time, so a whole scenario is kept, or nothing of it: half of a
conversation could not be put back into a system that is not ours. What failed is tried again. Kept by all that decides
the answers as far as it can be told: the facts of the system (its pipeline, or the code it comes from), k, and the
scenario itself, and the name of the system in its run. What a system remembers elsewhere (a database, a model behind a
service) nobody can see here: it is part of an unfinished run only, and forgotten once that is written.

A scenario during which the system had something to remark is not kept, so that a run that goes on remarks the same.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, Protocol

import orjson

from goldproof.errors import BudgetSpentError, MissingExtraError, ModelDownError, reason_of
from goldproof.jobs.memory.records import Answered, Stored, asked_for
from goldproof.jobs.memory.timeline import timeline_of
from goldproof.memory.system import MemoryHit, Searched, SearchesMany
from goldproof.records.keys import canonical_json, content_key
from goldproof.retrieve.checkpoint import UnfinishedRun

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from goldproof.io.scenarios.scenario import MemoryItem, Query, Scenario, Suite
    from goldproof.jobs.memory.timeline import Step, Timeline
    from goldproof.memory.system import MemorySystem
    from goldproof.records.entities import Hit


class RunWatcher(Protocol):
    """Told how far a run is."""

    def asked(self, done: int, total: int, *, failed: int) -> None:
        """Called after each scenario: queries asked so far, in all, and how many of them failed."""


def run_suite(
    suite: Suite,
    system: MemorySystem,
    *,
    k: int,
    kept: KeptScenarios | None = None,
    watcher: RunWatcher | None = None,
) -> tuple[Answered, ...]:
    """Return what happened to every query, in the order of the suite.

    k: how many memories are asked for, where the query does not say. kept: scenarios of an unfinished run.
    """
    timelines = [timeline_of(scenario) for scenario in suite.scenarios]  # a moment that is wrong is found first
    answered: list[Answered] = []
    total = suite.queries
    for timeline in timelines:
        rows = {row.query.id: row for row in _rows_of(timeline, system, k=k, kept=kept)}
        answered.extend(rows[query.id] for query in timeline.scenario.queries)
        if watcher is not None:
            watcher.asked(len(answered), total, failed=sum(row.error is not None for row in answered))
    return tuple(answered)


def _rows_of(timeline: Timeline, system: MemorySystem, *, k: int, kept: KeptScenarios | None) -> list[Answered]:
    """Return the rows of a scenario: those of an earlier run that was interrupted, or new ones."""
    found = None if kept is None else kept.get(timeline)
    if found is None:
        found = list(_run_scenario(timeline, system, k=k))
        if kept is not None:
            kept.put(timeline.scenario, found)
    return found


def _run_scenario(timeline: Timeline, system: MemorySystem, *, k: int) -> Iterator[Answered]:
    broken = _attempt_clear(system)
    book = _Book()
    for step in timeline.steps:
        for memory in step.stored:
            broken = broken or book.store(system, memory)
        pool, stored = timeline.pool(step), book.stored()
        for asked in _batches(step, default=k):
            rows = [Answered(timeline.scenario, query, pool, stored, k=asked_for(query, k)) for query in asked]
            if broken is not None:
                yield from (replace(row, error=broken) for row in rows)
            else:
                yield from _ask(system, rows, step)


class _Book:
    """Which ids a system gave to what."""

    def __init__(self) -> None:
        self._sources: dict[str, tuple[str, ...]] = {}

    def store(self, system: MemorySystem, memory: MemoryItem) -> str | None:
        """Store one memory; return why it could not be, if so."""
        try:
            ids = list(system.add(memory.role, memory.content, dict(memory.metadata)))
        except (BudgetSpentError, MissingExtraError, ModelDownError):
            raise
        # The user's system may raise anything, and may try to exit; here it becomes a failed query.
        except (Exception, SystemExit) as error:  # noqa: BLE001
            return f"memory {memory.id!r} could not be stored: {reason_of(error)}"
        for one in ids:
            earlier = self._sources.get(str(one), ())
            self._sources[str(one)] = (*(source for source in earlier if source != memory.id), memory.id)
        return None

    def stored(self) -> Stored:
        """Return the ids as they stand now."""
        return Stored(dict(self._sources))


def _attempt_clear(system: MemorySystem) -> str | None:
    try:
        system.clear()
    except (BudgetSpentError, MissingExtraError, ModelDownError):
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - the user's code
        return f"the memory could not be cleared: {reason_of(error)}"
    return None


def _batches(step: Step, *, default: int) -> Iterator[list[Query]]:
    """Yield queries that ask for the same number with the same filters."""

    def how(query: Query) -> tuple[int, str]:
        return asked_for(query, default), repr(query.filters)

    for _, queries in groupby(sorted(step.queries, key=how), key=how):
        yield list(queries)


def _ask(system: MemorySystem, rows: Sequence[Answered], step: Step) -> Iterator[Answered]:
    if isinstance(system, SearchesMany):
        yield from _ask_at_once(system, rows, step)
        return
    for row in rows:
        start = time.perf_counter()
        searched = _search(system, row, step)
        yield _filled(row, searched, time.perf_counter() - start)


def _ask_at_once(system: SearchesMany, rows: Sequence[Answered], step: Step) -> Iterator[Answered]:
    start = time.perf_counter()
    try:
        found = system.search_many(
            [row.query.text for row in rows], rows[0].k, filters=rows[0].query.filters, now=step.now
        )
    except (BudgetSpentError, MissingExtraError, ModelDownError):
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a pipeline may hold the user's code
        found = [Searched(error=reason_of(error))] * len(rows)
    share = (time.perf_counter() - start) / len(rows)
    for row, searched in zip(rows, found, strict=True):
        yield _filled(row, searched, share)


def _search(system: MemorySystem, row: Answered, step: Step) -> Searched:
    try:
        hits = system.search(row.query.text, row.k, filters=row.query.filters, now=step.now)
        return Searched(tuple(_as_memory_hit(hit) for hit in hits))
    except (BudgetSpentError, MissingExtraError, ModelDownError):
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - the user's code may raise anything
        return Searched(error=reason_of(error))


def _as_memory_hit(hit: Hit) -> MemoryHit:
    return hit if isinstance(hit, MemoryHit) else MemoryHit(hit.doc_id, hit.score, hit.text)


def _filled(row: Answered, searched: Searched, seconds: float) -> Answered:
    return replace(row, hits=searched.hits, error=searched.error, seconds=seconds)


class KeptScenarios:
    """The finished scenarios of one system's run; used: how many of them came from an interrupted one."""

    def __init__(self, name: str, system: MemorySystem, *, k: int, fresh: bool = False) -> None:
        """name: of the system in its run; two of one class are two systems. fresh: begin without what is kept."""
        self._k = k
        self._system = system
        self.used = 0
        self._remarks = self._said()
        facts = canonical_json(getattr(system, "facts", {}))
        self._run = UnfinishedRun(content_key("memory run", name, facts, k), fresh=fresh)

    def _said(self) -> tuple[str, ...]:
        return tuple(getattr(self._system, "remarks", ()))

    def get(self, timeline: Timeline) -> list[Answered] | None:
        """Return the rows of a scenario, in the order of time; None where it is not kept."""
        key = _key(timeline.scenario)
        found = self._run.read([key]).get(key)
        if found is None:
            return None
        kept = orjson.loads(found)
        self.used += 1
        return [row for step in timeline.steps for row in self._rows(timeline, step, kept)]

    def put(self, scenario: Scenario, rows: Sequence[Answered]) -> None:
        """Keep a scenario, unless something failed in it, or was remarked."""
        before, self._remarks = self._remarks, self._said()
        if before != self._remarks or any(row.error is not None for row in rows):
            return
        # What was stored last holds what was stored before: the memories of a moment are the first ones.
        last = max(rows, key=lambda row: len(row.pool))
        content = {
            "stored": {key: list(memories) for key, memories in last.stored.sources.items()},
            "queries": {
                row.query.id: [
                    [[hit.doc_id, hit.score, hit.text, hit.similarity] for hit in row.hits],
                    row.seconds,
                ]
                for row in rows
            },
        }
        self._run.add({_key(scenario): orjson.dumps(content)})

    def _rows(self, timeline: Timeline, step: Step, kept: Mapping[str, Any]) -> Iterator[Answered]:
        pool = timeline.pool(step)
        known = {memory.id for memory in pool}
        sources = {key: tuple(m for m in memories if m in known) for key, memories in kept["stored"].items()}
        stored = Stored({key: memories for key, memories in sources.items() if memories})
        for query in step.queries:
            hits, seconds = kept["queries"][query.id]
            row = Answered(timeline.scenario, query, pool, stored, k=asked_for(query, self._k))
            yield replace(row, hits=tuple(MemoryHit(*hit) for hit in hits), seconds=seconds)

    def close(self) -> None:
        """Let go of the file; what is kept stays."""
        self._run.close()

    def forget(self) -> None:
        """Throw everything away: the run is written."""
        self._run.forget()


def _key(scenario: Scenario) -> bytes:
    return hashlib.sha256(repr(scenario).encode("utf-8", "surrogatepass")).digest()
