"""Wilcoxon's signed-rank test: are positive differences larger, in rank, than negative ones?

Zero differences are dropped (Wilcoxon's rule); the rest are ranked by magnitude, equal magnitudes sharing their mean
rank. W = sum of the ranks of the positive differences; it is the statistic. Under the null hypothesis every sign is a
fair coin, which gives the exact distribution of W, ties included:

    n <= 100    exact (by adding one rank at a time, see `signed_sums`)
    n > 100     normal: z = (|W - n(n+1)/4| - 1/2) / sqrt(n(n+1)(2n+1)/24 - sum(t^3 - t)/48), t = sizes of ties

With clusters the signed ranks are summed within each cluster and whole clusters flip. Assumes that differences are
symmetric about their centre. Wilcoxon (1945).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from goldproof.stats.outcome import NO_DIFFERENCE, NO_PAIRS, Alternative, TestResult, undefined_test
from goldproof.stats.permutation import DEFAULT_PERMUTATIONS, sign_flip
from goldproof.stats.ranks import Ranks, shared_ranks
from goldproof.stats.signed_sums import signed_sum_tail

if TYPE_CHECKING:
    from goldproof.core.arrays import FloatArray
    from goldproof.stats.clusters import Clusters

EXACT_UP_TO = 100


def wilcoxon_test(
    differences: FloatArray,
    *,
    clusters: Clusters | None = None,
    alternative: Alternative = "two-sided",
    seed: int = 0,
    permutations: int = DEFAULT_PERMUTATIONS,
) -> TestResult:
    """The signed-rank test of differences; seed and permutations matter only with clusters."""
    n = differences.size
    if n == 0:
        return undefined_test("wilcoxon", n=0, note=NO_PAIRS)
    kept = differences != 0.0
    if not kept.any():
        return TestResult("wilcoxon (exact)", 0.0, 1.0, n, NO_DIFFERENCE)
    ranks = shared_ranks(np.abs(differences[kept]))
    signs = np.sign(differences[kept])
    statistic = float(ranks.doubled[signs > 0].sum()) / 2
    note = f"Differences of zero are left out ({n - signs.size} of {n})." if signs.size < n else None
    if clusters is not None:
        signed = np.zeros(n)
        signed[kept] = signs * ranks.doubled
        flipped = sign_flip(clusters.sums(signed), alternative=alternative, seed=seed, permutations=permutations)
        title = f"cluster wilcoxon ({flipped.how})"
        return TestResult(title, statistic, flipped.p_value, n, note)
    if signs.size <= EXACT_UP_TO:
        p_value = _exact_p(ranks, lead=int((signs * ranks.doubled).sum()), alternative=alternative)
        return TestResult("wilcoxon (exact)", statistic, p_value, n, note)
    return TestResult("wilcoxon (normal)", statistic, _normal_p(ranks, statistic, alternative), n, note)


def _exact_p(ranks: Ranks, *, lead: int, alternative: Alternative) -> float:
    """lead: twice the positive rank sum minus twice the negative one."""
    if alternative == "two-sided":
        return 1.0 if lead == 0 else min(1.0, 2 * signed_sum_tail(ranks.doubled, at_least=abs(lead)))
    return signed_sum_tail(ranks.doubled, at_least=lead if alternative == "greater" else -lead)


def _normal_p(ranks: Ranks, statistic: float, alternative: Alternative) -> float:
    from scipy import special  # noqa: PLC0415  scipy is slow to import

    n = ranks.doubled.size
    ties = ranks.tie_sizes.astype(np.float64)
    spread = math.sqrt(n * (n + 1) * (2 * n + 1) / 24 - float((ties**3 - ties).sum()) / 48)
    lead = statistic - n * (n + 1) / 4
    if alternative == "two-sided":
        return min(1.0, 2 * float(special.ndtr(-(abs(lead) - 0.5) / spread)))
    lead = lead if alternative == "greater" else -lead
    return float(special.ndtr(-(lead - 0.5) / spread))
