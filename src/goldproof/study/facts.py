"""What a metric's name says about its values: bounds, direction, and the margin within which two systems are tied.

Goldproof's own metrics say so themselves. Of a metric that only the user knows (`faithfulness` in a score file) we
assume that higher is better unless told otherwise, that it is bounded by 1 if every value lies in 0..1, and that it
cannot be below 0 if no value is; the report says when it was assumed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from goldproof.core.errors import InputError
from goldproof.metrics import METRICS, parse_metric

if TYPE_CHECKING:
    from goldproof.core.arrays import FloatArray
    from goldproof.stats import Interval

DEFAULT_MARGIN = 0.01
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class MetricFacts:
    """How to read the values of one metric. lower, upper: what they cannot pass; None where nobody knows."""

    name: str
    lower: float | None
    upper: float | None
    higher_is_better: bool
    assumed: bool = False

    @property
    def bounded(self) -> bool:
        """Whether the values lie in 0..1."""
        return self.lower == 0 and self.upper == 1

    @property
    def worst(self) -> float | None:
        """What a failed question is worth; None where the metric has no known end on its bad side."""
        return self.lower if self.higher_is_better else self.upper

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
        """Return the chosen margin, else 0.01 for metrics bounded by 1, else none: then nothing is ever tied."""
        if chosen is not None:
            return chosen
        return DEFAULT_MARGIN if self.bounded else None


def metric_facts(name: str, values: FloatArray, *, lower_is_better: bool = False) -> MetricFacts:
    """Look the metric up by name; where nobody knows it, judge by its values and what the user says."""
    try:
        definition = METRICS.get(parse_metric(name).family)
    except InputError:
        lower = 0.0 if len(values) and values.min() >= 0 else None
        upper = 1.0 if lower == 0 and values.max() <= 1 else None
        return MetricFacts(name, lower, upper, higher_is_better=not lower_is_better, assumed=True)
    _check_range(name, values, lower=definition.lower, upper=definition.upper)
    if lower_is_better and definition.higher_is_better:
        raise InputError(f"--lower-is-better {name}: of Goldproof's own {name}, higher is better.")
    return MetricFacts(name, definition.lower, definition.upper, higher_is_better=definition.higher_is_better)


def _check_range(name: str, values: FloatArray, *, lower: float, upper: float | None) -> None:
    """Refuse values that the metric of this name cannot have: they are of some other metric."""
    outside = values[(values < lower - ROUNDING) | (values > (math.inf if upper is None else upper) + ROUNDING)]
    if len(outside):
        range_ = f"{lower:g} or more" if upper is None else f"{lower:g} to {upper:g}"
        raise InputError(
            f"{name}: a value is {outside[0]:g}, but {name} is {range_}; correct it, or give the metric another name."
        )
