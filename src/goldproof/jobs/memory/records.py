"""Records that pass between the steps of a run: stored, answered, matched and scored queries."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from goldproof.io.scenarios.scenario import MemoryItem, Query, Scenario
    from goldproof.judge import Label, Ruling
    from goldproof.memory import MemoryHit
    from goldproof.metrics.memory import Criterion, Measured, Outcome


@dataclass(frozen=True)
class Stored:
    """The ids a system returned on storing: id -> the memories it came from, in their order."""

    sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def ids_of(self) -> Mapping[str, int]:
        """How many ids each memory was given."""
        return Counter(memory for memories in self.sources.values() for memory in memories)


@dataclass(frozen=True, slots=True)
class Answered:
    """One query, the memories stored when it was asked, and the returned hits.

    pool: the stored memories, oldest first. stored: the ids that stand for them. k: how many were asked for. error: why
    the system failed, if it did. seconds: how long the search took; in a batch, its share.
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
    """Return the id of a query among all of a run; one named like its scenario has the scenario's name alone."""
    return scenario.id if query.id == scenario.id else f"{scenario.id}/{query.id}"


def k_for(query: Query, k: int) -> int:
    """Return how many memories a query asks for: its own k, else the run's, raised to the least it needs."""
    return query.k or max(k, query.least_k or 0)


# By the id the system gave on storing, by equal text, by the judge on rewritten text; none: matches no memory.
How = Literal["id", "text", "judge", "none"]
_LABELS: Mapping[Label, str] = {
    "unsupported": "the judge proved nothing",
    "disputed": "the judge disputed the question",
    "abstained": "the judge abstained",
    "failed": "the judge failed",
}


@dataclass(frozen=True, slots=True)
class NoRuling:
    """Why a judge's ruling on an item cannot be used; failed: the judge failed, else it left the question open."""

    reason: str
    failed: bool


def no_ruling(ruling: Ruling) -> NoRuling | None:
    """Return why a ruling is neither a yes nor a no; None where it is one."""
    if ruling.sufficient is not None:
        return None
    label = _LABELS[ruling.label]
    return NoRuling(f"{label}: {ruling.reason}" if ruling.reason else label, failed=ruling.label == "failed")


def failure_first(reasons: Iterable[NoRuling]) -> NoRuling | None:
    """Return the reason to report: a failure, which may be gone when the run is repeated, before an open question."""
    return min(reasons, key=lambda reason: not reason.failed, default=None)


@dataclass(frozen=True, slots=True)
class Matched:
    """One returned item, and the memories of the scenario that it stands for.

    unread: why the judge of rewritten texts could not tell. ungraded: why the grade of `--judge` cannot be used.
    """

    hit: MemoryHit
    memories: tuple[str, ...]
    how: How
    gain: float = 0.0
    unread: NoRuling | None = None
    ungraded: NoRuling | None = None


@dataclass(frozen=True, slots=True)
class CriterionResult:
    """One criterion on one query; value and holds are None where the measure is undefined.

    ungraded: why a judge's grade that it needs cannot be used; whether it holds is not known then.
    """

    criterion: Criterion
    value: float | None
    holds: bool | None
    ungraded: NoRuling | None = None


@dataclass(frozen=True, slots=True)
class ScoredQuery:
    """One query with its matches, measures and criteria; outcome is None where it failed or could not be matched.

    undecided: why it is not known whether it passed: a judge's ruling that decides it cannot be used. It has not passed
    then, and counts in no pass rate.
    """

    answered: Answered
    matches: tuple[Matched, ...] = ()
    outcome: Outcome | None = None
    values: Mapping[str, Measured] = field(default_factory=dict)
    tried: tuple[CriterionResult, ...] = ()
    passed: bool = False
    undecided: NoRuling | None = None

    @property
    def key(self) -> str:
        """The id of the query among all of a run."""
        return self.answered.key

    @property
    def failed(self) -> bool:
        """Whether the system failed on it, or its returned items could not be matched."""
        return self.answered.error is not None
