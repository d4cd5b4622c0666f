"""McNemar's test of paired 0/1 values, and its exact power.

Values are 0 or 1. b = pairs that only a gets right, c = pairs that only b gets right, m = b + c discordant pairs;
pairs on which both agree say nothing about the difference. Under the null hypothesis b ~ Binomial(m, 1/2).

    exact    two-sided p = min(1, 2 P(B <= min(b, c)));  one-sided ("greater") p = P(B >= b)
    mid-p    the same with half the probability of the observed b: two-sided p = 2 P(B < min) + P(B = min)
    chi2     (|b - c| - 1)^2 / m against chi-square with 1 degree of freedom, with Edwards' continuity correction,
             which follows the exact test closely; one-sided by the signed root

"mcnemar" takes the exact test below 25 discordant pairs and chi2 from there on. No discordant pair: p = 1. McNemar
(1947); Edwards (1948); Fagerland, Lydersen and Laake (2013) on mid-p.

Power. p10 = chance that only a is right on a question, p01 = that only b is; p10 + p01 is the discordant share. The
number of discordant pairs is M ~ Binomial(n, p10 + p01), and given M = m, a's wins are B ~ Binomial(m, p10 / (p10 +
p01)):

    power = sum over m of P(M = m) * P(B falls where the test rejects at m discordant pairs)

over all m that carry any probability. Nothing is approximated: the rejection region is that of the test named, so the
power of "mcnemar" is the power of what `paired_test` does. Power is a saw-tooth in n, as the region moves in whole
pairs; `mcnemar_sample_size` gives the n from which it no longer falls below the target (looked ahead by 5% or 25).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple, cast, get_args

import numpy as np

from goldproof.errors import InputError, UnknownNameError
from goldproof.stats.power_analysis import check_plan, smallest
from goldproof.stats.results import NO_DIFFERENCE, NO_PAIRS, Alternative, TestResult, check_alternative, undefined_test
from goldproof.stats.samples import finite_values, is_binary, paired_differences

if TYPE_CHECKING:
    import numpy.typing as npt

    from goldproof.records.arrays import FloatArray, IntArray


McNemarTest = Literal["mcnemar", "mcnemar-exact", "mcnemar-midp", "mcnemar-chi2"]

MCNEMAR_TESTS: tuple[str, ...] = get_args(McNemarTest)

EXACT_BELOW = 25

_TITLES = {
    "mcnemar-exact": "mcnemar (exact)",
    "mcnemar-midp": "mcnemar (mid-p)",
    "mcnemar-chi2": "mcnemar (chi-square)",
}


class Discordant(NamedTuple):
    """Pairs that only one of the two systems gets right."""

    only_a: int
    only_b: int

    @property
    def total(self) -> int:
        """All discordant pairs."""
        return self.only_a + self.only_b


def discordant_pairs(differences: FloatArray) -> Discordant:
    """Count the signs of differences between 0/1 values."""
    return Discordant(int(np.count_nonzero(differences > 0)), int(np.count_nonzero(differences < 0)))


def mcnemar_test(
    a: npt.ArrayLike, b: npt.ArrayLike, *, test: McNemarTest = "mcnemar", alternative: Alternative = "two-sided"
) -> TestResult:
    """Test paired 0/1 values. The statistic is b (only a is right), or chi-square for "mcnemar-chi2"."""
    check_alternative(alternative)
    if test not in MCNEMAR_TESTS:
        raise UnknownNameError("McNemar test", test, MCNEMAR_TESTS)
    differences = paired_differences(a, b)
    if not (is_binary(finite_values(a, name="a")) and is_binary(finite_values(b, name="b"))):
        raise InputError(
            "mcnemar: a value is neither 0 nor 1. Use test='sign-flip' for graded scores, or threshold them first."
        )
    if differences.size == 0:
        return undefined_test("mcnemar", n=0, note=NO_PAIRS)
    pairs = discordant_pairs(differences)
    chosen = resolve(test, pairs.total)
    p_value = float(
        p_values(np.array([pairs.only_a]), np.array([pairs.total]), test=chosen, alternative=alternative)[0]
    )
    if pairs.total == 0:
        return TestResult(_TITLES[chosen], 0.0, 1.0, differences.size, NO_DIFFERENCE)
    statistic = _chi_square(pairs) if chosen == "mcnemar-chi2" else float(pairs.only_a)
    note = f"The first won {pairs.only_a} of {differences.size} pairs and lost {pairs.only_b or 'none'}."
    return TestResult(_TITLES[chosen], statistic, p_value, differences.size, note)


def resolve(test: McNemarTest, discordant: int) -> McNemarTest:
    """Return the variant that "mcnemar" stands for at this many discordant pairs."""
    if test == "mcnemar":
        return "mcnemar-exact" if discordant < EXACT_BELOW else "mcnemar-chi2"
    return test


def p_values(
    only_a: npt.NDArray[np.integer], discordant: npt.NDArray[np.integer], *, test: McNemarTest, alternative: Alternative
) -> FloatArray:
    """Return p-values for arrays of counts; the power calculation needs many at once."""
    wins, total = only_a.astype(np.float64), discordant.astype(np.float64)
    if test == "mcnemar":
        small = p_values(only_a, discordant, test="mcnemar-exact", alternative=alternative)
        large = p_values(only_a, discordant, test="mcnemar-chi2", alternative=alternative)
        return np.where(total < EXACT_BELOW, small, large)
    if alternative == "less":
        wins = total - wins
    if test == "mcnemar-chi2":
        return _chi_square_p(wins, total, two_sided=alternative == "two-sided")
    return _binomial_p(wins, total, two_sided=alternative == "two-sided", mid=test == "mcnemar-midp")


def _binomial_p(wins: FloatArray, total: FloatArray, *, two_sided: bool, mid: bool) -> FloatArray:
    from scipy import special  # noqa: PLC0415  scipy is slow to import

    # P(B >= w) = P(B <= m - w) by symmetry; the lower tail keeps its digits however small it is.
    reached = np.minimum(wins, total - wins) if two_sided else total - wins
    tail = special.bdtr(reached, total.astype(np.int64), 0.5)
    if mid:
        before = np.where(reached >= 1, special.bdtr(np.maximum(reached - 1, 0), total.astype(np.int64), 0.5), 0.0)
        tail = (tail + before) / 2
    p_value = 2 * tail if two_sided else tail
    return cast("FloatArray", np.where(total == 0, 1.0, np.minimum(1.0, p_value)))


def _chi_square_p(wins: FloatArray, total: FloatArray, *, two_sided: bool) -> FloatArray:
    from scipy import special  # noqa: PLC0415  scipy is slow to import

    root = np.sqrt(np.maximum(total, 1.0))
    lead = 2 * wins - total
    if two_sided:
        p_value = 2 * special.ndtr(-np.maximum(np.abs(lead) - 1, 0.0) / root)
    else:
        p_value = special.ndtr(-(lead - 1) / root)
    return cast("FloatArray", np.where(total == 0, 1.0, p_value))


def _chi_square(pairs: Discordant) -> float:
    lead = max(abs(pairs.only_a - pairs.only_b) - 1, 0)
    return lead * lead / pairs.total


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
    """Return the chance that McNemar's test rejects at `alpha` with n questions."""
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
    """Return the number of questions from which McNemar's test has the given power."""
    check_plan(alpha=alpha, alternative=alternative, power=power)
    _check_shares(p10=p10, p01=p01, test=test)
    lead = {"two-sided": abs(p10 - p01), "greater": p10 - p01, "less": p01 - p10}[alternative]
    if lead <= 0:
        raise InputError(
            f"p10 = {p10}, p01 = {p01}: no sample size can detect this with alternative {alternative!r}. "
            "Give the smallest difference worth finding."
        )

    def enough(n: int) -> bool:
        return mcnemar_power(n, p10=p10, p01=p01, alpha=alpha, alternative=alternative, test=test) >= power

    first = smallest(enough, start=1)
    if first * (p10 + p01) > _SMOOTH:
        return first
    size = first + max(25, first // 20)  # the power of an exact test rises in a sawtooth
    while size > 1 and enough(size - 1):
        size -= 1
    return size


def _check_shares(*, p10: float, p01: float, test: str) -> None:
    if test not in MCNEMAR_TESTS:
        raise UnknownNameError("McNemar test", test, MCNEMAR_TESTS)
    if not (p10 >= 0.0 and p01 >= 0.0 and p10 + p01 <= 1.0 + _ROUNDING):
        raise InputError(f"p10 = {p10}, p01 = {p01}: expected two shares of questions, together at most 1.")


def _likely_counts(n: int, share: float) -> IntArray:
    """Return all numbers of discordant pairs that carry noticeable probability."""
    reach = _SPREADS * math.sqrt(n * share * max(0.0, 1 - share)) + 40
    low, high = max(0, math.floor(n * share - reach)), min(n, math.ceil(n * share + reach))
    return np.arange(low, high + 1, dtype=np.int64)


def _most_losses(counts: IntArray, *, test: McNemarTest, alpha: float, alternative: Alternative) -> IntArray:
    """Return, for each number of discordant pairs, the most losses with which the test still rejects; -1 for never."""
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
    """Return P(Binomial(counts, chance) <= bound)."""
    from scipy import special  # noqa: PLC0415  scipy is slow to import

    return np.where(bound < 0, 0.0, special.bdtr(np.maximum(bound, 0).astype(np.float64), counts, chance))


def _binomial(counts: IntArray, n: int, share: float) -> FloatArray:
    """Return P(Binomial(n, share) = counts)."""
    from scipy import special  # noqa: PLC0415  scipy is slow to import

    share = min(share, 1.0)
    ways = special.gammaln(n + 1) - special.gammaln(counts + 1) - special.gammaln(n - counts + 1)
    return np.exp(ways + special.xlogy(counts, share) + special.xlog1py(n - counts, -share))
