"""Intervals of the mean of values in clusters (see `goldproof.stats.clusters` for V, the variances, and for df).

    cluster-t     r -+ t(G - 1) sqrt(V), V the plain cluster variance.
    cluster-cr2   r -+ t(df) sqrt(V), V the bias-reduced variance and df its degrees of freedom.
    wilson        Wilson's interval with n replaced by r (1 - r) / V, the number of 0/1 values that would be as
                  uncertain, and z by t(df); V is the jackknife variance, df as in cluster-cr2. For values within 0
                  and 1. Of 0/1 values the number is at most N; at r = 0 or 1 it cannot be estimated and is G.

r is the mean, t(df) Student's quantile. All need at least two clusters.

Citation: Cochran (1977), section 6; Bell and McCaffrey (2002), Survey Methodology 28 (cr2); Korn and Graubard (1998),
Survey Methodology 24 (the number of values that would be as uncertain). That Wilson's form and the jackknife suit
scores between 0 and 1 as well is ours, justified by docs/statistics/coverage.md.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from goldproof.stats.intervals.bounds import Bounds
from goldproof.stats.intervals.student import t_quantile
from goldproof.stats.intervals.wilson import wilson_interval
from goldproof.stats.sample import is_binary

if TYPE_CHECKING:
    from goldproof.core.arrays import FloatArray
    from goldproof.stats.clusters import Clusters


def cluster_t_interval(values: FloatArray, *, clusters: Clusters, confidence: float) -> Bounds:
    """Student's interval with G - 1 degrees of freedom."""
    quantile = t_quantile((1 + confidence) / 2, df=clusters.count - 1)
    return _around(values, half=quantile * sqrt(clusters.variance(values)))


def cluster_cr2_interval(values: FloatArray, *, clusters: Clusters, confidence: float) -> Bounds:
    """Student's interval with the bias-reduced variance and its degrees of freedom."""
    quantile = t_quantile((1 + confidence) / 2, df=clusters.bias_reduced_df)
    return _around(values, half=quantile * sqrt(clusters.bias_reduced_variance(values)))


def cluster_wilson_interval(values: FloatArray, *, clusters: Clusters, confidence: float) -> Bounds:
    """Wilson's interval of values within 0 and 1; unless they are all 0 or all 1, clusters must differ."""
    quantile = t_quantile((1 + confidence) / 2, df=clusters.bias_reduced_df)
    return wilson_interval(float(values.mean()), n=_effective_size(values, clusters=clusters), quantile=quantile)


def _around(values: FloatArray, *, half: float) -> Bounds:
    centre = float(values.mean())
    return Bounds(centre - half, centre + half)


def _effective_size(values: FloatArray, *, clusters: Clusters) -> float:
    share = float(values.mean())
    if share in {0.0, 1.0}:
        return float(clusters.count)
    variance = clusters.jackknife_variance(values)
    if is_binary(values):
        variance = max(variance, share * (1 - share) / values.size)
    return share * (1 - share) / variance
