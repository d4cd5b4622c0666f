"""Cohen's d_z: values by hand, intervals by their definition and for many pairs, degenerate samples."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from goldproof.errors import InputError
from goldproof.stats.effects import cohen_dz

if TYPE_CHECKING:
    from goldproof.stats.results import Effect


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


def test_clusters_widen_the_interval_of_dz_and_leave_its_value() -> None:
    generator = np.random.default_rng(4)
    differences = np.repeat(generator.normal(0.2, 1, 30), 10) + generator.normal(0, 0.3, 300)
    clusters = np.repeat(np.arange(30), 10)
    plain, robust = cohen_dz(differences), cohen_dz(differences, clusters=clusters)
    assert robust.value == plain.value
    assert np.diff(bounds(robust)) > 2 * np.diff(bounds(plain))
    alone = cohen_dz(differences, clusters=np.arange(300))
    assert bounds(alone) == pytest.approx(bounds(plain))


@settings(deadline=None)
@given(st.lists(st.integers(-9, 9), min_size=1, max_size=40))
def test_dz_changes_sign_with_the_direction(values: list[int]) -> None:
    there, back = cohen_dz(values), cohen_dz([-value for value in values])
    if there.value is None:
        assert back.value is None
    else:
        assert back.value == pytest.approx(-there.value)
    if there.low is not None and there.high is not None:
        assert (back.high, back.low) == pytest.approx((-there.low, -there.high), rel=1e-6, abs=1e-9)
        assert there.value is not None
        assert there.low <= there.value <= there.high


def test_no_pair_has_no_effect_size() -> None:
    result = cohen_dz([])
    assert (result.value, result.low, result.high, result.note) == (None, None, None, "There are no pairs.")


def test_zero_everywhere_is_an_effect_of_zero_without_an_interval() -> None:
    for n in (1, 2, 5):
        assert cohen_dz([0.0] * n).value == 0.0
    result = cohen_dz([0.0] * 5)
    assert (result.value, result.low, result.high, result.note) == (0.0, None, None, "No pair differs.")


def test_degenerate_samples() -> None:
    assert cohen_dz([0.5]).note == "Only one pair: no spread to estimate."
    assert cohen_dz([0.3, 0.4 - 0.1, 0.5 - 0.2]).value is None
    assert "no spread" in (cohen_dz([0.3, 0.4 - 0.1, 0.5 - 0.2]).note or "")
    one_cluster = cohen_dz([0.1, 0.2, 0.4], clusters=["x"] * 3)
    assert one_cluster.value is not None
    assert one_cluster.low is None


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95])
def test_impossible_confidence_is_refused(confidence: float) -> None:
    with pytest.raises(InputError, match="confidence: found"):
        cohen_dz([1, 0], confidence=confidence)
