"""What a metric's name says about its values: bounds, direction, and the margin within which two systems are tied.

Karat's own metrics say so themselves. Of a metric that only the user knows (`faithfulness` in a score file) we assume
that higher is better, and that it is bounded by 1 if every value lies in 0..1; the report says when it was assumed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from karat.core.errors import InputError
from karat.metrics import METRICS, parse_metric

if TYPE_CHECKING:
    from karat.core.tables import FloatArray
    from karat.stats import Interval

DEFAULT_MARGIN = 0.01


@dataclass(frozen=True, slots=True)
class MetricFacts:
    """How to read the values of one metric."""

    name: str
    bounded: bool
    higher_is_better: bool
    assumed: bool = False

    @property
    def worst(self) -> float:
        """What a failed question is worth: 0, or 1 where low values are good."""
        return 0.0 if self.higher_is_better else 1.0

    def within_bounds(self, interval: Interval, *, of_difference: bool = False) -> Interval:
        """Cut an interval off where the metric, or a difference of two values of it, cannot be: coverage stays."""
        if not self.bounded or interval.low is None or interval.high is None:
            return interval
        lowest = -1.0 if of_difference else 0.0
        return replace(interval, low=max(lowest, interval.low), high=min(1.0, interval.high))

    def margin(self, chosen: float | None) -> float | None:
        """Return the chosen margin, else 0.01 for metrics bounded by 1, else none: then nothing is ever tied."""
        if chosen is not None:
            return chosen
        return DEFAULT_MARGIN if self.bounded else None


def metric_facts(name: str, values: FloatArray) -> MetricFacts:
    """Look the metric up by name; where nobody knows it, judge by its values."""
    try:
        definition = METRICS.get(parse_metric(name).family)
    except InputError:
        in_unit_range = bool(len(values)) and bool(values.min() >= 0) and bool(values.max() <= 1)
        return MetricFacts(name, bounded=in_unit_range, higher_is_better=True, assumed=True)
    return MetricFacts(name, bounded=definition.upper == 1.0, higher_is_better=definition.higher_is_better)
