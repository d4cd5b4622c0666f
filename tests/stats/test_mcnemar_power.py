"""Exact McNemar power against a count of every table, and the sample size it gives."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest
from scipy import stats

from goldproof.errors import InputError, UnknownNameError
from goldproof.stats.mcnemar import MCNEMAR_TESTS, McNemarTest, mcnemar_power, mcnemar_sample_size, mcnemar_test

if TYPE_CHECKING:
    from goldproof.stats.results import Alternative


def every_table(n: int, p10: float, p01: float, test: McNemarTest, alternative: Alternative) -> float:
    """Add up the probability of each table on which the test rejects at .05."""
    total = 0.0
    for only_a in range(n + 1):
        for only_b in range(n + 1 - only_a):
            agree = n - only_a - only_b
            a = [1] * only_a + [0] * only_b + [1] * agree
            b = [0] * only_a + [1] * only_b + [1] * agree
            p_value = mcnemar_test(a, b, test=test, alternative=alternative).p_value
            if p_value is not None and p_value <= 0.05:
                total += stats.multinomial.pmf([only_a, only_b, agree], n, [p10, p01, 1 - p10 - p01])
    return total


@pytest.mark.parametrize("test", MCNEMAR_TESTS)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_agrees_with_a_sum_over_every_table(test: str, alternative: Alternative) -> None:
    name = cast("McNemarTest", test)
    expected = every_table(28, 0.7, 0.25, name, alternative)  # discordant pairs on both sides of 25
    found = mcnemar_power(28, p10=0.7, p01=0.25, test=name, alternative=alternative)
    assert found == pytest.approx(expected, rel=1e-9)


def test_six_questions_by_hand() -> None:
    # a wins every discordant pair: the exact test rejects from 6 discordant pairs on (2 / 64), so all 6 must be: 0.5^6
    assert mcnemar_power(6, p10=0.5, p01=0.0, test="mcnemar-exact") == pytest.approx(0.5**6)
    assert mcnemar_power(5, p10=0.5, p01=0.0, test="mcnemar-exact") == 0.0
    assert mcnemar_power(6, p10=1.0, p01=0.0) == pytest.approx(1.0)


def test_is_how_often_a_simulated_test_rejects() -> None:
    generator = np.random.default_rng(0)
    wins = generator.multinomial(400, [0.14, 0.08, 0.78], size=20_000)
    rejected = 2 * stats.binom.cdf(wins[:, :2].min(axis=1), wins[:, :2].sum(axis=1), 0.5) <= 0.05
    assert mcnemar_power(400, p10=0.14, p01=0.08, test="mcnemar-exact") == pytest.approx(
        np.mean(rejected), abs=4 * math.sqrt(0.25 / 20_000)
    )


def test_many_questions_approach_the_normal_approximation() -> None:
    # Connor (1987): z = (sqrt(n) |p10 - p01| - z_alpha sqrt(psi)) / sqrt(psi - (p10 - p01)^2)
    n, psi, lead = 30_000, 0.2, 0.008
    z = (math.sqrt(n) * lead - 1.959964 * math.sqrt(psi)) / math.sqrt(psi - lead**2)
    assert mcnemar_power(n, p10=0.104, p01=0.096, test="mcnemar-chi2") == pytest.approx(stats.norm.cdf(z), abs=0.01)


def test_without_a_difference_the_size_of_the_test_stays_below_alpha() -> None:
    for n in (10, 60, 300, 3000):
        assert mcnemar_power(n, p10=0.1, p01=0.1) <= 0.05


def test_nothing_to_find() -> None:
    assert mcnemar_power(0, p10=0.2, p01=0.1) == 0.0
    assert mcnemar_power(100, p10=0.0, p01=0.0) == 0.0


def test_exchanging_the_systems_keeps_the_power() -> None:
    assert mcnemar_power(90, p10=0.3, p01=0.1) == pytest.approx(mcnemar_power(90, p10=0.1, p01=0.3), rel=1e-12)


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_sample_size_has_the_power_from_there_on(alternative: Alternative) -> None:
    n = mcnemar_sample_size(p10=0.25, p01=0.1, alternative=alternative)
    after = [mcnemar_power(m, p10=0.25, p01=0.1, alternative=alternative) for m in range(n, n + 25)]
    assert min(after) >= 0.8
    assert mcnemar_power(n - 1, p10=0.25, p01=0.1, alternative=alternative) < 0.8


def test_what_no_sample_can_find_is_refused() -> None:
    with pytest.raises(InputError, match="no sample size can detect this"):
        mcnemar_sample_size(p10=0.1, p01=0.1)
    with pytest.raises(InputError, match="no sample size can detect this"):
        mcnemar_sample_size(p10=0.1, p01=0.2, alternative="greater")
    with pytest.raises(InputError, match="together at most 1"):
        mcnemar_power(10, p10=0.7, p01=0.4)
    with pytest.raises(InputError, match="together at most 1"):
        mcnemar_power(10, p10=-0.1, p01=0.4)
    with pytest.raises(UnknownNameError, match="McNemar test"):
        mcnemar_power(10, p10=0.1, p01=0.4, test=cast("McNemarTest", "exact"))
