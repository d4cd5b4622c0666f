"""Summary of one run on one metric, and the bounds and direction of the metric.

Goldproof's own metrics declare their bounds and direction. Of a metric that only the user knows (`faithfulness` in a
score file) we assume that higher is better unless told otherwise, that it is bounded by 1 if every value lies in 0..1,
and that it cannot be below 0 if no value is; the report says when it was assumed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from goldproof.errors import InputError
from goldproof.metrics import METRICS, parse_metric
from goldproof.stats import Interval, mean_interval
from goldproof.study.panel import FAILED, SCORED, UNDEFINED, Column

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.records.arrays import FloatArray, IntArray


DEFAULT_MARGIN = 0.01

ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class MetricFacts:
    """How to read the values of one metric. lower, upper: what they cannot pass; None where that is unknown.

    geometric: the number of a run is the geometric mean of its values, of which one below 1e-5 counts as that.
    """

    name: str
    lower: float | None
    upper: float | None
    higher_is_better: bool
    assumed: bool = False
    geometric: bool = False

    @property
    def bounded(self) -> bool:
        """Whether the values lie in 0..1."""
        return self.lower == 0 and self.upper == 1

    @property
    def worst(self) -> float | None:
        """What a failed question is worth; None where the metric has no known end on its bad side."""
        return self.lower if self.higher_is_better else self.upper

    def average(self, values: FloatArray) -> float | None:
        """Return the number of a run with these values; None where there are none."""
        if not len(values):
            return None
        return float(np.exp(logarithms(values).mean()) if self.geometric else values.mean())

    def average_interval(self, values: FloatArray, *, clusters: IntArray | None, seed: int) -> Interval:
        """Return the interval of that number; of a geometric mean, that of the mean logarithm taken back by exp."""
        if not self.geometric:
            return self.within_bounds(mean_interval(values, clusters=clusters, seed=seed, bounded=self.bounded))
        interval = mean_interval(logarithms(values), clusters=clusters, seed=seed, bounded=False)
        estimate, low, high = (
            None if x is None else math.exp(x) for x in (interval.estimate, interval.low, interval.high)
        )
        return self.within_bounds(replace(interval, estimate=estimate, low=low, high=high))

    def within_bounds(self, interval: Interval, *, of_difference: bool = False) -> Interval:
        """Cut an interval off where the metric, or a difference of two values of it, cannot be: coverage stays."""
        if interval.low is None or interval.high is None:
            return interval
        lowest, highest = self.lower, self.upper
        if of_difference:
            widest = None if lowest is None or highest is None else highest - lowest
            lowest, highest = None if widest is None else -widest, widest
        return replace(
            interval,
            low=interval.low if lowest is None else max(lowest, interval.low),
            high=interval.high if highest is None else min(highest, interval.high),
        )

    def margin(self, chosen: float | None) -> float | None:
        """Return the chosen margin, else 0.01 for metrics bounded by 1, else none: then nothing is ever tied.

        A geometric mean has none either: 0.01 is much next to 0.02, and little next to 0.5.
        """
        if chosen is not None:
            return chosen
        return DEFAULT_MARGIN if self.bounded and not self.geometric else None


SMALLEST = 1e-5  # trec_eval's MIN_GEO_MEAN


def logarithms(values: FloatArray) -> FloatArray:
    """Return the logarithms that a geometric mean is taken over."""
    logs: FloatArray = np.log(np.maximum(values, SMALLEST))
    return logs


def is_tested(name: str) -> bool:
    """Whether runs are compared on a metric with tests: not on counts, of which neither more nor less is better."""
    try:
        return METRICS.get(parse_metric(name).family).tested
    except InputError:  # a metric of the user's
        return True


def metric_facts(name: str, values: FloatArray, *, lower_is_better: bool = False) -> MetricFacts:
    """Look the metric up by name; where it is unknown, judge by its values and what the user says."""
    try:
        metric = parse_metric(name)
    except InputError:
        lower = 0.0 if len(values) and values.min() >= 0 else None
        upper = 1.0 if lower == 0 and values.max() <= 1 else None
        return MetricFacts(name, lower, upper, higher_is_better=not lower_is_better, assumed=True)
    definition = METRICS.get(metric.family)
    upper = definition.highest(metric)
    _check_range(name, values, lower=definition.lower, upper=upper)
    if lower_is_better and definition.higher_is_better:
        raise InputError(f"--lower-is-better {name}: of Goldproof's own {name}, higher is better.")
    return MetricFacts(
        name,
        definition.lower,
        upper,
        higher_is_better=definition.higher_is_better,
        geometric=definition.aggregate == "geometric",
    )


def _check_range(name: str, values: FloatArray, *, lower: float, upper: float | None) -> None:
    """Refuse values that the metric of this name cannot have: they are of some other metric."""
    outside = values[(values < lower - ROUNDING) | (values > (math.inf if upper is None else upper) + ROUNDING)]
    if len(outside):
        range_ = f"{lower:g} or more" if upper is None else f"{lower:g} to {upper:g}"
        raise InputError(
            f"{name}: a value is {outside[0]:g}, but {name} is {range_}; correct it, or give the metric another name."
        )


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A mean that carries its n, its interval, and what was left out of it.

    mean_failed_as_zero: the mean if every failed question had the worst value (0; 1 for a bounded metric where low is
    good); None where something failed and the metric has no known worst value.
    extra: what only the job knows, such as the share of unjudged documents.
    """

    run: str
    metric: str
    mean: float | None
    interval: Interval
    n: int
    std: float | None
    n_undefined: int
    n_failed: int
    n_missing: int
    mean_failed_as_zero: float | None
    reasons: Mapping[str, int] = field(default_factory=dict)
    extra: Mapping[str, object] = field(default_factory=dict)

    def to_dict(self) -> dict[str, object]:
        """Return the shape of `summary.json`."""
        low, high = self.interval.low, self.interval.high
        return {
            "mean": self.mean,
            "ci_95": None if low is None or high is None else [low, high],
            "n": self.n,
            "std": self.std,
            "n_undefined": self.n_undefined,
            "n_failed": self.n_failed,
            "n_missing": self.n_missing,
            "mean_failed_as_zero": self.mean_failed_as_zero,
            "interval": self.interval.method,
            "interval_note": self.interval.note,
            "n_clusters": self.interval.clusters,
            "reasons": dict(self.reasons),
            **self.extra,
        }


def summarise(
    column: Column,
    *,
    run: str,
    facts: MetricFacts,
    clusters: IntArray | None,
    seed: int,
    extra: Mapping[str, object],
) -> RunSummary:
    """Summarise one column."""
    scored = column.scored
    values = column.value[scored]
    n, n_failed = len(values), column.count(FAILED)
    return RunSummary(
        run=run,
        metric=facts.name,
        mean=facts.average(values),
        interval=facts.average_interval(values, clusters=None if clusters is None else clusters[scored], seed=seed),
        n=column.count(SCORED),
        std=float(values.std(ddof=1)) if n > 1 else None,
        n_undefined=column.count(UNDEFINED),
        n_failed=n_failed,
        n_missing=int(np.count_nonzero(column.missing)),
        mean_failed_as_zero=_with_failures(values, n_failed, facts),
        reasons=column.reason_counts(),
        extra=extra,
    )


def _with_failures(values: FloatArray, n_failed: int, facts: MetricFacts) -> float | None:
    if not n_failed:
        return facts.average(values)
    if facts.worst is None:
        return None
    return facts.average(np.concatenate([values, np.full(n_failed, facts.worst)]))
