"""What passes between the steps: stored, answered, matched and scored queries."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.io.scenarios.scenario import MemoryItem, Query, Scenario
    from goldproof.judge import Label, Ruling
    from goldproof.memory.system import MemoryHit
    from goldproof.metrics.memory.criterion import Criterion
    from goldproof.metrics.memory.outcome import Measured, Outcome


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


# By the id that the system gave on storing, by equal text, by the judge on rewritten text; none: nobody's memory.
How = Literal["id", "text", "judge", "none"]
_SAID: Mapping[Label, str] = {
    "unsupported": "the judge proved nothing",
    "disputed": "the judge disputed the question",
    "abstained": "the judge abstained",
    "failed": "the judge failed",
}


@dataclass(frozen=True, slots=True)
class NoRuling:
    """Why a judge's ruling on an item cannot be used; failed: the judge failed, else it said nothing that counts."""

    reason: str
    failed: bool


def no_ruling(ruling: Ruling) -> NoRuling | None:
    """Return why a ruling is neither a yes nor a no; None where it is one of them."""
    if ruling.sufficient is not None:
        return None
    said = _SAID[ruling.label]
    return NoRuling(f"{said}: {ruling.reason}" if ruling.reason else said, failed=ruling.label == "failed")


@dataclass(frozen=True, slots=True)
class Matched:
    """One returned item, and the memories of the scenario that it stands for.

    unread: why the judge could not tell what it stands for, if so. ungraded: why the grade of the judge that grades in
    place of the scenario cannot be used, if so.
    """

    hit: MemoryHit
    memories: tuple[str, ...]
    how: How
    gain: float = 0.0
    unread: NoRuling | None = None
    ungraded: NoRuling | None = None


@dataclass(frozen=True, slots=True)
class Tried:
    """One criterion on one query; value is None where the measure is undefined there, and nothing is said then.

    ungraded: why a judge's grade that it needs cannot be used; then nobody knows whether it holds.
    """

    criterion: Criterion
    value: float | None
    holds: bool | None
    ungraded: NoRuling | None = None


@dataclass(frozen=True, slots=True)
class ScoredQuery:
    """All that is known of one query; outcome is None where it failed, or a judge could not match what came.

    undecided: why nobody can say whether it passed: a judge's ruling that decides it cannot be used. It has not passed
    then, and counts in no pass rate.
    """

    answered: Answered
    matches: tuple[Matched, ...] = ()
    outcome: Outcome | None = None
    values: Mapping[str, Measured] = field(default_factory=dict)
    tried: tuple[Tried, ...] = ()
    passed: bool = False
    undecided: NoRuling | None = None

    @property
    def key(self) -> str:
        """The id of the query among all of a run."""
        return self.answered.key

    @property
    def failed(self) -> bool:
        """Whether the system failed on it, or what it returned could not be matched."""
        return self.answered.error is not None
