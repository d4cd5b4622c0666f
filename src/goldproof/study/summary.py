"""One run on one metric: the mean with its interval, and how many questions are not in it, and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from goldproof.stats import Interval, mean_interval
from goldproof.study.panel import FAILED, SCORED, UNDEFINED, Column

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.core.arrays import FloatArray, IntArray
    from goldproof.study.facts import MetricFacts


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
    mean = float(values.mean()) if n else None
    return RunSummary(
        run=run,
        metric=facts.name,
        mean=mean,
        interval=facts.within_bounds(
            mean_interval(
                values, clusters=None if clusters is None else clusters[scored], seed=seed, bounded=facts.bounded
            )
        ),
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
        return float(values.mean()) if len(values) else None
    if facts.worst is None:
        return None
    return float(np.concatenate([values, np.full(n_failed, facts.worst)]).mean())
