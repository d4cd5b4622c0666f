"""When an interval covers less (or more) often than it says, and the data show it.

The limits come from the simulation in docs/statistics/coverage.md. Each caveat is one sentence for the reader of
a report.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from goldproof.stats.intervals.hall import skewness

if TYPE_CHECKING:
    from goldproof.core.arrays import FloatArray
    from goldproof.stats.clusters import Clusters

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
    """For independent values that are not 0/1."""
    n = values.size
    if n < FEW_VALUES:
        return f"Only {n} values: the interval rests on an assumption about their shape that so few cannot test."
    # A value that nearly all share stands in the middle of the sorted values.
    different = int(np.count_nonzero(values != np.partition(values, n // 2)[n // 2]))
    if different < FEW_DIFFERENT:
        return f"Only {different} of {n} values differ from the most common one: the interval is rough."
    if abs(skewness(values)) / sqrt(n) > STRONG_LEAN:
        return f"The {n} values are strongly skewed: a 95% interval may cover in as few as 90% of cases."
    return None


def share_caveat(values: FloatArray) -> str | None:
    """For independent 0/1 values."""
    rare = int(min(values.sum(), values.size - values.sum()))
    if rare < FEW_RARE:
        kind = f"Only {rare} of {values.size} values are of the rarer kind"
        return f"{kind}: a 95% interval may cover in as few as {79 if values.size == 1 else 83}% of cases."
    return None


def differences_caveat(values: FloatArray) -> str | None:
    """For wins and losses."""
    return None if values.any() else "Without any difference the interval rests on the metric lying within 0 and 1."


def clustered_share_caveat(share: float, *, clusters: Clusters) -> str | None:
    """For values within 0 and 1 in clusters, by Wilson's interval."""
    if (rough := _few_clusters(clusters)) is not None:
        return rough
    if min(share, 1 - share) < NEAR_AN_END and clusters.count < MANY_CLUSTERS:
        return (
            f"The mean of {clusters.count} clusters is near an end of the scale: a 95% interval may cover in as few as "
            f"{LOWEST_NEAR_AN_END}% of cases."
        )
    return None


def clustered_caveat(values: FloatArray, *, clusters: Clusters, of_differences: bool) -> str | None:
    """For values in clusters by a method that takes their means as symmetric, which only differences mostly are."""
    if (rough := _few_clusters(clusters)) is not None:
        return rough
    if not of_differences and clusters.count < MANY_CLUSTERS:
        return (
            f"The means of {clusters.count} clusters may be skewed: a 95% interval may cover in as few as "
            f"{LOWEST_SKEWED}% of cases."
        )
    if abs(skewness(clusters.mean_residuals(values))) / sqrt(clusters.count) > STRONG_LEAN:
        return f"The means of the {clusters.count} clusters are skewed: a 95% interval may cover in as few as 88%."
    return None


def _few_clusters(clusters: Clusters) -> str | None:
    if clusters.count < FEW_CLUSTERS:
        return f"Only {clusters.count} clusters: the interval is rough."
    if clusters.bias_reduced_df < FEW_DEGREES:
        largest = float(clusters.shares.max())
        return f"A few clusters hold most of the values (the largest {largest:.0%}): the interval is rough."
    return None
