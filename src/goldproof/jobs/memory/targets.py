"""Targets a run meets, and triggers it sets off.

A target is a criterion on a mean over the queries where the measure is scored; `pass_rate` is the mean of `passed`, and
a query on which the system failed has not passed; `unexpected_share` is the share of all returned items that stand for
no expected memory. Failures are not left out to the run's advantage: a target is met if it is also met with every
failed query at its worst, and undecided where only one of the two holds. Where the interval of the mean contains the
threshold, the run is too small to tell on which side of it the system lies; the target is met or not all the same, and
the report says so.

A trigger is a criterion that should not hold, neither of the mean nor with failed queries at their worst; it is
reported with the queries that cause it, failed ones first, then the worst. A gate may name it by its level, by its
measure, or all of them as `triggers`; there, what cannot be shown does not pass: a trigger without a figure fails it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.jobs.memory.scoring import PASSED, never_defined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.jobs.memory.criteria import Rules, Trigger
    from goldproof.jobs.memory.records import ScoredQuery
    from goldproof.metrics.memory import Criterion
    from goldproof.study import Study

PASS_RATE = "pass_rate"  # noqa: S105 - not a password
UNEXPECTED = "unexpected_share"


@dataclass(frozen=True, slots=True)
class RunFigure:
    """The value of a measure over a whole run; worst: the same with failed queries at their worst."""

    value: float | None
    worst: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0


@dataclass(frozen=True, slots=True)
class Target:
    """A target and the run's figure; met is None where nothing was scored, or failures decide."""

    criterion: Criterion
    standing: RunFigure
    met: bool | None

    @property
    def too_wide(self) -> bool:
        """Whether the interval contains the threshold, or there are too few values for an interval."""
        low, high, threshold = self.standing.low, self.standing.high, self.criterion.threshold
        if low is None or high is None:
            return self.standing.value is not None and self.criterion.measure != UNEXPECTED
        if self.criterion.how == "=":  # one value off it decides; all on it may be luck
            return self.met is True and low < high
        return low < threshold < high or (self.criterion.how == ">=" and low < threshold == high)

    def to_dict(self) -> dict[str, object]:
        """Return plain data."""
        figure = self.standing
        interval = None if figure.low is None else [figure.low, figure.high]
        return {
            "target": str(self.criterion),
            "value": figure.value,
            "with_failed_as_worst": figure.worst,
            "ci_95": interval,
            "n": figure.n,
            "met": self.met,
            "too_wide_to_tell": self.too_wide,
        }


@dataclass(frozen=True, slots=True)
class FiredTrigger:
    """A trigger that fired, and the queries that cause it; by_failures: only with failed queries at their worst."""

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
    """Return every target with the run's figure and whether it is met."""
    return tuple(_target(criterion, run_figure(study, run, rows, criterion.measure)) for criterion in rules.overall)


def _target(criterion: Criterion, figure: RunFigure) -> Target:
    if figure.value is None or figure.worst is None:  # nothing was scored, or what a failure is worth is not known
        return Target(criterion, figure, met=None)
    plain, harsh = criterion.holds(figure.value), criterion.holds(figure.worst)
    return Target(criterion, figure, met=plain if plain == harsh else None)


def fired_triggers(study: Study, run: str, rows: Sequence[ScoredQuery], *, rules: Rules) -> tuple[FiredTrigger, ...]:
    """Return the triggers that a run sets off, with the queries that cause them."""
    triggers = []
    for trigger in rules.triggers:
        figure = run_figure(study, run, rows, trigger.criterion.measure)
        held = _held(trigger.criterion, figure)
        if held is not None:
            causes = _causes(trigger.criterion, rows)
            triggers.append(FiredTrigger(trigger, held, causes, by_failures=held != figure.value))
    return tuple(triggers)


def _held(criterion: Criterion, figure: RunFigure) -> float | None:
    """Return the value of a run for which a criterion holds: the mean, or with failed queries at their worst."""
    return next((v for v in (figure.value, figure.worst) if v is not None and criterion.holds(v)), None)


def trigger_names(rules: Rules) -> tuple[str, ...]:
    """Return the names by which gates may name the triggers of some rules."""
    return tuple(dict.fromkeys(name for trigger in rules.triggers for name in _names(trigger)))


def _names(trigger: Trigger) -> tuple[str, str, str]:
    return "triggers", trigger.level, trigger.criterion.measure


def trigger_failures(
    study: Study, run: str, rows: Sequence[ScoredQuery], *, rules: Rules, name: str
) -> tuple[str, ...]:
    """Say which triggers of a name fired, or have no figure."""
    named = [trigger for trigger in rules.triggers if name in _names(trigger)]
    failures = (_failure(trigger, run, run_figure(study, run, rows, trigger.criterion.measure)) for trigger in named)
    return tuple(failure for failure in failures if failure)


def _failure(trigger: Trigger, run: str, figure: RunFigure) -> str:
    held, measure = _held(trigger.criterion, figure), trigger.criterion.measure
    if held is not None:
        counted = "" if held == figure.value else " with failures counted"
        return f"{measure} of {run} is {held:.4f}{counted} ({trigger.level} trigger {trigger.criterion})"
    if figure.value is None:
        return f"{measure} of {run} has no value ({trigger.level} trigger {trigger.criterion})"
    if figure.worst is None:
        return f"{measure} of {run} has failures of unknown worth ({trigger.level} trigger {trigger.criterion})"
    return ""


def run_figure(study: Study, run: str, rows: Sequence[ScoredQuery], measure: str) -> RunFigure:
    """Return the value of a measure over a run."""
    if measure == UNEXPECTED:
        share = unexpected_share(rows)
        return RunFigure(share, share, n=len(rows))
    summary = study.summary(run, PASSED if measure == PASS_RATE else measure)
    low, high = summary.interval.low, summary.interval.high
    return RunFigure(summary.mean, summary.mean_failed_as_zero, low, high, n=summary.n)


def unexpected_share(rows: Sequence[ScoredQuery]) -> float | None:
    """Return the share of all returned items that stand for no expected memory; None where nothing was returned."""
    returned = sum(len(row.matches) for row in rows if row.outcome is not None)
    return sum(map(_unexpected, rows)) / returned if returned else None


def _unexpected(row: ScoredQuery) -> int:
    outcome = row.outcome
    return 0 if outcome is None else sum(not outcome.is_expected(item) for item in outcome.returned)


def _is_failed(row: ScoredQuery, measure: str) -> bool:
    return measure not in never_defined(row) if row.failed else row.values[measure].failed


def _causes(criterion: Criterion, rows: Sequence[ScoredQuery]) -> tuple[str, ...]:
    """Return the queries on which the criterion holds alone, those farthest from the threshold first."""
    if criterion.measure == UNEXPECTED:
        counts = [(row.key, _unexpected(row)) for row in rows if _unexpected(row)]
        return tuple(key for key, _ in sorted(counts, key=lambda pair: -pair[1]))
    if criterion.measure == PASS_RATE:
        return tuple(row.key for row in rows if not row.passed and (row.undecided is None or row.undecided.failed))
    failed = tuple(row.key for row in rows if _is_failed(row, criterion.measure))
    values = [(row.key, row.values[criterion.measure].value) for row in rows if not row.failed]
    held = [(key, value) for key, value in values if value is not None and criterion.holds(value)]
    return failed + tuple(key for key, _ in sorted(held, key=lambda pair: -abs(pair[1] - criterion.threshold)))
