"""Does the run meet its targets, and which alarms fire?

A target is a criterion on a mean over the queries where the measure is scored; `pass_rate` is the mean of `passed`, and
a query on which the system failed has not passed; `unexpected_share` is the share of all returned items that stand for
no expected memory. Failures are not left out to the run's advantage: a target is met if it is also met with every
failed query at its worst, and where only one of the two holds nobody can tell. Where the interval of the mean holds the
threshold, the run is too small to tell on which side of it the system lies; the target is met or not all the same, and
the report says so.

A trigger is a criterion that should not hold, neither of the mean nor with failed queries at their worst; the queries
that cause it stand beside it, failed ones first, then the worst.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.jobs.memory.scoring import PASSED, never_defined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.jobs.memory.criteria import Rules, Trigger
    from goldproof.jobs.memory.records import ScoredQuery
    from goldproof.metrics.memory.criterion import Criterion
    from goldproof.study import Study

PASS_RATE = "pass_rate"  # noqa: S105 - it opens nothing
UNEXPECTED = "unexpected_share"


@dataclass(frozen=True, slots=True)
class RunFigure:
    """One figure of a whole run; worst: the same with failed queries at their worst."""

    value: float | None
    worst: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0


@dataclass(frozen=True, slots=True)
class Target:
    """A target and where the run stands; met is None where nothing was scored, or failures decide."""

    criterion: Criterion
    standing: RunFigure
    met: bool | None

    @property
    def too_wide(self) -> bool:
        """Whether the interval holds the threshold, or so few values have none."""
        low, high, threshold = self.standing.low, self.standing.high, self.criterion.threshold
        if low is None or high is None:
            return self.standing.value is not None and self.criterion.measure != UNEXPECTED
        if self.criterion.how == "=":  # one value off it decides; all on it may be luck
            return self.met is True and low < high
        return low < threshold < high or (self.criterion.how == ">=" and low < threshold == high)

    def to_dict(self) -> dict[str, object]:
        """Return plain data."""
        one = self.standing
        interval = None if one.low is None else [one.low, one.high]
        return {
            "target": str(self.criterion),
            "value": one.value,
            "with_failed_as_worst": one.worst,
            "ci_95": interval,
            "n": one.n,
            "met": self.met,
            "too_wide_to_tell": self.too_wide,
        }


@dataclass(frozen=True, slots=True)
class Fired:
    """A trigger that went off, and the queries that cause it; by_failures: only with failed queries at their worst."""

    trigger: Trigger
    value: float
    queries: tuple[str, ...]
    by_failures: bool = False

    def to_dict(self) -> dict[str, object]:
        """Return plain data."""
        return {
            "level": self.trigger.level,
            "trigger": str(self.trigger.criterion),
            "value": self.value,
            "by_failures": self.by_failures,
            "queries": list(self.queries),
        }


def targets_of(study: Study, run: str, rows: Sequence[ScoredQuery], *, rules: Rules) -> tuple[Target, ...]:
    """Return where a run stands on every target."""
    return tuple(_target(criterion, standing(study, run, rows, criterion.measure)) for criterion in rules.overall)


def fired(study: Study, run: str, rows: Sequence[ScoredQuery], *, rules: Rules) -> tuple[Fired, ...]:
    """Return the triggers that went off."""
    found = []
    for trigger in rules.triggers:
        one = standing(study, run, rows, trigger.criterion.measure)
        held = [value for value in (one.value, one.worst) if value is not None and trigger.criterion.holds(value)]
        if held:
            causes = _causes(trigger.criterion, rows)
            found.append(Fired(trigger, held[0], causes, by_failures=held[0] != one.value))
    return tuple(found)


def standing(study: Study, run: str, rows: Sequence[ScoredQuery], measure: str) -> RunFigure:
    """Return one figure of a run."""
    if measure == UNEXPECTED:
        share = unexpected_share(rows)
        return RunFigure(share, share, n=len(rows))
    summary = study.summary(run, PASSED if measure == PASS_RATE else measure)
    low, high = summary.interval.low, summary.interval.high
    return RunFigure(summary.mean, summary.mean_failed_as_zero, low, high, n=summary.n)


def unexpected_share(rows: Sequence[ScoredQuery]) -> float | None:
    """Return the share of all returned items that stand for no expected memory; None where nothing came at all."""
    returned = sum(len(row.matches) for row in rows if row.outcome is not None)
    return sum(map(_unexpected, rows)) / returned if returned else None


def _target(criterion: Criterion, one: RunFigure) -> Target:
    if one.value is None:
        return Target(criterion, one, met=None)
    if one.worst is None:  # something failed, and nobody knows what a failure is worth
        return Target(criterion, one, met=None)
    plain, harsh = criterion.holds(one.value), criterion.holds(one.worst)
    return Target(criterion, one, met=plain if plain == harsh else None)


def _unexpected(row: ScoredQuery) -> int:
    outcome = row.outcome
    return 0 if outcome is None else sum(not outcome.is_expected(came) for came in outcome.returned)


def _is_failed(row: ScoredQuery, measure: str) -> bool:
    return measure not in never_defined(row) if row.failed else row.values[measure].failed


def _causes(criterion: Criterion, rows: Sequence[ScoredQuery]) -> tuple[str, ...]:
    """Return the queries on which the criterion holds by themselves, those farthest from the threshold first."""
    if criterion.measure == UNEXPECTED:
        found = [(row.key, float(_unexpected(row))) for row in rows if _unexpected(row)]
        return tuple(key for key, _ in sorted(found, key=lambda pair: -pair[1]))
    if criterion.measure == PASS_RATE:
        return tuple(row.key for row in rows if not row.passed and (row.undecided is None or row.undecided.failed))
    failed = tuple(row.key for row in rows if _is_failed(row, criterion.measure))
    values = [(row.key, row.values[criterion.measure].value) for row in rows if not row.failed]
    held = [(key, value) for key, value in values if value is not None and criterion.holds(value)]
    return failed + tuple(key for key, _ in sorted(held, key=lambda pair: -abs(pair[1] - criterion.threshold)))
