"""McNemar's test: of the questions on which two systems disagree, does one win more often than chance?

Values are 0 or 1. b = pairs that only a gets right, c = pairs that only b gets right, m = b + c discordant pairs;
pairs on which both agree say nothing about the difference. Under the null hypothesis b ~ Binomial(m, 1/2).

    exact    two-sided p = min(1, 2 P(B <= min(b, c)));  one-sided ("greater") p = P(B >= b)
    mid-p    the same with half the probability of the observed b: two-sided p = 2 P(B < min) + P(B = min)
    chi2     (|b - c| - 1)^2 / m against chi-square with 1 degree of freedom, with Edwards' continuity correction,
             which follows the exact test closely; one-sided by the signed root

"mcnemar" takes the exact test below 25 discordant pairs and chi2 from there on. No discordant pair: p = 1.
McNemar (1947); Edwards (1948); Fagerland, Lydersen and Laake (2013) on mid-p.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, cast, get_args

import numpy as np

from goldproof.core.errors import InputError, UnknownNameError
from goldproof.stats.outcome import (
    NO_DIFFERENCE,
    NO_PAIRS,
    Alternative,
    TestResult,
    check_alternative,
    undefined_test,
)
from goldproof.stats.sample import finite_values, is_binary, paired_differences

if TYPE_CHECKING:
    import numpy.typing as npt

    from goldproof.core.arrays import FloatArray

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
    """McNemar's test of paired 0/1 values. The statistic is b (only a is right), or chi-square for "mcnemar-chi2"."""
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
    note = f"The values are 1 and 0 in {pairs.only_a} of {differences.size} pairs, 0 and 1 in {pairs.only_b}."
    return TestResult(_TITLES[chosen], statistic, p_value, differences.size, note)


def resolve(test: McNemarTest, discordant: int) -> McNemarTest:
    """The variant that "mcnemar" stands for at this many discordant pairs."""
    if test == "mcnemar":
        return "mcnemar-exact" if discordant < EXACT_BELOW else "mcnemar-chi2"
    return test


def p_values(
    only_a: npt.NDArray[np.integer], discordant: npt.NDArray[np.integer], *, test: McNemarTest, alternative: Alternative
) -> FloatArray:
    """p-values for arrays of counts; the power calculation needs many at once."""
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
