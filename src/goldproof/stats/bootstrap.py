"""Bootstrap intervals: bootstrap-t, percentile, BCa, cluster bootstrap, and the percentile interval of any statistic.

Bootstrap-t. Each resample gives t* = (m* - m) / (s* / sqrt(n)); with its quantiles, the interval is

    m - t*(1 - a/2) s / sqrt(n)   to   m - t*(a/2) s / sqrt(n).

Resamples are drawn at random from a seeded generator: 9,999 of them, fewer where n is above 20,000 (never below 999). A
resample without spread has t* = -inf or +inf; where such resamples reach the quantile there is no interval. Efron and
Tibshirani (1993), "An Introduction to the Bootstrap", chapter 12.

Percentile. The a/2 and 1 - a/2 quantiles of the bootstrap distribution of the mean.

BCa (bias-corrected and accelerated). The quantiles at

    Phi(z0 + (z0 + z) / (1 - c (z0 + z))),    z = Phi^-1(a/2) and Phi^-1(1 - a/2),

with z0 = Phi^-1(P(mean* < m) + P(mean* = m) / 2) and the acceleration c = sum d^3 / (6 (sum d^2)^1.5), d = x - m.
Efron (1987), "Better bootstrap confidence intervals", JASA 82.

Cluster bootstrap. G clusters are drawn with replacement; the mean of a resample is the ratio sum S* / sum N* of its
totals and sizes. That is not a mean of G independent numbers, but P(ratio* <= x) = P(sum (S_g - x N_g)* <= 0) is one
for each x. So the distribution function comes from `mean_distribution.mean_series`, and an end of the interval is the x
at which it reaches its level. It is the usual method, but too short with few clusters: a 95% interval covers 83 to 89%
at G = 10 clusters of unequal size. Davison and Hinkley (1997), "Bootstrap Methods and their Application", section 3.8.

Any statistic (`bootstrap_interval`). For means use `goldproof.stats.intervals`, which needs no resampling. Here rows
(or whole clusters of rows) are drawn with replacement from a seeded generator, the statistic is computed on each
resample, and the interval is from its a/2 to its 1 - a/2 quantile (linear between order statistics). A resample on
which the statistic is not a finite number is left out and counted in the note; if more than one in twenty is left out,
there is no interval.
"""

from __future__ import annotations

from math import isfinite, sqrt
from typing import TYPE_CHECKING

import numpy as np

from goldproof.errors import InputError
from goldproof.stats.mean_distribution import mean_distribution, mean_series
from goldproof.stats.results import Bounds, Interval
from goldproof.stats.samples import checked_confidence, read_clusters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import ArrayLike

    from goldproof.records.arrays import FloatArray, IntArray
    from goldproof.stats.samples import Clusters


RESAMPLES = 9_999

_FEWEST = 999

_MAX_DRAWS = 200_000_000

_CHUNK_DRAWS = 1 << 20

_ROUNDING = 1e-12  # in standard errors


def bootstrap_t_interval(
    values: FloatArray, *, confidence: float, seed: int, resamples: int = RESAMPLES
) -> Bounds | None:
    """Return the bootstrap-t interval of at least two different values; None where a quantile of t* is infinite."""
    n = values.size
    centre = float(values.mean())
    error = float(values.std(ddof=1)) / sqrt(n)
    count = min(resamples, max(_FEWEST, _MAX_DRAWS // n))
    statistics = np.sort(_statistics((values - centre) / error, resamples=count, seed=seed))
    # The k-th of B sorted statistics estimates the quantile k / (B + 1).
    rank = max(round((count + 1) * (1 - confidence) / 2), 1)
    low = centre - float(statistics[count - rank]) * error
    high = centre - float(statistics[rank - 1]) * error
    return Bounds(low, high) if isfinite(low) and isfinite(high) else None


def _statistics(standard: FloatArray, *, resamples: int, seed: int) -> FloatArray:
    """Return t* of each resample of values with mean 0."""
    n = standard.size
    generator = np.random.default_rng(seed)
    rows = max(_CHUNK_DRAWS // n, 1)
    parts = []
    for start in range(0, resamples, rows):
        drawn = standard[generator.integers(0, n, size=(min(rows, resamples - start), n))]
        mean = drawn.mean(axis=1)
        spread = np.sqrt(((drawn - mean[:, None]) ** 2).sum(axis=1) / (n - 1))
        flat = spread <= _ROUNDING
        beyond = np.where(np.abs(mean) <= _ROUNDING, 0.0, np.copysign(np.inf, mean))
        parts.append(np.where(flat, beyond, mean * sqrt(n) / np.where(flat, 1.0, spread)))
    result: FloatArray = np.concatenate(parts)
    return result


_PRECISION = 1e-8  # of the range of the cluster means


def cluster_bootstrap_interval(values: FloatArray, *, clusters: Clusters, confidence: float) -> Bounds:
    """Return percentiles of the mean over resamples of whole clusters; needs two clusters with different means."""
    centre = float(values.mean())
    totals = clusters.residuals(values)
    means = clusters.mean_residuals(values)
    least, greatest = float(means.min()), float(means.max())

    def reached(offset: float) -> float:
        return float(mean_series(totals - offset * clusters.sizes).cdf(np.zeros(1))[0])

    tail = (1 - confidence) / 2
    low, high = (where_reached(reached, level, low=least, high=greatest) for level in (tail, 1 - tail))
    return Bounds(centre + low, centre + high)


def where_reached(rising: Callable[[float], float], level: float, *, low: float, high: float) -> float:
    """Return the point between low and high at which a rising function from 0 to 1 reaches the level."""
    precision = _PRECISION * (high - low)
    below, above = -level, 1 - level  # the ends need no evaluation: nothing lies beyond them
    secant = True
    while high - low > precision:
        width = high - low
        point = low - below * width / (above - below) if secant else (low + high) / 2
        point = min(max(point, low + precision / 2), high - precision / 2)
        error = rising(point) - level
        if error < 0:
            low, below = point, error
        else:
            high, above = point, error
        # Where the function is far from a line, halving takes over for a step.
        secant = high - low < width / 2
    return (low + high) / 2


def percentile_interval(values: FloatArray, *, confidence: float) -> Bounds:
    """Return the percentile interval of at least two different values."""
    tail = (1 - confidence) / 2
    return _ends(values, levels=np.array([tail, 1 - tail]))


def bca_interval(values: FloatArray, *, confidence: float) -> Bounds:
    """Return the BCa interval of at least two different values."""
    from scipy.special import ndtr, ndtri  # noqa: PLC0415 - scipy is loaded when first needed

    centre = float(values.mean())
    apart = values - centre
    distribution = mean_distribution(values)
    bias = ndtri(distribution.cdf(np.array([centre])))[0]
    acceleration = float((apart**3).sum() / (6 * (apart**2).sum() ** 1.5))
    tail = (1 - confidence) / 2
    z = bias + ndtri(np.array([tail, 1 - tail]))
    ends = distribution.quantile(ndtr(bias + z / (1 - acceleration * z)))
    return Bounds(float(ends[0]), float(ends[1]))


def _ends(values: FloatArray, *, levels: FloatArray) -> Bounds:
    ends = mean_distribution(values).quantile(levels)
    return Bounds(float(ends[0]), float(ends[1]))


METHOD = "bootstrap-percentile"

_MOST_UNDEFINED = 0.05


def bootstrap_interval(
    rows: ArrayLike,
    statistic: Callable[[FloatArray], float],
    *,
    clusters: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
) -> Interval:
    """Return the statistic of the rows with its percentile interval.

    rows: a number or an array of numbers for each unit. statistic: takes rows, gives a number.
    clusters: a label per row, equal for rows that belong together.
    """
    data = np.asarray(rows, dtype=np.float64)
    grouped = read_clusters(clusters, n=len(data))
    level = checked_confidence(confidence)
    if resamples < 1:
        raise InputError(f"resamples is {resamples}; expected at least 1.")
    units = len(data) if grouped is None else grouped.count
    estimate = float(statistic(data)) if len(data) else float("nan")

    def report(low: float | None, high: float | None, note: str | None) -> Interval:
        known = estimate if isfinite(estimate) else None
        method = METHOD if low is not None else "degenerate"
        return Interval(known, low, high, level, method, len(data), None if grouped is None else units, note)

    if not isfinite(estimate):
        return report(None, None, "The statistic is undefined on these data.")
    if units < 2:
        return report(None, None, "Only one unit: an interval needs at least two.")
    drawn = np.array([statistic(data[draw]) for draw in _draws(len(data), grouped, resamples=resamples, seed=seed)])
    finite = drawn[np.isfinite(drawn)]
    undefined = resamples - finite.size
    if undefined > _MOST_UNDEFINED * resamples:
        return report(None, None, f"The statistic is undefined on {undefined} of {resamples} resamples.")
    low, high = np.quantile(finite, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return report(low, high, _left_out(undefined, resamples))


def _left_out(undefined: int, resamples: int) -> str | None:
    if not undefined:
        return None
    return f"The statistic is undefined on {undefined} of {resamples} resamples, which are left out."


def _draws(n: int, clusters: Clusters | None, *, resamples: int, seed: int) -> Iterator[IntArray]:
    """Yield the row numbers of each resample."""
    generator = np.random.default_rng(seed)
    if clusters is None:
        for _ in range(resamples):
            yield generator.integers(0, n, n)
        return
    members = np.split(np.argsort(clusters.codes, kind="stable"), np.cumsum(clusters.sizes)[:-1].astype(np.int64))
    for _ in range(resamples):
        yield np.concatenate([members[group] for group in generator.integers(0, clusters.count, clusters.count)])
