"""Exact power of McNemar's test.

p10 = chance that only a is right on a question, p01 = that only b is; p10 + p01 is the discordant share. The number of
discordant pairs is M ~ Binomial(n, p10 + p01), and given M = m, a's wins are B ~ Binomial(m, p10 / (p10 + p01)):

    power = sum over m of P(M = m) * P(B falls where the test rejects at m discordant pairs)

over all m that carry any probability. Nothing is approximated: the rejection region is that of the test named, so the
power of "mcnemar" is the power of what `paired_test` does. Power is a saw-tooth in n, as the region moves in whole
pairs; `mcnemar_sample_size` gives the n from which it no longer falls below the target (looked ahead by 5% or 25).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from goldproof.core.errors import InputError, UnknownNameError
from goldproof.stats.mcnemar import MCNEMAR_TESTS, McNemarTest, p_values
from goldproof.stats.paired_power import check_plan, smallest

if TYPE_CHECKING:
    from goldproof.core.arrays import FloatArray, IntArray
    from goldproof.stats.outcome import Alternative

_SPREADS = 12.0
_SMOOTH = 500  # discordant pairs from which the sawtooth is flat
_MOST = 10_000_000
_ROUNDING = 1e-12


def mcnemar_power(
    n: int,
    *,
    p10: float,
    p01: float,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    test: McNemarTest = "mcnemar",
) -> float:
    """The chance that McNemar's test rejects at `alpha` with n questions."""
    check_plan(alpha=alpha, alternative=alternative)
    _check_shares(p10=p10, p01=p01, test=test)
    if n > _MOST:
        raise InputError(f"n = {n:,}: the exact power is computed up to {_MOST:,} questions; plan with an effect size.")
    share = p10 + p01
    if n < 1 or share == 0.0:
        return 0.0
    counts = _likely_counts(n, share)
    bound = _most_losses(counts, test=test, alpha=alpha, alternative=alternative)
    ahead = p10 / share
    if alternative == "two-sided":
        chance = _at_most(bound, counts, 1 - ahead) + _at_most(bound, counts, ahead)
    else:
        chance = _at_most(bound, counts, 1 - ahead if alternative == "greater" else ahead)
    return min(1.0, math.fsum((_binomial(counts, n, share) * chance).tolist()))


def mcnemar_sample_size(
    *,
    p10: float,
    p01: float,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    test: McNemarTest = "mcnemar",
) -> int:
    """The number of questions from which McNemar's test has the power asked for."""
    check_plan(alpha=alpha, alternative=alternative, power=power)
    _check_shares(p10=p10, p01=p01, test=test)
    lead = {"two-sided": abs(p10 - p01), "greater": p10 - p01, "less": p01 - p10}[alternative]
    if lead <= 0:
        raise InputError(
            f"p10 = {p10}, p01 = {p01}: no sample finds this with alternative {alternative!r}. "
            "Give the smallest difference worth finding."
        )

    def enough(n: int) -> bool:
        return mcnemar_power(n, p10=p10, p01=p01, alpha=alpha, alternative=alternative, test=test) >= power

    found = smallest(enough, start=1)
    if found * (p10 + p01) > _SMOOTH:
        return found
    settled = found + max(25, found // 20)  # the power of an exact test rises in a sawtooth
    while settled > 1 and enough(settled - 1):
        settled -= 1
    return settled


def _check_shares(*, p10: float, p01: float, test: str) -> None:
    if test not in MCNEMAR_TESTS:
        raise UnknownNameError("McNemar test", test, MCNEMAR_TESTS)
    if not (p10 >= 0.0 and p01 >= 0.0 and p10 + p01 <= 1.0 + _ROUNDING):
        raise InputError(f"p10 = {p10}, p01 = {p01}: expected two shares of questions, together at most 1.")


def _likely_counts(n: int, share: float) -> IntArray:
    """Every number of discordant pairs that is not all but impossible."""
    reach = _SPREADS * math.sqrt(n * share * max(0.0, 1 - share)) + 40
    low, high = max(0, math.floor(n * share - reach)), min(n, math.ceil(n * share + reach))
    return np.arange(low, high + 1, dtype=np.int64)


def _most_losses(counts: IntArray, *, test: McNemarTest, alpha: float, alternative: Alternative) -> IntArray:
    """For each number of discordant pairs the most losses with which the test still rejects; -1 for never."""
    low = np.full(counts.size, -1, dtype=np.int64)
    high = (counts + 1) // 2 if alternative == "two-sided" else counts + 1
    tail: Alternative = "two-sided" if alternative == "two-sided" else "greater"
    while np.any(high - low > 1):  # p grows with the losses, so halving finds the edge for all counts at once
        middle = (low + high) // 2
        rejects = p_values(counts - middle, counts, test=test, alternative=tail) <= alpha
        rejects &= middle >= 0
        open_ = high - low > 1
        low, high = np.where(open_ & rejects, middle, low), np.where(open_ & ~rejects, middle, high)
    return low


def _at_most(bound: IntArray, counts: IntArray, chance: float) -> FloatArray:
    """P(Binomial(counts, chance) <= bound)."""
    from scipy import special  # noqa: PLC0415  scipy is slow to import

    return np.where(bound < 0, 0.0, special.bdtr(np.maximum(bound, 0).astype(np.float64), counts, chance))


def _binomial(counts: IntArray, n: int, share: float) -> FloatArray:
    """P(Binomial(n, share) = counts)."""
    from scipy import special  # noqa: PLC0415  scipy is slow to import

    share = min(share, 1.0)
    ways = special.gammaln(n + 1) - special.gammaln(counts + 1) - special.gammaln(n - counts + 1)
    return np.exp(ways + special.xlogy(counts, share) + special.xlog1py(n - counts, -share))
