"""Scenarios of a run that is not finished yet, kept so that an interrupted one goes on where it was.

A system is walked through one conversation at a time, so a whole scenario is kept, or nothing of it: half of a
conversation could not be put back into a system that is not ours. What failed is tried again. Kept by all that decides
the answers as far as it can be told: the facts of the system (its pipeline, or the code it comes from), k, and the
scenario itself. What a system remembers elsewhere (a database, a model behind a service) nobody can see here: it is
part of an unfinished run only, and forgotten once that is written.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import orjson

from karat.core.keys import content_key
from karat.core.plain_values import write_down
from karat.jobs.memory.answered import Answered, Stored
from karat.memory.system import MemoryHit
from karat.retrieve.running.unfinished import UnfinishedRun

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.io.scenarios.scenario import Scenario
    from karat.jobs.memory.timeline import Timeline
    from karat.memory.system import MemorySystem


class KeptScenarios:
    """The finished scenarios of one system's run."""

    def __init__(self, system: MemorySystem, *, k: int, fresh: bool = False) -> None:
        self._k = k
        facts = write_down(getattr(system, "facts", {}))
        self._run = UnfinishedRun(content_key("memory run", facts, k), fresh=fresh)

    def get(self, timeline: Timeline) -> list[Answered] | None:
        """Return the rows of a scenario, in the order of time; None where it is not kept."""
        key = _key(timeline.scenario)
        found = self._run.read([key]).get(key)
        if found is None:
            return None
        kept = orjson.loads(found)
        return [
            _row(timeline, kept[query.id], place=(step.before, query.k or self._k), query_id=query.id)
            for step in timeline.steps
            for query in step.queries
        ]

    def put(self, scenario: Scenario, rows: Sequence[Answered]) -> None:
        """Keep a scenario, unless something failed in it."""
        if any(row.error is not None for row in rows):
            return
        content = {
            row.query.id: {
                "hits": [[hit.doc_id, hit.score, hit.text, hit.similarity] for hit in row.hits],
                "stored": {key: list(memories) for key, memories in row.stored.sources.items()},
                "seconds": row.seconds,
            }
            for row in rows
        }
        self._run.add({_key(scenario): orjson.dumps(content)})

    def close(self) -> None:
        """Let go of the file; what is kept stays."""
        self._run.close()

    def forget(self) -> None:
        """Throw everything away: the run is written."""
        self._run.forget()


def _row(timeline: Timeline, kept: dict[str, object], *, place: tuple[int, int], query_id: str) -> Answered:
    before, k = place
    query = next(query for query in timeline.scenario.queries if query.id == query_id)
    hits, stored, seconds = kept["hits"], kept["stored"], kept["seconds"]
    return Answered(
        timeline.scenario,
        query,
        timeline.memories[:before],
        Stored({str(key): tuple(memories) for key, memories in stored.items()}),  # type: ignore[attr-defined]
        k=k,
        hits=tuple(MemoryHit(*hit) for hit in hits),  # type: ignore[attr-defined]
        seconds=float(seconds),  # type: ignore[arg-type]
    )


def _key(scenario: Scenario) -> bytes:
    return hashlib.sha256(repr(scenario).encode("utf-8", "surrogatepass")).digest()
