"""The sign-flip p-value: exact by three routes, Monte Carlo close to it, and never moved by irrelevant things."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from goldproof.errors import InputError
from goldproof.stats import permutation
from goldproof.stats.permutation import random_sign_sums, sign_flip

if TYPE_CHECKING:
    from goldproof.records.arrays import FloatArray
    from goldproof.stats.results import Alternative

ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")


def brute_force(terms: FloatArray, alternative: Alternative) -> float:
    """Count all sign patterns, ties within rounding included."""
    observed = terms.sum()
    signs = np.array(list(itertools.product((-1.0, 1.0), repeat=terms.size)))
    sums = signs @ np.abs(terms)
    if alternative == "two-sided":
        sums, observed = np.abs(sums), abs(observed)
    if alternative == "less":
        sums, observed = -sums, -observed
    return float(np.mean(sums >= observed - 1e-9))


def test_three_differences_by_hand() -> None:
    # 1, 2, 3: |sum| of the 8 patterns: 6, 4, 2, 0, 0, 2, 4, 6; two reach 6. One-sided: one of 8.
    assert sign_flip(np.array([1.0, 2.0, 3.0])).p_value == 2 / 8
    assert sign_flip(np.array([1.0, 2.0, 3.0]), alternative="greater").p_value == 1 / 8
    assert sign_flip(np.array([1.0, 2.0, 3.0]), alternative="less").p_value == 1.0
    # -1, 2, 3: observed 4; 6, 4, 4, 6 in absolute value reach it.
    assert sign_flip(np.array([-1.0, 2.0, 3.0])).p_value == 4 / 8


@settings(deadline=None)
@given(st.lists(st.floats(-1, 1, allow_subnormal=False), min_size=1, max_size=9), st.sampled_from(ALTERNATIVES))
def test_exact_value_equals_a_count_of_all_patterns(values: list[float], alternative: Alternative) -> None:
    terms = np.array(values)
    terms[np.abs(terms) < 1e-6] = 0.0
    outcome = sign_flip(terms, alternative=alternative)
    assert outcome.permutations is None
    assert outcome.p_value == pytest.approx(brute_force(terms, alternative), rel=1e-9)


@settings(deadline=None)
@given(st.lists(st.integers(-10, 10), min_size=1, max_size=10), st.sampled_from(ALTERNATIVES))
def test_tenths_are_exact_although_floating_point_breaks_their_ties(
    tenths: list[int], alternative: Alternative
) -> None:
    whole = np.array(tenths, dtype=np.float64)
    noisy = (whole + 3) / 10 - 0.3  # 0.1 + 0.2 is not 0.3 here either
    noisy[whole == 0] = 0.0
    assert sign_flip(noisy, alternative=alternative).p_value == pytest.approx(brute_force(whole, alternative))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_agrees_with_scipy_where_scipy_is_exact(alternative: Alternative) -> None:
    differences = np.random.default_rng(3).normal(0.4, 1, 11)
    expected = stats.permutation_test(
        (differences,), np.sum, permutation_type="samples", n_resamples=10_000, alternative=alternative
    )
    assert sign_flip(differences, alternative=alternative).p_value == pytest.approx(expected.pvalue)


def test_matched_halves_agree_with_the_lattice_at_thirty_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    terms = np.random.default_rng(5).integers(-20, 30, 30).astype(np.float64)
    by_lattice = sign_flip(terms)
    monkeypatch.setattr(permutation, "lattice_steps", lambda _: None)
    by_halves = sign_flip(terms)
    assert by_halves.permutations is None
    assert by_halves.p_value == pytest.approx(by_lattice.p_value, rel=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_monte_carlo_is_close_to_the_exact_value(alternative: Alternative, monkeypatch: pytest.MonkeyPatch) -> None:
    terms = np.random.default_rng(7).integers(-9, 11, 203).astype(np.float64)  # not a multiple of eight
    exact = sign_flip(terms, alternative=alternative)
    monkeypatch.setattr(permutation, "lattice_steps", lambda _: None)
    drawn = sign_flip(terms, alternative=alternative)
    assert exact.permutations is None
    assert drawn.permutations == 100_000
    assert drawn.p_value == pytest.approx(exact.p_value, abs=5 * math.sqrt(0.25 / 100_000))


def test_monte_carlo_counts_the_observed_pattern_among_the_permutations() -> None:
    # No random pattern of 400 positive terms reaches their sum: (0 + 1) / (999 + 1).
    terms = np.random.default_rng(0).uniform(1, 2, 400)
    outcome = sign_flip(terms, permutations=999)
    assert outcome.p_value == 1 / 1000
    assert outcome.permutations == 999
    assert outcome.how == "999 permutations"


def test_random_sums_have_mean_zero_the_right_variance_and_no_repeated_blocks() -> None:
    magnitudes = np.random.default_rng(1).uniform(0, 1, 1001)
    sums = random_sign_sums(magnitudes, seed=4, permutations=20_001)
    variance = float(np.square(magnitudes).sum())
    assert abs(sums.mean()) < 4 * math.sqrt(variance / sums.size)
    assert sums.var() == pytest.approx(variance, rel=4 * math.sqrt(2 / sums.size))
    assert np.unique(sums).size == sums.size


def test_each_sign_is_a_fair_and_independent_coin() -> None:
    # Magnitudes that are powers of two let every sign be read back from the sum.
    magnitudes = np.exp2(np.arange(16, dtype=np.float64))
    sums = random_sign_sums(magnitudes, seed=0, permutations=40_000)
    patterns = ((sums + magnitudes.sum()) / 2).astype(np.int64)
    signs = (patterns[:, None] >> np.arange(16)) & 1
    correlation = np.corrcoef(signs.T) - np.eye(16)
    assert np.abs(signs.mean(axis=0) - 0.5).max() < 4.5 * 0.5 / math.sqrt(40_000)
    assert np.abs(correlation).max() < 4.5 / math.sqrt(40_000)


def test_neither_order_nor_direction_moves_a_random_p_value_and_the_seed_does() -> None:
    generator = np.random.default_rng(2)
    terms = generator.normal(0.1, 1, 120)
    first = sign_flip(terms)
    assert first.permutations is not None
    assert sign_flip(generator.permutation(terms)) == first
    assert sign_flip(-terms) == first
    assert sign_flip(terms, seed=0) == first
    assert sign_flip(terms, seed=1) != first


def test_zero_terms_change_nothing() -> None:
    terms = np.random.default_rng(2).normal(0.1, 1, 120)
    assert sign_flip(np.concatenate((terms, np.zeros(50)))) == sign_flip(terms)


def test_a_term_that_is_only_rounding_counts_as_zero() -> None:
    assert sign_flip(np.array([0.5, 0.25, 0.1 + 0.2 - 0.3])) == sign_flip(np.array([0.5, 0.25]))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_no_term_and_only_zeros_give_one(alternative: Alternative) -> None:
    assert sign_flip(np.zeros(0), alternative=alternative).p_value == 1.0
    assert sign_flip(np.zeros(7), alternative=alternative).p_value == 1.0


def test_one_term_has_two_patterns() -> None:
    assert sign_flip(np.array([0.3])).p_value == 1.0
    assert sign_flip(np.array([0.3]), alternative="greater").p_value == 0.5
    assert sign_flip(np.array([0.3]), alternative="less").p_value == 1.0


def test_a_tiny_exact_p_value_is_not_rounded_to_zero() -> None:
    assert sign_flip(np.ones(300)).p_value == pytest.approx(2.0**-299, rel=1e-12)
    assert sign_flip(np.ones(2000)).p_value > 0.0


def test_no_permutations_are_refused() -> None:
    with pytest.raises(InputError, match="permutations: found 0"):
        sign_flip(np.ones(3), permutations=0)
