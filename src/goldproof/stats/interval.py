"""Confidence intervals of a mean.

An `Interval` always says what it is: the method that was really used, n, the number of clusters, and a note where the
data are of a kind for which no method covers as promised, or where no interval exists. Nothing here is NaN, nothing
warns.

`mean_interval(values)` chooses ("auto"):

    values 0/1                     wilson         (a real interval even when all are equal)
    other values                   hall           (Student's t corrected for skewness)
    values in clusters             wilson         with as many values as would be as uncertain without clusters
    unbounded values in clusters   cluster-cr2    (Student's t for clusters of unequal size), with a note

`difference_interval(differences)` is for paired differences. They may be negative even where the sample has none, so
Wilson's interval is never chosen for them; and they are symmetric enough, with heavy tails, for a correction by their
estimated skewness to do harm:

    wins and losses (-1, 0, 1)     tango          (a real interval even when no pair differs)
    other differences              t
    differences in clusters        cluster-cr2

Whether two systems are tied is asked of "gaffke", which is right however few pairs differ (see
`goldproof.stats.intervals.gaffke`); it is never chosen by itself.

Wilson's, Tango's and Gaffke's intervals hold for metrics within 0 and 1. With bounded=False they are not taken: a
log-likelihood that came out as 0, or equal for two systems, on every question may be anything on the next.

By name: "t", "hall", "bootstrap-percentile", "bca", "bootstrap-t", "wilson", "tango", "gaffke"; with clusters
"cluster-t", "cluster-cr2", "cluster-bootstrap", "gaffke", "wilson". Clusters of one value each are the same as no
clusters. The choice rests on the simulation in docs/statistics/coverage.md.

    no values                      estimate, low and high are None ("degenerate")
    one value, or all equal        low and high are None ("degenerate"); but auto gives 0/1 values Wilson's interval
                                   and differences of zero Tango's, if the metric is bounded
    one cluster                    low and high are None ("degenerate")
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.stats.intervals.basis import Basis
from goldproof.stats.intervals.caveats import (
    clustered_caveat,
    clustered_share_caveat,
    differences_caveat,
    plain_caveat,
    share_caveat,
)
from goldproof.stats.intervals.methods import METHODS, SPREAD_FREE, bounds_by_name, method_for
from goldproof.stats.sample import unit_values

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from goldproof.stats.intervals.bounds import Bounds

__all__ = ["METHODS", "Interval", "difference_interval", "mean_interval"]


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its interval, or the reason why there is none.

    clusters: how many there are; None where every value stands alone. note: a whole sentence.
    """

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
    bounded: bool = True,
) -> Interval:
    """The mean of the values with its confidence interval.

    values: finite numbers. clusters: a label per value, equal for values that belong together.
    seed: only "bootstrap-t" uses it. bounded: the metric lies within 0 and 1; Wilson's interval rests on that.
    """
    basis = Basis.read(values, clusters=clusters, confidence=confidence, seed=seed, bounded=bounded)
    return _interval(basis, method=_choose(basis) if method == "auto" else method, of_differences=False)


def difference_interval(
    differences: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    confidence: float = 0.95,
    method: str = "auto",
    seed: int = 0,
    bounded: bool = True,
) -> Interval:
    """The mean of paired differences with its confidence interval.

    bounded: the metric lies within 0 and 1, so its differences lie within -1 and 1; Tango's interval rests on that.
    The other parameters are as in `mean_interval`.
    """
    basis = Basis.read(differences, clusters=clusters, confidence=confidence, seed=seed, bounded=bounded)
    method = _choose_for_differences(basis) if method == "auto" else method
    return _interval(basis, method=method, of_differences=True)


def _choose(basis: Basis) -> str:
    if basis.clusters is None:
        return "wilson" if basis.binary else "hall"
    return "wilson" if basis.shares else "cluster-cr2"


def _choose_for_differences(basis: Basis) -> str:
    if basis.wins_and_losses:
        return "tango"
    return "t" if basis.clusters is None else "cluster-cr2"


def _interval(basis: Basis, *, method: str, of_differences: bool) -> Interval:
    method = method_for(basis, method=method)
    spread_needed = method not in SPREAD_FREE or (method == "wilson" and not basis.binary)
    missing = basis.why_none(spread_needed=spread_needed)
    if missing is not None:
        return _report(basis, None, method="degenerate", note=missing)
    bounds = bounds_by_name(basis, method=method)
    if bounds is None:
        note = "Too many resamples have no spread for the bootstrap-t to have two ends."
        return _report(basis, None, method=method, note=note)
    return _report(basis, bounds, method=method, note=_caveat(basis, method=method, of_differences=of_differences))


def _caveat(basis: Basis, *, method: str, of_differences: bool) -> str | None:
    if method in {"gaffke", "tango"}:
        return differences_caveat(basis.values)
    if basis.clusters is not None and method == "wilson":
        return clustered_share_caveat(float(basis.values.mean()), clusters=basis.clusters)
    if basis.clusters is not None:
        return clustered_caveat(unit_values(basis.values), clusters=basis.clusters, of_differences=of_differences)
    return share_caveat(basis.values) if method == "wilson" else plain_caveat(unit_values(basis.values))


def _report(basis: Basis, bounds: Bounds | None, *, method: str, note: str | None) -> Interval:
    return Interval(
        estimate=float(basis.values.mean()) if basis.n else None,
        low=None if bounds is None else bounds.low,
        high=None if bounds is None else bounds.high,
        confidence=basis.confidence,
        method=method,
        n=basis.n,
        clusters=None if basis.clusters is None else basis.clusters.count,
        note=note,
    )
