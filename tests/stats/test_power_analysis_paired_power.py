"""Power and sample size against statsmodels and by simulation."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.power import TTestPower

from goldproof.errors import InputError, UnknownNameError
from goldproof.stats.power_analysis import minimum_detectable_effect, power, sample_size, sample_size_for_half_width

if TYPE_CHECKING:
    from goldproof.stats.results import Alternative

THEIRS = {"two-sided": "two-sided", "greater": "larger", "less": "smaller"}
ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("effect", [0.0, 0.0005, 0.01, 0.05])
def test_agrees_with_statsmodels_up_to_large_n_and_tiny_effects(effect: float, alternative: Alternative) -> None:
    for n in (2, 3, 10, 50, 500, 10_000, 200_000):
        theirs = TTestPower().power(effect, n, 0.05, alternative=THEIRS[alternative])
        if math.isnan(theirs):  # scipy's noncentral t gives up this far from the centre
            theirs = 0.0 if alternative == "less" else 1.0
        ours = power(n, effect=effect, alternative=alternative)
        assert ours == pytest.approx(theirs, rel=1e-8, abs=1e-12), f"n {n}"


@pytest.mark.parametrize(("effect", "expected"), [(0.2, 199), (0.3, 90), (0.5, 34), (0.8, 15), (0.01, 78_491)])
def test_sample_sizes_of_the_textbook(effect: float, expected: int) -> None:
    # Cohen (1988) / G*Power, two-sided .05, power .8
    assert sample_size(effect) == expected
    assert math.ceil(TTestPower().solve_power(effect_size=effect, alpha=0.05, power=0.8)) == expected


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("effect", [0.03, 0.2, 1.0, 3.0])
@pytest.mark.parametrize("design_effect", [1.0, 2.5])
def test_sample_size_is_the_smallest_that_is_enough(
    effect: float, alternative: Alternative, design_effect: float
) -> None:
    effect = -effect if alternative == "less" else effect
    n = sample_size(effect, power=0.9, alternative=alternative, design_effect=design_effect)
    assert power(n, effect=effect, alternative=alternative, design_effect=design_effect) >= 0.9
    assert power(n - 1, effect=effect, alternative=alternative, design_effect=design_effect) < 0.9


@pytest.mark.parametrize("n", [2, 5, 50, 800, 100_000])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_minimum_detectable_effect_has_just_the_power_asked_for(n: int, alternative: Alternative) -> None:
    effect = minimum_detectable_effect(n, alternative=alternative)
    assert effect is not None
    signed = -effect if alternative == "less" else effect
    assert power(n, effect=signed, alternative=alternative) == pytest.approx(0.8, abs=1e-7)


def test_minimum_detectable_effect_agrees_with_statsmodels() -> None:
    theirs = TTestPower().solve_power(nobs=50, alpha=0.05, power=0.8)
    assert minimum_detectable_effect(50) == pytest.approx(float(theirs), rel=1e-6)


def test_power_is_how_often_a_simulated_t_test_rejects() -> None:
    draws = np.random.default_rng(0).normal(0.4, 1, (20_000, 25))
    rejected = np.mean(stats.ttest_1samp(draws, 0, axis=1).pvalue < 0.05)
    assert power(25, effect=0.4) == pytest.approx(rejected, abs=4 * math.sqrt(0.25 / 20_000))


def test_a_design_effect_counts_as_fewer_questions() -> None:
    assert power(300, effect=0.2, design_effect=3.0) == power(100, effect=0.2)
    assert minimum_detectable_effect(300, design_effect=3.0) == minimum_detectable_effect(100)


def test_no_effect_is_found_as_often_as_alpha() -> None:
    for alternative in ALTERNATIVES:
        assert power(40, effect=0.0, alpha=0.03, alternative=alternative) == pytest.approx(0.03)


@settings(deadline=None)
@given(st.integers(2, 2000), st.floats(0, 2), st.floats(0.001, 0.2))
def test_power_grows_with_n_and_effect_and_ignores_the_sign_when_two_sided(n: int, effect: float, alpha: float) -> None:
    here = power(n, effect=effect, alpha=alpha)
    assert 0.0 <= here <= 1.0
    assert power(n + 1, effect=effect, alpha=alpha) >= here - 1e-9
    assert power(n, effect=effect + 0.1, alpha=alpha) >= here - 1e-9
    assert power(n, effect=-effect, alpha=alpha) == here


@pytest.mark.parametrize("n", [0, 1])
def test_without_a_degree_of_freedom_nothing_is_detectable(n: int) -> None:
    assert power(n, effect=5.0) == 0.0
    assert minimum_detectable_effect(n) is None
    assert minimum_detectable_effect(10, design_effect=10.0) is None


def test_half_width_by_its_definition() -> None:
    # t quantile * sd / sqrt(n) <= 0.02 at n and not at n - 1
    n = sample_size_for_half_width(0.02, sd=0.4)
    assert stats.t.ppf(0.975, n - 1) * 0.4 / math.sqrt(n) <= 0.02
    assert stats.t.ppf(0.975, n - 2) * 0.4 / math.sqrt(n - 1) > 0.02
    assert n == 1540


def test_half_width_with_a_design_effect_and_without_spread() -> None:
    assert sample_size_for_half_width(0.05, sd=0.4, design_effect=2.0) == pytest.approx(
        2 * sample_size_for_half_width(0.05, sd=0.4), abs=2
    )
    assert sample_size_for_half_width(0.05, sd=0.0) == 2


def test_plans_that_no_study_can_have_are_refused() -> None:
    with pytest.raises(InputError, match="effect: no sample size can detect 0"):
        sample_size(0)
    with pytest.raises(InputError, match="with alternative 'greater'"):
        sample_size(-0.2, alternative="greater")
    with pytest.raises(InputError, match="alpha: found 0"):
        power(10, effect=0.2, alpha=0)
    with pytest.raises(InputError, match="design_effect: found 0"):
        power(10, effect=0.2, design_effect=0)
    with pytest.raises(InputError, match="power: found 1"):
        sample_size(0.2, power=1)
    with pytest.raises(InputError, match="effect: found nan"):
        power(10, effect=math.nan)
    with pytest.raises(InputError, match="half_width: found 0"):
        sample_size_for_half_width(0, sd=1)
    with pytest.raises(InputError, match="sd: found -1"):
        sample_size_for_half_width(1, sd=-1)
    with pytest.raises(InputError, match="more than 1,000,000,000,000"):
        sample_size(1e-9)
    with pytest.raises(UnknownNameError, match="alternative"):
        power(10, effect=0.2, alternative=cast("Alternative", "larger"))
