"""The paired t-test, and its cluster-robust form.

    t = mean(d) / se,    se^2 = G / (G - 1) * sum over clusters of (sum of (d - mean(d)) in the cluster)^2 / n^2

against Student's t with G - 1 degrees of freedom. Without clusters every pair is its own (G = n) and se is sd / sqrt(n)
with ddof 1. Fewer than two clusters: undefined. Differences all equal and not zero: undefined, for there is no spread
to measure them by. Student (1908); Liang and Zeger (1986).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from karat.stats.outcome import Alternative, TestResult, undefined_test

if TYPE_CHECKING:
    from karat.stats.sample import Clusters, FloatArray

_NO_SPREAD = 1e-12


class MeanError(NamedTuple):
    """A mean, its standard error and the degrees of freedom of that error; 0 for an error that is only rounding."""

    mean: float
    error: float
    df: int


def mean_error(values: FloatArray, clusters: Clusters | None = None) -> MeanError:
    """The mean with its (cluster-robust) standard error; needs two values in two clusters."""
    mean = float(values.mean())
    residuals = values - mean
    sums = residuals if clusters is None else clusters.sums(residuals)
    groups = sums.size
    scale = float(np.abs(values).max())
    error = math.sqrt(groups / (groups - 1) * float(sums @ sums)) / values.size
    rounding = error * math.sqrt(values.size) <= _NO_SPREAD * scale
    return MeanError(mean, 0.0 if rounding else error, groups - 1)


def paired_t_test(
    differences: FloatArray, *, clusters: Clusters | None = None, alternative: Alternative = "two-sided"
) -> TestResult:
    """The t-test of the mean difference."""
    n = differences.size
    title = "paired t" if clusters is None else "cluster-robust t"
    if n == 0:
        return undefined_test(title, n=0, note="no pairs")
    if not differences.any():
        return TestResult(title, 0.0, 1.0, n, "every difference is zero")
    if n == 1 or (clusters is not None and clusters.count < 2):
        note = "one pair has no spread" if n == 1 else "one cluster has no spread between clusters"
        return undefined_test(title, n=n, note=note)
    estimate = mean_error(differences, clusters)
    if estimate.error == 0.0:
        what = "differences" if clusters is None else "clusters"
        return undefined_test(title, n=n, note=f"all {what} are equal: there is no spread to measure the mean by")
    statistic = estimate.mean / estimate.error
    return TestResult(title, statistic, _p_value(statistic, estimate.df, alternative), n)


def _p_value(statistic: float, df: int, alternative: Alternative) -> float:
    from scipy import special  # noqa: PLC0415  scipy is slow to import

    if alternative == "two-sided":
        return min(1.0, 2 * float(special.stdtr(df, -abs(statistic))))
    return float(special.stdtr(df, -statistic if alternative == "greater" else statistic))
