"""Confidence intervals of a mean.

An `Interval` always says what it is: the method that was really used, n, the number of clusters, and a note where the
data are of a kind for which no method covers as promised, or where no interval exists. Nothing here is NaN, nothing
warns.

`mean_interval(values)` chooses ("auto"):

    values 0/1                     wilson         (a real interval even when all are equal)
    other values                   hall           (Student's t corrected for skewness)
    0/1 in clusters                wilson         with the design effect
    other values in clusters       cluster-cr2    (Student's t for clusters of unequal size)

`difference_interval(differences)` is for paired differences. They may be negative even where the sample has none, so
Wilson's interval is never chosen for them; and they are symmetric enough, with heavy tails, for a correction by their
estimated skewness to do harm:

    wins and losses (-1, 0, 1)     tango          (a real interval even when no pair differs)
    other differences              t
    differences in clusters        cluster-cr2

By name: "t", "hall", "bootstrap-percentile", "bca", "bootstrap-t", "wilson", "tango"; with clusters "cluster-t",
"cluster-cr2", "cluster-bootstrap", "wilson". Clusters of one value each are the same as no clusters. The choice rests
on the simulation in docs/statistics/coverage.md.

    no values                      estimate, low and high are None ("degenerate")
    one value, or all equal        low and high are None ("degenerate"); but auto gives 0/1 values Wilson's
    one cluster                    low and high are None ("degenerate")
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from karat.stats.intervals.caveats import clustered_caveat, differences_caveat, plain_caveat, share_caveat
from karat.stats.intervals.checks import checked_clusters, checked_confidence, finite_values
from karat.stats.intervals.methods import METHODS, SPREAD_FREE, bounds_by_name, check_method
from karat.stats.intervals.sample import Sample

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from karat.stats.intervals.bounds import Bounds

__all__ = ["METHODS", "Interval", "difference_interval", "mean_interval", "mean_intervals"]


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its interval, or the reason why there is none."""

    estimate: float | None
    low: float | None
    high: float | None
    confidence: float
    method: str
    n: int
    clusters: int | None
    note: str | None


def mean_interval(
    values: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    confidence: float = 0.95,
    method: str = "auto",
    seed: int = 0,
) -> Interval:
    """The mean of the values with its confidence interval.

    values: finite numbers. clusters: an integer per value, equal for values that belong together.
    seed: only "bootstrap-t" uses it.
    """
    sample = _sample(values, clusters=clusters, confidence=confidence, seed=seed)
    return _interval(sample, method=_choose(sample) if method == "auto" else method)


def mean_intervals(
    columns: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    confidence: float = 0.95,
    method: str = "auto",
    seed: int = 0,
) -> list[Interval]:
    """`mean_interval` of each column of a table (rows: questions, columns: metrics); the clusters are read once."""
    table = finite_values(columns, dimensions=2)
    shared = checked_clusters(clusters, n=table.shape[0])
    level = checked_confidence(confidence)
    samples = [Sample(values=column, clusters=shared, confidence=level, seed=seed) for column in table.T.copy()]
    return [_interval(sample, method=_choose(sample) if method == "auto" else method) for sample in samples]


def difference_interval(
    differences: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    confidence: float = 0.95,
    method: str = "auto",
    seed: int = 0,
) -> Interval:
    """The mean of paired differences with its confidence interval; parameters as in `mean_interval`."""
    sample = _sample(differences, clusters=clusters, confidence=confidence, seed=seed)
    if method == "auto":
        method = _choose_for_differences(sample)
    return _interval(sample, method=method)


def _sample(values: ArrayLike, *, clusters: ArrayLike | None, confidence: float, seed: int) -> Sample:
    array = finite_values(values)
    grouped = checked_clusters(clusters, n=array.size)
    return Sample(values=array, clusters=grouped, confidence=checked_confidence(confidence), seed=seed)


def _choose(sample: Sample) -> str:
    if sample.binary:
        return "wilson"
    return "hall" if sample.groups is None else "cluster-cr2"


def _choose_for_differences(sample: Sample) -> str:
    if sample.wins_and_losses:
        return "tango"
    return "t" if sample.groups is None else "cluster-cr2"


def _interval(sample: Sample, *, method: str) -> Interval:
    check_method(sample, method=method)
    missing = sample.why_none(spread_needed=method not in SPREAD_FREE)
    if missing is not None:
        return _report(sample, None, method="degenerate", note=missing)
    bounds = bounds_by_name(sample, method=method)
    if bounds is None:
        note = "Too many resamples have no spread for the bootstrap-t to have two ends."
        return _report(sample, None, method=method, note=note)
    return _report(sample, bounds, method=method, note=_caveat(sample, method=method))


def _caveat(sample: Sample, *, method: str) -> str | None:
    if method == "tango":
        return differences_caveat(sample.values)
    if sample.groups is not None:
        return clustered_caveat(sample.unit_values, clusters=sample.groups, allows_skew=method == "wilson")
    return share_caveat(sample.values) if method == "wilson" else plain_caveat(sample.unit_values)


def _report(sample: Sample, bounds: Bounds | None, *, method: str, note: str | None) -> Interval:
    return Interval(
        estimate=float(sample.values.mean()) if sample.n else None,
        low=None if bounds is None else bounds.low,
        high=None if bounds is None else bounds.high,
        confidence=sample.confidence,
        method=method,
        n=sample.n,
        clusters=None if sample.clusters is None else sample.clusters.count,
        note=note,
    )
