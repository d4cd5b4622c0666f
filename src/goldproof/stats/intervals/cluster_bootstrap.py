"""The cluster bootstrap: percentiles of the mean over resamples of whole clusters, without resampling.

G clusters are drawn with replacement; the mean of a resample is the ratio sum S* / sum N* of its totals and sizes.
That is not a mean of G independent numbers, but P(ratio* <= x) = P(sum (S_g - x N_g)* <= 0) is one for each x. So the
distribution function comes from the series of `series`, and an end of the interval is the x at which it reaches its
level.

It is the usual method and too short with few clusters: 83 to 89% where 95% is asked for at G = 10 of unequal size.

Citation: Davison and Hinkley (1997), "Bootstrap Methods and their Application", section 3.8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.stats.intervals.bounds import Bounds
from goldproof.stats.intervals.series import mean_series

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.core.arrays import FloatArray
    from goldproof.stats.clusters import Clusters

_PRECISION = 1e-8  # of the range of the cluster means


def cluster_bootstrap_interval(values: FloatArray, *, clusters: Clusters, confidence: float) -> Bounds:
    """Percentiles of the mean over resamples of whole clusters; at least two clusters with different means."""
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
    """The point between low and high at which a rising function from 0 to 1 reaches the level."""
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
