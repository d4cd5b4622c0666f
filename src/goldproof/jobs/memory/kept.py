"""Scenarios of a run that is not finished yet, kept so that an interrupted one goes on where it was.

A system is walked through one conversation at a time, so a whole scenario is kept, or nothing of it: half of a
conversation could not be put back into a system that is not ours. What failed is tried again. Kept by all that decides
the answers as far as it can be told: the facts of the system (its pipeline, or the code it comes from), k, and the
scenario itself, and the name of the system in its run. What a system remembers elsewhere (a database, a model behind a
service) nobody can see here: it is part of an unfinished run only, and forgotten once that is written.

A scenario during which the system had something to remark is not kept, so that a run that goes on remarks the same.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import orjson

from goldproof.jobs.memory.answered import Answered, Stored, asked_for
from goldproof.memory.system import MemoryHit
from goldproof.records.keys import canonical_json, content_key
from goldproof.retrieve.checkpoint import UnfinishedRun

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from goldproof.io.scenarios.scenario import Scenario
    from goldproof.jobs.memory.timeline import Step, Timeline
    from goldproof.memory.system import MemorySystem


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
