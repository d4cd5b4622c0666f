"""Winner against baseline on the hold-out, and the optimism of tuning.

The optimism of a configuration is its development score minus its hold-out score. The winner was chosen for its
development score, so that score is too high; the baseline was not, so its optimism shows how much easier the
development scenarios are. The gain (winner minus baseline, query by query) is given for both splits as well.

Nothing is fitted on the hold-out, neither a floor nor a weight nor any calibration of scores: all fitting was done on
development. Intervals are of 95%, with scenarios as clusters; those on development ignore that the winner was selected.
Every objective lies in 0..1, so an interval is cut there, and that of a gain at -1 and 1: coverage
stays. The interval of a difference between the splits, which share no scenario, is put together from the two cut
intervals of its parts:

    low  = d - sqrt((a - low(a))^2 + (high(b) - b)^2)
    high = d + sqrt((high(a) - a)^2 + (b - low(b))^2)        d = a - b

Zou and Donner, Construction of confidence limits about effect measures, Statistics in Medicine 27, 2008. A failed query
counts 0, as in the search. A gain is over the queries for which both have a value.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING

from goldproof.jobs.memory.tuning.trial import score_configuration, value_of
from goldproof.stats import difference_interval, mean_interval
from goldproof.study.summary import MetricFacts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.io.scenarios.scenario import Suite
    from goldproof.jobs.memory.criteria import Rules
    from goldproof.jobs.memory.records import ScoredQuery
    from goldproof.jobs.memory.tuning.baseline import ScoredBaseline
    from goldproof.jobs.memory.tuning.trial import FinishedSearch
    from goldproof.stats import Interval

BASELINE = "baseline"
TUNED = "tuned"
GAIN = "gain"
Rows = tuple["ScoredQuery", ...]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean of n queries (None where there are none) and its interval; note: why there is no interval.

    A difference between the splits has no n: each has its own.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int | None = None
    note: str | None = None

    def to_dict(self) -> dict[str, object]:
        """Return plain data."""
        interval = None if self.low is None else [self.low, self.high]
        counted = {} if self.n is None else {"n": self.n}
        return {"value": self.value, "ci_95": interval, **counted, "note": self.note}


@dataclass(frozen=True, slots=True)
class Optimism:
    """A figure on both splits, and development minus hold-out."""

    name: str
    development: Estimate
    holdout: Estimate

    @property
    def difference(self) -> Estimate:
        """Development minus hold-out: how much tuning inflated the development score."""
        return difference_of(self.development, self.holdout)

    def to_dict(self) -> dict[str, object]:
        """Return plain data."""
        return {
            "development": self.development.to_dict(),
            "holdout": self.holdout.to_dict(),
            "optimism": self.difference.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class HoldoutComparison:
    """Baseline and winner, query by query, on both splits; the names of the runs are "baseline" and "tuned"."""

    objective: str
    development: Mapping[str, Rows]
    holdout: Mapping[str, Rows]

    @property
    def optimism(self) -> tuple[Optimism, ...]:
        """Winner, baseline and the gain of one over the other, on both splits."""
        of_runs = [
            Optimism(name, self._mean(self.development[name]), self._mean(self.holdout[name]))
            for name in (TUNED, BASELINE)
        ]
        return (*of_runs, Optimism(GAIN, self._gain(self.development), self._gain(self.holdout)))

    def to_dict(self) -> dict[str, object]:
        """Return plain data."""
        return {"objective": self.objective, "optimism": {figure.name: figure.to_dict() for figure in self.optimism}}

    def _mean(self, rows: Sequence[ScoredQuery]) -> Estimate:
        values, clusters = self._values(rows)
        return self._cut(mean_interval(values, clusters=clusters))

    def _gain(self, runs: Mapping[str, Rows]) -> Estimate:
        pairs = [
            (value_of(a, self.objective), value_of(b, self.objective), a.answered.scenario.id)
            for a, b in zip(runs[TUNED], runs[BASELINE], strict=True)
        ]
        kept = [(a - b, cluster) for a, b, cluster in pairs if a is not None and b is not None]
        interval = difference_interval([gain for gain, _ in kept], clusters=[cluster for _, cluster in kept])
        return self._cut(interval, of_difference=True)

    def _cut(self, interval: Interval, *, of_difference: bool = False) -> Estimate:
        facts = MetricFacts(self.objective, 0.0, 1.0, higher_is_better=True)
        cut = facts.within_bounds(interval, of_difference=of_difference)
        return Estimate(cut.estimate, cut.low, cut.high, cut.n, cut.note)

    def _values(self, rows: Sequence[ScoredQuery]) -> tuple[list[float], list[str]]:
        """Return the objective of each query for which it is defined, and its scenario."""
        pairs = [(value_of(row, self.objective), row.answered.scenario.id) for row in rows]
        kept = [(value, cluster) for value, cluster in pairs if value is not None]
        return [value for value, _ in kept], [cluster for _, cluster in kept]


def compare_on_holdout(
    tuned: FinishedSearch, *, development: Suite, holdout: Suite, rules: Rules, scored: ScoredBaseline | None = None
) -> HoldoutComparison:
    """Run baseline and winner on the hold-out, and again on development, where the search kept means only.

    Open the hold-out first (`open_holdout`): this reads it. scored: the baseline, where it is no pipeline of ours.
    """
    pipelines = {BASELINE: tuned.baseline.pipeline, TUNED: tuned.winner.pipeline}
    if scored is None:
        return HoldoutComparison(
            objective=tuned.objective,
            development=_run(pipelines, development, rules),
            holdout=_run(pipelines, holdout, rules),
        )
    del pipelines[BASELINE]
    return HoldoutComparison(
        objective=tuned.objective,
        development={BASELINE: scored.rows, **_run(pipelines, development, rules)},
        holdout={BASELINE: scored.baseline.score(holdout, rules=rules), **_run(pipelines, holdout, rules)},
    )


def difference_of(a: Estimate, b: Estimate) -> Estimate:
    """Return the difference of two independent estimates."""
    if a.value is None or b.value is None:
        return Estimate(None, None, None, note=a.note or b.note)
    value = a.value - b.value
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return Estimate(value, None, None, note=a.note or b.note)
    low = value - hypot(a.value - a.low, b.high - b.value)
    return Estimate(value, low, value + hypot(a.high - a.value, b.value - b.low))


def _run(pipelines: Mapping[str, str], suite: Suite, rules: Rules) -> dict[str, Rows]:
    """Run each configuration once, also where the winner is the baseline itself."""
    rows: dict[str, Rows] = {}
    for pipeline in dict.fromkeys(pipelines.values()):
        rows[pipeline] = score_configuration(pipeline, suite, rules=rules)
    return {name: rows[pipeline] for name, pipeline in pipelines.items()}
