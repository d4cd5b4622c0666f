"""The Mann-Whitney U test: is a value of a more often above a value of b than below it?

U = number of (a, b) pairs in which a is greater, ties counted one half = rank sum of a - n_a (n_a + 1) / 2.

    n_a + n_b <= 60    exact over all ways to deal the (shared) ranks out, ties included
    above              normal: z = (|U - n_a n_b / 2| - 1/2) / sqrt(n_a n_b / 12 * (n + 1 - sum(t^3 - t) / (n (n - 1))))

where t are the sizes of groups of equal values. All values equal: p = 1. Mann and Whitney (1947).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from goldproof.stats.outcome import Alternative, TestResult
from goldproof.stats.ranks import Ranks, shared_ranks

if TYPE_CHECKING:
    from goldproof.core.arrays import FloatArray, IntArray

EXACT_UP_TO = 60


def mann_whitney_test(a: FloatArray, b: FloatArray, *, alternative: Alternative = "two-sided") -> TestResult:
    """The U test of two samples, each with at least one value. The statistic is U of a."""
    n = int(a.size + b.size)
    ranks = shared_ranks(np.concatenate((a, b)))
    doubled_u = int(ranks.doubled[: a.size].sum()) - a.size * (a.size + 1)
    if ranks.tie_sizes.size == 1:
        return TestResult("mann-whitney (exact)", doubled_u / 2, 1.0, n, "All values are equal.")
    lead = doubled_u - a.size * b.size  # twice U's distance from its centre, a whole number
    if n <= EXACT_UP_TO:
        p_value = _exact_p(ranks.doubled, size=a.size, lead=lead, alternative=alternative)
        return TestResult("mann-whitney (exact)", doubled_u / 2, p_value, n)
    p_value = _normal_p(ranks, size=a.size, lead=lead, alternative=alternative)
    return TestResult("mann-whitney (normal)", doubled_u / 2, p_value, n)


def _exact_p(doubled: IntArray, *, size: int, lead: int, alternative: Alternative) -> float:
    """The share of all ways to deal the ranks out whose lead is as extreme. With ties it is not symmetric."""
    n = doubled.size
    smaller = min(size, n - size)
    ways = _rank_sum_counts(doubled, size=smaller)
    leads = np.arange(ways.size) - smaller * (n + 1)
    if smaller != size:
        leads = -leads
    if alternative == "two-sided":
        leads, lead = np.abs(leads), abs(lead)
    elif alternative == "less":
        leads, lead = -leads, -lead
    extreme = leads >= lead
    return min(1.0, float(ways[extreme].sum() / ways.sum()))


def _rank_sum_counts(doubled: IntArray, *, size: int) -> FloatArray:
    """In how many ways `size` of the doubled ranks add up to 0, 1, 2, ..."""
    ways: FloatArray = np.zeros((size + 1, int(np.sort(doubled)[doubled.size - size :].sum()) + 1))
    ways[0, 0] = 1.0
    for rank in doubled.tolist():
        ways[1:, rank:] += ways[:-1, : ways.shape[1] - rank].copy()
    return np.asarray(ways[size])


def _normal_p(ranks: Ranks, *, size: int, lead: int, alternative: Alternative) -> float:
    from scipy import special  # noqa: PLC0415  scipy is slow to import

    n = ranks.doubled.size
    ties = ranks.tie_sizes.astype(np.float64)
    spread = math.sqrt(size * (n - size) / 12 * (n + 1 - float((ties**3 - ties).sum()) / (n * (n - 1))))
    if alternative == "two-sided":
        return min(1.0, 2 * float(special.ndtr(-(abs(lead) - 1) / 2 / spread)))
    lead = lead if alternative == "greater" else -lead
    return float(special.ndtr(-(lead - 1) / 2 / spread))
