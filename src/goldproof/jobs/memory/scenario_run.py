"""Walk a system through scenarios: clear, store, ask; keep finished scenarios of an interrupted run.

A system that cannot be cleared, or cannot store a memory, fails the queries that follow in that scenario: their answers
would be of another conversation. A system that fails on one query fails that query, and the run goes on. Errors that
end the whole run are raised: a spent budget, a missing extra, a model that is down.

A system is walked through one conversation at a time, so a scenario is kept whole or not at all: half a conversation
could not be put back into a system that is not ours. Queries that failed are asked again. The key is everything known
to decide the answers: the name of the system in its run, its facts (its pipeline, or the code it comes from), k, and
the scenario. What a system remembers elsewhere (a database, a model behind a service) cannot be seen here, so kept
scenarios serve an unfinished run only, and are deleted once its result is written.

A resumed run makes the same remarks: the counts behind those of the user's memory are kept with each scenario. A
scenario during which another system had something to remark is not kept.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar

import orjson

from goldproof.errors import InputError, MissingExtraError
from goldproof.jobs.memory.records import Answered, Stored, k_for
from goldproof.jobs.memory.timeline import timeline_of
from goldproof.memory import MemoryHit
from goldproof.memory.system import CountsRemarks, Searched, SearchesMany
from goldproof.progress import OnProgress, Progress, ignore
from goldproof.records.keys import canonical_json, content_key
from goldproof.retrieve.checkpoint import UnfinishedRun
from goldproof.user_code.calls import Answer, attempt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from goldproof.io.scenarios.scenario import MemoryItem, Query, Scenario, Suite
    from goldproof.jobs.memory.timeline import Step, Timeline
    from goldproof.memory import MemorySystem
    from goldproof.records.entities import Hit


T = TypeVar("T")


def run_suite(
    suite: Suite,
    system: MemorySystem,
    *,
    k: int,
    kept: KeptScenarios | None = None,
    on_progress: OnProgress = ignore,
) -> tuple[Answered, ...]:
    """Ask a system every query, and return the answers in the order of the suite.

    k: how many memories are asked for, where the query does not say. kept: scenarios of an unfinished run.
    on_progress: called after each scenario.
    """
    timelines = [timeline_of(scenario) for scenario in suite.scenarios]  # a wrong moment is found before the first call
    answered: list[Answered] = []
    failed = 0
    for timeline in timelines:
        rows = {row.query.id: row for row in _kept_or_run(timeline, system, k=k, kept=kept)}
        answered.extend(rows[query.id] for query in timeline.scenario.queries)
        failed += sum(row.error is not None for row in rows.values())
        on_progress(Progress("queries", len(answered), suite.queries, failed))
    return tuple(answered)


def _kept_or_run(timeline: Timeline, system: MemorySystem, *, k: int, kept: KeptScenarios | None) -> list[Answered]:
    """Return the rows of a scenario: those kept by an interrupted run, or new ones."""
    rows = None if kept is None else kept.get(timeline)
    if rows is None:
        rows = list(_run_scenario(timeline, system, k=k))
        if kept is not None:
            kept.put(timeline.scenario, rows)
    return rows


def _run_scenario(timeline: Timeline, system: MemorySystem, *, k: int) -> Iterator[Answered]:
    broken = _clear(system)
    sources = _Sources()
    for step in timeline.steps:
        for memory in step.stored:
            broken = broken or sources.store(system, memory)
        pool, stored = timeline.pool(step), sources.stored()
        for queries in _batches(step, default=k):
            rows = [Answered(timeline.scenario, query, pool, stored, k=k_for(query, k)) for query in queries]
            if broken is not None:
                yield from (replace(row, error=broken) for row in rows)
            else:
                yield from _ask(system, rows, step)


def _clear(system: MemorySystem) -> str | None:
    """Clear a system; return why that failed, else None."""
    cleared = _attempt(system.clear)
    return None if cleared.failure is None else f"the memory could not be cleared: {cleared.failure}"


class _Sources:
    """The memories that each id of a system came from."""

    def __init__(self) -> None:
        self._sources: dict[str, tuple[str, ...]] = {}

    def store(self, system: MemorySystem, memory: MemoryItem) -> str | None:
        """Store one memory and note its ids; return why that failed, else None."""
        ids = _attempt(lambda: list(system.add(memory.role, memory.content, dict(memory.metadata))))
        if ids.value is None:
            return f"memory {memory.id!r} could not be stored: {ids.failure}"
        for key in map(str, ids.value):
            earlier = self._sources.get(key, ())
            self._sources[key] = (*(source for source in earlier if source != memory.id), memory.id)
        return None

    def stored(self) -> Stored:
        """Return a copy as of now."""
        return Stored(dict(self._sources))


def _batches(step: Step, *, default: int) -> Iterator[list[Query]]:
    """Yield queries that ask for the same number with the same filters."""

    def k_and_filters(query: Query) -> tuple[int, str]:
        return k_for(query, default), repr(query.filters)

    for _, queries in groupby(sorted(step.queries, key=k_and_filters), key=k_and_filters):
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
    texts, first = [row.query.text for row in rows], rows[0]
    start = time.perf_counter()
    answers = _attempt(lambda: system.search_many(texts, first.k, filters=first.query.filters, now=step.now))
    searches = [Searched(error=answers.failure)] * len(rows) if answers.value is None else answers.value
    share = (time.perf_counter() - start) / len(rows)
    for row, searched in zip(rows, searches, strict=True):
        yield _filled(row, searched, share)


def _search(system: MemorySystem, row: Answered, step: Step) -> Searched:
    def search() -> tuple[MemoryHit, ...]:
        hits = system.search(row.query.text, row.k, filters=row.query.filters, now=step.now)
        return tuple(_as_memory_hit(hit) for hit in hits)

    hits = _attempt(search)
    return Searched(error=hits.failure) if hits.value is None else Searched(hits.value)


def _as_memory_hit(hit: Hit) -> MemoryHit:
    return hit if isinstance(hit, MemoryHit) else MemoryHit(hit.doc_id, hit.score, hit.text)


def _filled(row: Answered, searched: Searched, seconds: float) -> Answered:
    return replace(row, hits=searched.hits, error=searched.error, seconds=seconds)


def _attempt(call: Callable[[], T]) -> Answer[T]:
    return attempt(call, passing=(MissingExtraError,))


def keep_scenarios(name: str, system: MemorySystem, *, k: int, fresh: bool = False) -> KeptScenarios | None:
    """Open the kept scenarios of a system's run; None where there is no folder for caches: a run needs none."""
    try:
        return KeptScenarios(name, system, k=k, fresh=fresh)
    except (InputError, OSError):
        return None


class KeptScenarios:
    """The finished scenarios of one system's run; used: how many of them came from an interrupted run."""

    def __init__(self, name: str, system: MemorySystem, *, k: int, fresh: bool = False) -> None:
        """name: of the system in its run; two of one class are two systems. fresh: begin without what is kept."""
        self._k = k
        self._system = system
        self.used = 0
        self._remarks, self._counts = self._current_remarks(), self._current_counts()
        facts = canonical_json(getattr(system, "facts", {}))
        self._run = UnfinishedRun(content_key("memory run, with counts", name, facts, k), fresh=fresh)

    def _current_remarks(self) -> tuple[str, ...]:
        return tuple(getattr(self._system, "remarks", ()))

    def _current_counts(self) -> dict[str, int]:
        return dict(self._system.counts) if isinstance(self._system, CountsRemarks) else {}

    def get(self, timeline: Timeline) -> list[Answered] | None:
        """Return the rows of a scenario, in the order of time; None where it is not kept."""
        key = _key(timeline.scenario)
        content = self._run.read([key]).get(key)
        if content is None:
            return None
        kept = orjson.loads(content)
        self.used += 1
        if isinstance(self._system, CountsRemarks):
            self._system.add_counts(kept["counts"])
            self._counts = self._current_counts()
        return [row for step in timeline.steps for row in self._rows(timeline, step, kept)]

    def _rows(self, timeline: Timeline, step: Step, kept: Mapping[str, Any]) -> Iterator[Answered]:
        pool = timeline.pool(step)
        known = {memory.id for memory in pool}
        sources = {key: tuple(m for m in memories if m in known) for key, memories in kept["stored"].items()}
        stored = Stored({key: memories for key, memories in sources.items() if memories})
        for query in step.queries:
            hits, seconds = kept["queries"][query.id]
            row = Answered(timeline.scenario, query, pool, stored, k=k_for(query, self._k))
            yield replace(row, hits=tuple(MemoryHit(*hit) for hit in hits), seconds=seconds)

    def put(self, scenario: Scenario, rows: Sequence[Answered]) -> None:
        """Keep a scenario, unless a query failed in it, or the system made a remark that cannot be made again."""
        remarks, counts = self._remarks, self._counts
        self._remarks, self._counts = self._current_remarks(), self._current_counts()
        is_lost = remarks != self._remarks and not isinstance(self._system, CountsRemarks)
        if is_lost or any(row.error is not None for row in rows):
            return
        # The last ids include the earlier ones: the memories of an earlier step are the first of them.
        last = max(rows, key=lambda row: len(row.pool))
        content = {
            "counts": {name: value - counts.get(name, 0) for name, value in self._counts.items()},
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

    def close(self) -> None:
        """Close the file; what is kept stays."""
        self._run.close()

    def forget(self) -> None:
        """Delete everything: the result is written."""
        self._run.forget()


def _key(scenario: Scenario) -> bytes:
    return hashlib.sha256(repr(scenario).encode("utf-8", "surrogatepass")).digest()
