"""What happened when a query was asked: the row that everything else is computed from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.io.scenarios.scenario import MemoryItem, Query, Scenario
    from goldproof.memory.system import MemoryHit


@dataclass(frozen=True)
class Stored:
    """What a system said it stored: id -> the memories it came from, in their order."""

    sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def ids_of(self) -> Mapping[str, int]:
        """How many ids came from each memory; queries of one moment share it."""
        return Counter(memory for memories in self.sources.values() for memory in memories)


@dataclass(frozen=True, slots=True)
class Answered:
    """One query, what was stored when it was asked, and what came.

    pool: the memories stored, oldest first. stored: which ids stand for which of them. k: how many were asked for.
    error: why nothing came, where the system failed. seconds: how long it took; of a batch, its share.
    """

    scenario: Scenario
    query: Query
    pool: tuple[MemoryItem, ...]
    stored: Stored
    k: int
    hits: tuple[MemoryHit, ...] = ()
    error: str | None = None
    seconds: float = 0.0

    @property
    def key(self) -> str:
        """The id of the query among all of a run."""
        return query_key(self.scenario, self.query)


def query_key(scenario: Scenario, query: Query) -> str:
    """Return the id of a query among all of a run; a case of a single query goes by its scenario's name."""
    return scenario.id if query.id == scenario.id else f"{scenario.id}/{query.id}"


def asked_for(query: Query, k: int) -> int:
    """Return how many memories a query asks for: its own number, else that of the run, or the least it needs."""
    return query.k or max(k, query.least_k or 0)
