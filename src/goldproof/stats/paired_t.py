"""The paired t-test, and its cluster-robust form.

    t = mean(d) / se

against Student's t. With clusters se^2 is the cluster variance of the mean (see `clusters`) with G - 1 degrees of
freedom; without, every pair is its own cluster (G = n) and se is sd / sqrt(n) with ddof 1. Fewer than two clusters:
undefined. Differences all equal and not zero: undefined, for there is no spread to measure them by. Student (1908);
Liang and Zeger (1986).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from goldproof.stats.outcome import NO_DIFFERENCE, NO_PAIRS, Alternative, TestResult, undefined_test
from goldproof.stats.sample import ROUNDING, unit_values

if TYPE_CHECKING:
    from goldproof.core.arrays import FloatArray
    from goldproof.stats.clusters import Clusters


class MeanError(NamedTuple):
    """A mean, its standard error (0 where it is only rounding) and the degrees of freedom of that error."""

    mean: float
    error: float
    df: int


def mean_error(values: FloatArray, *, clusters: Clusters | None = None) -> MeanError:
    """The mean with its (cluster-robust) standard error; needs two values in two clusters."""
    n = values.size
    error = math.sqrt(float(values.var(ddof=1)) / n if clusters is None else clusters.variance(values))
    rounding = error * math.sqrt(n) <= ROUNDING * float(np.abs(values).max())
    return MeanError(float(values.mean()), 0.0 if rounding else error, (n if clusters is None else clusters.count) - 1)


def paired_t_test(
    differences: FloatArray, *, clusters: Clusters | None = None, alternative: Alternative = "two-sided"
) -> TestResult:
    """The t-test of the mean difference."""
    n = differences.size
    title = "paired t" if clusters is None else "cluster-robust t"
    if n == 0:
        return undefined_test(title, n=0, note=NO_PAIRS)
    if not differences.any():
        return TestResult(title, 0.0, 1.0, n, NO_DIFFERENCE)
    if n == 1 or (clusters is not None and clusters.count < 2):
        note = "One pair has no spread." if n == 1 else "One cluster has no spread between clusters."
        return undefined_test(title, n=n, note=note)
    estimate = mean_error(unit_values(differences), clusters=clusters)  # t has no unit
    if estimate.error == 0.0:
        what = "differences" if clusters is None else "clusters"
        return undefined_test(title, n=n, note=f"All {what} are equal: there is no spread to measure the mean by.")
    statistic = estimate.mean / estimate.error
    return TestResult(title, statistic, _p_value(statistic, estimate.df, alternative), n)


def _p_value(statistic: float, df: int, alternative: Alternative) -> float:
    from scipy import special  # noqa: PLC0415  scipy is slow to import

    if alternative == "two-sided":
        return min(1.0, 2 * float(special.stdtr(df, -abs(statistic))))
    return float(special.stdtr(df, -statistic if alternative == "greater" else statistic))
