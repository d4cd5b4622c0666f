"""One query, scored: what came and for which memories it stands, the measures, and whether it passed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.jobs.memory.answered import Answered
    from goldproof.judge import Label, Ruling
    from goldproof.memory.system import MemoryHit
    from goldproof.metrics.memory.criterion import Criterion
    from goldproof.metrics.memory.outcome import Measured, Outcome

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
