"""One query, scored: what came and for which memories it stands, the measures, and whether it passed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.jobs.memory.answered import Answered
    from goldproof.memory.system import MemoryHit
    from goldproof.metrics.memory.criterion import Criterion
    from goldproof.metrics.memory.outcome import Measured, Outcome

# By the id that the system gave on storing, by equal text, by the judge on rewritten text; none: nobody's memory.
How = Literal["id", "text", "judge", "none"]


@dataclass(frozen=True, slots=True)
class Matched:
    """One returned item, and the memories of the scenario that it stands for.

    failed: why the judge could not tell what it stands for, if so.
    """

    hit: MemoryHit
    memories: tuple[str, ...]
    how: How
    gain: float = 0.0
    failed: str = ""


@dataclass(frozen=True, slots=True)
class Tried:
    """One criterion on one query; value is None where the measure is undefined there, and nothing is said then.

    ungraded: why a judge that should have graded did not; then the measure has a value that nobody knows.
    """

    criterion: Criterion
    value: float | None
    holds: bool | None
    ungraded: str = ""


@dataclass(frozen=True, slots=True)
class ScoredQuery:
    """All that is known of one query; outcome is None where it failed.

    undecided: why nobody can say whether it passed: a judge did not grade what decides it. It has not passed then.
    """

    answered: Answered
    matches: tuple[Matched, ...] = ()
    outcome: Outcome | None = None
    values: Mapping[str, Measured] = field(default_factory=dict)
    tried: tuple[Tried, ...] = ()
    passed: bool = False
    undecided: str = ""

    @property
    def key(self) -> str:
        """The id of the query among all of a run."""
        return self.answered.key

    @property
    def failed(self) -> bool:
        """Whether the system failed on it, or what it returned could not be matched."""
        return self.answered.error is not None
