"""What happened when a query was asked: the row that everything else is computed from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from karat.io.scenarios.scenario import MemoryItem, Query, Scenario
    from karat.memory.system import MemoryHit


@dataclass(frozen=True, slots=True)
class Stored:
    """What a system said it stored: id -> the memories it came from, in their order."""

    sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


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
