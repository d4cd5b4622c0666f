"""Effect sizes: values by hand, intervals by their definition and by simulation, degenerate samples."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from goldproof.errors import InputError
from goldproof.stats.effects import cohen_dz, hedges_gz, odds_ratio, rank_biserial

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.stats.results import Effect

EFFECTS: list[Callable[..., Effect]] = [cohen_dz, hedges_gz, rank_biserial, odds_ratio]


def bounds(effect: Effect) -> tuple[float, float]:
    assert effect.low is not None
    assert effect.high is not None
    return effect.low, effect.high


def test_dz_by_hand() -> None:
    # mean 2, deviations -1, 0, 1: sd = sqrt(2 / 2) = 1
    assert cohen_dz([1, 2, 3]).value == pytest.approx(2.0)


def test_dz_interval_is_where_the_observed_t_would_be_extreme() -> None:
    differences = np.random.default_rng(0).normal(0.3, 1, 40)
    effect = cohen_dz(differences, confidence=0.9)
    low, high = bounds(effect)
    t = stats.ttest_1samp(differences, 0).statistic
    assert stats.nct.sf(t, 39, low * math.sqrt(40)) == pytest.approx(0.05)
    assert stats.nct.cdf(t, 39, high * math.sqrt(40)) == pytest.approx(0.05)
    assert low < (effect.value or 0) < high


def test_dz_interval_excludes_zero_exactly_when_the_t_test_rejects() -> None:
    generator = np.random.default_rng(1)
    for _ in range(50):
        differences = generator.normal(0.35, 1, 30)
        low, high = bounds(cohen_dz(differences))
        assert (low > 0 or high < 0) == (stats.ttest_1samp(differences, 0).pvalue < 0.05)


@pytest.mark.parametrize("mean", [0.0, 0.01, 3.0])
def test_dz_of_many_pairs_has_a_normal_interval(mean: float) -> None:
    # var(d_z) is (1 + d^2 / 2) / n for large n
    differences = np.random.default_rng(2).normal(mean, 1, 50_000)
    effect = cohen_dz(differences)
    low, high = bounds(effect)
    width = 2 * 1.959964 * math.sqrt((1 + (effect.value or 0) ** 2 / 2) / 50_000)
    assert high - low == pytest.approx(width, rel=0.01)


def test_hedges_correction_by_hand() -> None:
    # df = 2: Gamma(1) / (sqrt(1) Gamma(1/2)) = 1 / sqrt(pi); d_z = 2
    assert hedges_gz([1, 2, 3]).value == pytest.approx(2 / math.sqrt(math.pi))


def test_hedges_correction_takes_the_bias_away() -> None:
    generator = np.random.default_rng(3)
    drawn = [(cohen_dz(x).value or 0, hedges_gz(x).value or 0) for x in generator.normal(0.5, 1, (800, 6))]
    plain, corrected = np.mean(drawn, axis=0)
    assert corrected == pytest.approx(0.5, abs=0.06)
    assert plain == pytest.approx(corrected / 0.8408, rel=1e-3)  # J at 5 degrees of freedom


def test_clusters_widen_the_interval_of_dz_and_leave_its_value() -> None:
    generator = np.random.default_rng(4)
    differences = np.repeat(generator.normal(0.2, 1, 30), 10) + generator.normal(0, 0.3, 300)
    clusters = np.repeat(np.arange(30), 10)
    plain, robust = cohen_dz(differences), cohen_dz(differences, clusters=clusters)
    assert robust.value == plain.value
    assert np.diff(bounds(robust)) > 2 * np.diff(bounds(plain))
    alone = cohen_dz(differences, clusters=np.arange(300))
    assert bounds(alone) == pytest.approx(bounds(plain))


def test_rank_biserial_by_hand() -> None:
    # ranks 1 (-), 2, 3, 4: (9 - 1) / 10
    assert rank_biserial([-1, 2, 3, 4]).value == pytest.approx(0.8)
    # a zero is dropped; 2 and -2 share ranks 1.5: (1.5 + 3 - 1.5) / 6
    assert rank_biserial([0, 2, -2, 3]).value == pytest.approx(0.5)


@pytest.mark.parametrize(("shift", "least"), [(0.0, 0.93), (0.4, 0.93), (0.8, 0.93)])
def test_rank_biserial_interval_covers(shift: float, least: float) -> None:
    # D + D' ~ normal(2 shift, 2): 2 P(D + D' > 0) - 1 = 2 Phi(sqrt(2) shift) - 1
    truth = 2 * stats.norm.cdf(math.sqrt(2) * shift) - 1
    generator = np.random.default_rng(5)
    drawn = [bounds(rank_biserial(x)) for x in generator.normal(shift, 1, (400, 40))]
    assert least <= np.mean([low <= truth <= high for low, high in drawn]) <= 0.995


@settings(deadline=None)
@given(st.lists(st.integers(-9, 9), min_size=1, max_size=40))
def test_effects_change_sign_with_the_direction(values: list[int]) -> None:
    for effect in (cohen_dz, hedges_gz, rank_biserial):
        there, back = effect(values), effect([-value for value in values])
        if there.value is None:
            assert back.value is None
        else:
            assert back.value == pytest.approx(-there.value)
        if there.low is not None and there.high is not None:
            assert (back.high, back.low) == pytest.approx((-there.low, -there.high), rel=1e-6, abs=1e-9)
            assert there.value is not None
            assert there.low <= there.value <= there.high


def test_rank_biserial_of_one_sign_has_a_bound() -> None:
    # the bound is twice 0.025^(2/10), less one
    effect = rank_biserial(np.arange(1, 11))
    assert effect.value == 1.0
    assert bounds(effect) == pytest.approx((2 * 0.025**0.2 - 1, 1.0))
    assert bounds(rank_biserial(-np.arange(1, 11))) == pytest.approx((-1.0, 1 - 2 * 0.025**0.2))


def test_rank_biserial_says_where_its_interval_is_too_short() -> None:
    # (W+ - W-) / (W+ + W-): (9 - 1) / 10 = 0.8; (8 - 2) / 10 = 0.6; all positive: 1
    assert "Nearly all signs agree" in (rank_biserial([-1, 2, 3, 4]).note or "")
    assert rank_biserial([1, -2, 3, 4]).note is None
    assert rank_biserial([1, 2, 3, 4]).note is None


def test_odds_ratio_by_hand_and_its_clopper_pearson_interval() -> None:
    effect = odds_ratio([1] * 6 + [-1] * 3 + [0] * 5)
    share = stats.binomtest(6, 9).proportion_ci(method="exact")
    assert effect.value == 2.0
    assert bounds(effect) == pytest.approx((share.low / (1 - share.low), share.high / (1 - share.high)))


def test_an_infinite_odds_ratio_has_a_lower_bound_only() -> None:
    effect = odds_ratio([1, 1, 1, 0])
    # Clopper-Pearson: 0.025^(1/3) of the share
    assert (effect.value, effect.high) == (None, None)
    assert effect.low == pytest.approx(0.025 ** (1 / 3) / (1 - 0.025 ** (1 / 3)))
    assert "infinite" in (effect.note or "")
    assert odds_ratio([-1, -1, -1, 0]).value == 0.0
    assert odds_ratio([-1, -1, -1, 0]).low == 0.0


@pytest.mark.parametrize("effect", EFFECTS)
def test_no_pair_has_no_effect_size(effect: Callable[..., Effect]) -> None:
    result = effect([])
    assert (result.value, result.low, result.high, result.note) == (None, None, None, "There are no pairs.")


@pytest.mark.parametrize("effect", [cohen_dz, rank_biserial, hedges_gz])
def test_zero_everywhere_is_an_effect_of_zero_without_an_interval(effect: Callable[..., Effect]) -> None:
    for n in (1, 2, 5):
        assert effect([0.0] * n).value == 0.0
    result = effect([0.0] * 5)
    assert (result.value, result.low, result.high, result.note) == (0.0, None, None, "No pair differs.")


def test_degenerate_samples() -> None:
    assert cohen_dz([0.5]).note == "One pair has no spread."
    assert cohen_dz([0.3, 0.4 - 0.1, 0.5 - 0.2]).value is None
    assert "no spread" in (cohen_dz([0.3, 0.4 - 0.1, 0.5 - 0.2]).note or "")
    assert hedges_gz([0.5, 0.6]).note == "Hedges' g_z needs at least three pairs."
    assert odds_ratio([0, 0]).note == "No pair differs."
    one = cohen_dz([0.1, 0.2, 0.4], clusters=["x"] * 3)
    assert one.value is not None
    assert one.low is None


@pytest.mark.parametrize("effect", EFFECTS)
@pytest.mark.parametrize("confidence", [0.0, 1.0, 95])
def test_impossible_confidence_is_refused(effect: Callable[..., Effect], confidence: float) -> None:
    with pytest.raises(InputError, match="confidence: found"):
        effect([1, 0], confidence=confidence)


def test_an_odds_ratio_of_grades_is_refused() -> None:
    with pytest.raises(InputError, match="none of -1, 0, 1"):
        odds_ratio([0.5])
