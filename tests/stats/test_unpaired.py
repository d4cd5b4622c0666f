"""Unpaired tests against scipy and against a count of every labelling."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from goldproof.errors import InputError, UnknownNameError
from goldproof.stats import unpaired
from goldproof.stats.unpaired import UNPAIRED_TESTS, UnpairedTest, unpaired_test

if TYPE_CHECKING:
    from goldproof.stats.results import Alternative

ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")
SMALL = st.lists(st.integers(0, 6), min_size=1, max_size=6)


def every_labelling(a: list[int], b: list[int], alternative: Alternative, *, ranks: bool) -> float:
    pool = np.array(a + b, dtype=np.float64)
    values = stats.rankdata(pool) if ranks else pool
    total, leads = values.sum(), []
    for chosen in itertools.combinations(range(pool.size), len(a)):
        inside = values[list(chosen)].sum()
        leads.append(inside / len(a) - (total - inside) / len(b))
    lead = np.array(leads)
    observed = lead[0]  # combinations come in order: the first is a itself
    if alternative == "two-sided":
        lead, observed = np.abs(lead), abs(observed)
    if alternative == "less":
        lead, observed = -lead, -observed
    return float(np.mean(lead >= observed - 1e-9))


@pytest.mark.parametrize("test", UNPAIRED_TESTS)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@settings(max_examples=40, deadline=None)
@given(a=SMALL, b=SMALL)
def test_small_samples_agree_with_every_labelling(
    test: str, alternative: Alternative, a: list[int], b: list[int]
) -> None:
    result = unpaired_test(a, b, test=cast("UnpairedTest", test), alternative=alternative)
    assert result.p_value == pytest.approx(every_labelling(a, b, alternative, ranks=test == "mann-whitney"))
    assert "exact" in result.test


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(("n_a", "n_b"), [(3, 5), (12, 7), (30, 30)])
def test_mann_whitney_without_ties_agrees_with_scipy(n_a: int, n_b: int, alternative: Alternative) -> None:
    generator = np.random.default_rng(n_a)
    a, b = generator.normal(0.4, 1, n_a), generator.normal(0, 1, n_b)
    expected = stats.mannwhitneyu(a, b, alternative=alternative, method="exact")
    result = unpaired_test(a, b, test="mann-whitney", alternative=alternative)
    assert result.statistic == expected.statistic
    assert result.p_value == pytest.approx(expected.pvalue, rel=1e-9)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_mann_whitney_of_many_tied_values_agrees_with_scipy(alternative: Alternative) -> None:
    generator = np.random.default_rng(0)
    a, b = generator.integers(0, 9, 150), generator.integers(1, 9, 90)
    expected = stats.mannwhitneyu(a, b, alternative=alternative, method="asymptotic")
    result = unpaired_test(a, b, test="mann-whitney", alternative=alternative)
    assert result.test == "mann-whitney (normal)"
    assert result.p_value == pytest.approx(expected.pvalue, rel=1e-9)


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_permutation_agrees_with_scipy_where_scipy_is_exact(alternative: Alternative) -> None:
    generator = np.random.default_rng(2)
    a, b = generator.normal(0.5, 1, 8), generator.normal(0, 1, 7)
    expected = stats.permutation_test(
        (a, b), lambda x, y: np.mean(x) - np.mean(y), n_resamples=10_000, alternative=alternative
    )
    assert unpaired_test(a, b, alternative=alternative).p_value == pytest.approx(expected.pvalue)


@pytest.mark.parametrize("sizes", [(9, 11), (4, 16), (16, 4)])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_monte_carlo_is_close_to_the_exact_value(
    sizes: tuple[int, int], alternative: Alternative, monkeypatch: pytest.MonkeyPatch
) -> None:
    generator = np.random.default_rng(3)
    a, b = generator.normal(0.4, 1, sizes[0]), generator.normal(0, 1, sizes[1])
    exact = unpaired_test(a, b, alternative=alternative)
    monkeypatch.setattr(unpaired, "_EXACT_VALUES", 0)
    drawn = unpaired_test(a, b, alternative=alternative)
    assert exact.p_value is not None
    assert drawn.test == "permutation (100,000 permutations)"
    assert drawn.p_value == pytest.approx(exact.p_value, abs=5 * math.sqrt(0.25 / 100_000))


@pytest.mark.parametrize("test", UNPAIRED_TESTS)
def test_order_and_exchange_do_not_move_the_two_sided_value(test: str) -> None:
    generator = np.random.default_rng(4)
    a, b = generator.random(40), generator.random(55)
    name = cast("UnpairedTest", test)
    first = unpaired_test(a, b, test=name, permutations=2000).p_value
    assert unpaired_test(generator.permutation(a), b, test=name, permutations=2000).p_value == first
    assert unpaired_test(b, a, test=name, permutations=2000).p_value == pytest.approx(first)


def test_the_seed_fixes_the_value_and_another_one_moves_it() -> None:
    generator = np.random.default_rng(4)
    a, b = generator.random(40), generator.random(55)
    first = unpaired_test(a, b, seed=1)
    assert unpaired_test(a, b, seed=1) == first
    assert unpaired_test(a, b, seed=2) != first


@pytest.mark.parametrize("test", UNPAIRED_TESTS)
def test_an_empty_sample_is_undefined_with_the_reason(test: str) -> None:
    name = cast("UnpairedTest", test)
    assert unpaired_test([], [], test=name).note == "Both samples are empty."
    assert unpaired_test([1], [], test=name).note == "Sample b is empty."
    result = unpaired_test([], [1, 2], test=name)
    assert (result.p_value, result.statistic, result.n, result.note) == (None, None, 2, "Sample a is empty.")


@pytest.mark.parametrize("test", UNPAIRED_TESTS)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("sizes", [(1, 1), (3, 2), (50, 40)])
def test_equal_values_give_one(test: str, alternative: Alternative, sizes: tuple[int, int]) -> None:
    a, b = [0.1] * sizes[0], [0.1] * sizes[1]
    result = unpaired_test(a, b, test=cast("UnpairedTest", test), alternative=alternative, permutations=500)
    assert result.p_value == 1.0
    assert result.note == "All values are equal."


def test_one_value_each_can_conclude_nothing() -> None:
    for test in UNPAIRED_TESTS:
        assert unpaired_test([1], [2], test=cast("UnpairedTest", test)).p_value == 1.0


def test_unknown_tests_and_no_permutations_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="mann-whitney"):
        unpaired_test([1], [2], test=cast("UnpairedTest", "mann-whitny"))
    with pytest.raises(InputError, match="permutations: found 0"):
        unpaired_test([1], [2], permutations=0)
