"""Confidence interval of a mean or of a mean difference, by the method that suits the data.

An `Interval` reports the method actually used, n, the number of clusters, and a note where coverage may fall below the
nominal level or where no interval exists. Nothing returns NaN or raises a warning.

`mean_interval(values)` chooses ("auto"):

    values 0/1                     wilson         (a real interval even when all are equal)
    other values                   hall           (Student's t corrected for skewness)
    values in clusters             wilson         with as many values as would be as uncertain without clusters
    unbounded values in clusters   cluster-cr2    (Student's t for clusters of unequal size), with a note

`difference_interval(differences)` is for paired differences. They may be negative even where the sample has no negative
one, so Wilson's interval is never chosen; and they are nearly symmetric with heavy tails, so a correction by their
estimated skewness does harm:

    wins and losses (-1, 0, 1)     tango          (a real interval even when no pair differs)
    other differences              t
    differences in clusters        cluster-cr2

Ties are decided by "gaffke", which holds however few pairs differ (see `goldproof.stats.interval_methods`); "auto"
never chooses it.

Wilson's, Tango's and Gaffke's intervals hold for metrics between 0 and 1. With bounded=False they are not used: a
log-likelihood of 0 on every question so far, or equal for two systems, may be anything on the next.

By name: "t", "hall", "bootstrap-percentile", "bca", "bootstrap-t", "wilson", "tango", "gaffke"; with clusters
"cluster-t", "cluster-cr2", "cluster-bootstrap", "gaffke", "wilson". Clusters of one value each are the same as no
clusters. The choice rests on the simulation in docs/concepts/statistics/coverage.md.

    no values                      estimate, low and high are None ("degenerate")
    one value, or all equal        low and high are None ("degenerate"); but auto gives 0/1 values Wilson's interval
                                   and differences of zero Tango's, if the metric is bounded
    one cluster                    low and high are None ("degenerate")

A caveat in `note` is one sentence for the reader of a report; its limits come from the same simulation.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ldexp, sqrt
from typing import TYPE_CHECKING

import numpy as np

from goldproof.errors import InputError, UnknownNameError, counted
from goldproof.stats.bootstrap import (
    bca_interval,
    bootstrap_t_interval,
    cluster_bootstrap_interval,
    percentile_interval,
)
from goldproof.stats.interval_methods import (
    cluster_cr2_interval,
    cluster_t_interval,
    cluster_wilson_interval,
    gaffke_interval,
    hall_interval,
    normal_quantile,
    skewness,
    t_interval,
    tango_interval,
    wilson_interval,
)
from goldproof.stats.results import Bounds, Interval
from goldproof.stats.samples import (
    Clusters,
    binary_exponent,
    checked_confidence,
    finite_values,
    is_binary,
    is_flat,
    read_clusters,
    unit_values,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from goldproof.records.arrays import FloatArray


_BEYOND = 1e-6  # a difference of 1 may be rounded upwards


@dataclass(frozen=True, slots=True)
class Basis:
    """Checked values, their clusters and bounds.

    clusters: None where no two values share one. labelled: whether clusters were given at all.
    bounded: whether the metric lies within 0 and 1, so that values of 0 and 1 (differences of -1, 0 and 1) are counts.
    """

    values: FloatArray
    clusters: Clusters | None
    labelled: bool
    confidence: float
    seed: int
    bounded: bool

    @classmethod
    def read(
        cls, values: ArrayLike, *, clusters: ArrayLike | None, confidence: float, seed: int, bounded: bool
    ) -> Basis:
        """Check the input."""
        array = finite_values(values, name="values")
        return cls(
            values=array,
            clusters=read_clusters(clusters, n=array.size),
            labelled=clusters is not None,
            confidence=checked_confidence(confidence),
            seed=seed,
            bounded=bounded,
        )

    @property
    def n(self) -> int:
        """How many values there are."""
        return int(self.values.size)

    @property
    def exponent(self) -> int:
        """Values are divided by 2^exponent, so that no square or cube of them over- or underflows."""
        return binary_exponent(self.values)

    @property
    def binary(self) -> bool:
        """Whether every value is 0 or 1, in a metric bounded by 0 and 1."""
        return self.bounded and is_binary(self.values)

    @property
    def shares(self) -> bool:
        """Whether every value lies between 0 and 1, in a metric bounded by 0 and 1."""
        return self.bounded and self.n > 0 and float(self.values.min()) >= 0.0 and float(self.values.max()) <= 1.0

    @property
    def within_one(self) -> bool:
        """Whether every difference lies between -1 and 1, in a metric bounded by 0 and 1."""
        return self.bounded and bool((np.abs(self.values) <= 1 + _BEYOND).all())

    @property
    def wins_and_losses(self) -> bool:
        """Whether every value is -1, 0 or 1, without clusters; if all are 0, clusters do not matter."""
        if not self.bounded:
            return False
        if self.clusters is not None:
            return not self.values.any()
        return bool(np.isin(self.values, (-1.0, 0.0, 1.0)).all())

    def why_none(self, *, spread_needed: bool) -> str | None:
        """Return why there is no interval, else None. spread_needed: the method estimates the values' spread."""
        if self.n == 0:
            return "There are no values."
        if self.clusters is not None and self.clusters.count == 1:
            return f"All {self.n} values are in one cluster: an interval needs at least two clusters."
        if not spread_needed:
            return None
        if self.n == 1:
            return "Only one value: an interval needs at least two."
        scale = float(np.abs(self.values).max())
        if is_flat(self.values, scale=scale):
            return f"All {self.n} values are {self.values[0]:.6g}, so there is no interval."
        if self.clusters is not None and is_flat(self.clusters.mean_residuals(self.values), scale=scale):
            return f"All {self.clusters.count} clusters have the same mean, so there is no interval."
        return None


def mean_interval(
    values: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    confidence: float = 0.95,
    method: str = "auto",
    seed: int = 0,
    bounded: bool = True,
) -> Interval:
    """Return the mean of the values with its confidence interval.

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
    """Return the mean of paired differences with its confidence interval.

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
        note = "Too many resamples have no spread, so the bootstrap-t has no interval."
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


_PLAIN: dict[str, Callable[..., Bounds]] = {
    "bca": bca_interval,
    "bootstrap-percentile": percentile_interval,
    "hall": hall_interval,
    "t": t_interval,
}

_CLUSTERED: dict[str, Callable[..., Bounds]] = {
    "cluster-bootstrap": cluster_bootstrap_interval,
    "cluster-cr2": cluster_cr2_interval,
    "cluster-t": cluster_t_interval,
}

# What the clustered methods become where no two values share a cluster.
_ALONE = {"cluster-bootstrap": "bootstrap-percentile", "cluster-cr2": "t", "cluster-t": "t"}

SPREAD_FREE = frozenset({"gaffke", "tango", "wilson"})  # they need no spread in the sample

METHODS = tuple(sorted({"auto", "bootstrap-t", *SPREAD_FREE, *_PLAIN, *_CLUSTERED}))


def method_for(basis: Basis, *, method: str) -> str:
    """Return the method to use for this name and data; raise if it is unknown or does not fit the data."""
    if method not in METHODS:
        raise UnknownNameError("interval method", method, METHODS)
    if method in _CLUSTERED and not basis.labelled:
        raise InputError(f"interval method {method!r} needs clusters, and none were given. Give them, or use 'auto'.")
    if method not in _CLUSTERED and method not in SPREAD_FREE and basis.clusters is not None:
        names = ", ".join(sorted(_CLUSTERED))
        raise InputError(
            f"interval method {method!r} would ignore the clusters. Use 'auto', or one of {names}, gaffke, wilson."
        )
    if method == "wilson" and not (basis.binary or (basis.clusters is not None and basis.shares)):
        raise InputError(
            "interval method 'wilson' needs values of 0 and 1 of a bounded metric; with clusters, values from 0 to 1. "
            "Use 'auto' or 'hall'."
        )
    if method == "tango" and not basis.wins_and_losses:
        raise InputError(
            "interval method 'tango' needs differences of -1, 0 and 1 of a bounded metric, not in clusters. Use 'auto'."
        )
    if method == "gaffke" and not basis.within_one:
        raise InputError("interval method 'gaffke' needs differences of a metric within 0 and 1. Use 'auto'.")
    return _ALONE.get(method, method) if basis.clusters is None else method


def bounds_by_name(basis: Basis, *, method: str) -> Bounds | None:
    """Return the bounds by a checked method; None where the bootstrap-t has none."""
    if method == "gaffke":
        return gaffke_interval(basis.values, clusters=basis.clusters, confidence=basis.confidence)
    if method in SPREAD_FREE:
        return _tango(basis) if method == "tango" else _wilson(basis)
    bounds = _by_spread(basis, method=method)
    return None if bounds is None else Bounds(*(ldexp(end, basis.exponent) for end in bounds))


def _by_spread(basis: Basis, *, method: str) -> Bounds | None:
    values, confidence = unit_values(basis.values), basis.confidence
    if method in _CLUSTERED:
        return _CLUSTERED[method](values, clusters=basis.clusters, confidence=confidence)
    if method == "bootstrap-t":
        return bootstrap_t_interval(values, confidence=confidence, seed=basis.seed)
    return _PLAIN[method](values, confidence=confidence)


def _wilson(basis: Basis) -> Bounds:
    if basis.clusters is not None:
        return cluster_wilson_interval(basis.values, clusters=basis.clusters, confidence=basis.confidence)
    return wilson_interval(float(basis.values.mean()), n=basis.n, quantile=_z(basis))


def _tango(basis: Basis) -> Bounds:
    # In clusters there are only zeros here, and the clusters are the only units known to be independent.
    units = basis.n if basis.clusters is None else basis.clusters.count
    wins, losses = int((basis.values > 0).sum()), int((basis.values < 0).sum())
    return tango_interval(wins=wins, losses=losses, n=units, quantile=_z(basis))


def _z(basis: Basis) -> float:
    return normal_quantile((1 + basis.confidence) / 2)


FEW_VALUES = 10

FEW_RARE = 3

FEW_DIFFERENT = 5

STRONG_LEAN = 0.3  # skewness / sqrt(n)

FEW_CLUSTERS = 10

FEW_DEGREES = 5.0

MANY_CLUSTERS = 200

NEAR_AN_END = 0.2  # of 0 or 1

LOWEST_NEAR_AN_END = 91  # percent: "8% non-zero" at 10 clusters, in "Few clusters, means"

LOWEST_SKEWED = 81  # cluster-cr2 at 10 clusters, in the same table


def plain_caveat(values: FloatArray) -> str | None:
    """Return the caveat for independent values that are not 0/1."""
    n = values.size
    if n < FEW_VALUES:
        return f"Only {n} values: too few to trust the interval."
    # A value that nearly all share is the median.
    different = int(np.count_nonzero(values != np.partition(values, n // 2)[n // 2]))
    if different < FEW_DIFFERENT:
        return f"Only {different} of {n} values differ from the most common one: the interval is rough."
    if abs(skewness(values)) / sqrt(n) > STRONG_LEAN:
        return f"The {n} values are strongly skewed: a 95% interval may cover as little as 90%."
    return None


def share_caveat(values: FloatArray) -> str | None:
    """Return the caveat for independent 0/1 values."""
    n, ones = values.size, int(values.sum())
    rare = min(ones, n - ones)
    if rare >= FEW_RARE:
        return None
    if n < 2 * FEW_RARE:  # too few whatever they are
        return f"Only {counted(n, 'value')}: a 95% interval may cover as little as {79 if n == 1 else 83}%."
    rarer = int(2 * ones <= n)
    share = f"Only {rare} of {n} values are {rarer}" if rare else f"All {n} values are {1 - rarer}"
    return f"{share}: a 95% interval may cover as little as 83%."


def differences_caveat(values: FloatArray) -> str | None:
    """Return the caveat for wins and losses."""
    return None if values.any() else "All differences are 0: the interval assumes a metric between 0 and 1."


def clustered_share_caveat(share: float, *, clusters: Clusters) -> str | None:
    """Return the caveat for values within 0 and 1 in clusters, by Wilson's interval."""
    if (rough := _few_clusters(clusters)) is not None:
        return rough
    if min(share, 1 - share) < NEAR_AN_END and clusters.count < MANY_CLUSTERS:
        return (
            f"The mean of {clusters.count} clusters is close to 0 or 1: a 95% interval may cover as little as "
            f"{LOWEST_NEAR_AN_END}%."
        )
    return None


def clustered_caveat(values: FloatArray, *, clusters: Clusters, of_differences: bool) -> str | None:
    """Return the caveat for clustered values by a method for symmetric means; mostly only differences are symmetric."""
    if (rough := _few_clusters(clusters)) is not None:
        return rough
    if not of_differences and clusters.count < MANY_CLUSTERS:
        return (
            f"The means of {clusters.count} clusters may be skewed: a 95% interval may cover as little as "
            f"{LOWEST_SKEWED}%."
        )
    if abs(skewness(clusters.mean_residuals(values))) / sqrt(clusters.count) > STRONG_LEAN:
        return f"The means of the {clusters.count} clusters are skewed: a 95% interval may cover as little as 88%."
    return None


def _few_clusters(clusters: Clusters) -> str | None:
    if clusters.count < FEW_CLUSTERS:
        return f"Only {clusters.count} clusters: the interval is rough."
    if clusters.bias_reduced_df < FEW_DEGREES:
        largest = float(clusters.shares.max())
        return f"A few clusters hold most of the values (the largest {largest:.0%}): the interval is rough."
    return None
