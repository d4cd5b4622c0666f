"""Signed ranks against scipy: exact, with ties, with zeros, normal; ranks; clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from goldproof.stats.paired import wilcoxon_test
from goldproof.stats.permutation import shared_ranks
from goldproof.stats.samples import read_clusters

if TYPE_CHECKING:
    from goldproof.stats.results import Alternative

ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")


def test_five_differences_by_hand() -> None:
    # ranks of 1, 2, 3, 4, -5: W+ = 1 + 2 + 3 + 4 = 10, W- = 5. Subsets of {1..5} with sum <= 5: {}, 1, 2, 3, 4, 5, 12,
    # 13, 14, 23 = 10 of 32; two-sided 20 / 32.
    result = wilcoxon_test(np.array([1.0, 2.0, 3.0, 4.0, -5.0]))
    assert result.statistic == 10.0
    assert result.p_value == pytest.approx(20 / 32)
    assert result.test == "wilcoxon (exact)"


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [1, 2, 9, 25, 60, 100])
def test_exact_without_ties_agrees_with_scipy(n: int, alternative: Alternative) -> None:
    differences = np.random.default_rng(n).normal(0.3, 1, n)
    expected = stats.wilcoxon(differences, alternative=alternative, method="exact")
    assert wilcoxon_test(differences, alternative=alternative).p_value == pytest.approx(expected.pvalue, rel=1e-9)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_exact_with_ties_and_zeros_agrees_with_all_permutations(alternative: Alternative) -> None:
    differences = np.array([1, 1, -1, 2, 2, 3, -3, 4, 0, 0, 5, 5], dtype=np.float64)
    kept = differences[differences != 0]
    expected = stats.wilcoxon(kept, alternative=alternative, method=stats.PermutationMethod(n_resamples=5000))
    result = wilcoxon_test(differences, alternative=alternative)
    assert result.p_value == pytest.approx(expected.pvalue, rel=1e-9)
    assert result.note == "Differences of zero are left out (2 of 12)."
    assert result.n == 12


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_normal_with_ties_and_zeros_agrees_with_scipy(alternative: Alternative) -> None:
    differences = np.random.default_rng(4).integers(-5, 7, 400).astype(np.float64)
    expected = stats.wilcoxon(
        differences, alternative=alternative, method="approx", correction=True, zero_method="wilcox"
    )
    result = wilcoxon_test(differences, alternative=alternative)
    assert result.test == "wilcoxon (normal)"
    assert result.p_value == pytest.approx(expected.pvalue, rel=1e-9)


def test_ranks_are_shared_by_values_that_differ_only_in_rounding() -> None:
    values = np.array([0.1, 0.3 - 0.2, 0.7, 0.05])
    assert values[0] != values[1]
    # 0.05 is first; the two tenths share (2 + 3) / 2
    assert (shared_ranks(values).doubled / 2).tolist() == [2.5, 2.5, 4.0, 1.0]


@settings(deadline=None)
@given(st.lists(st.integers(-5, 5), max_size=40))
def test_shared_ranks_agree_with_scipy(values: list[int]) -> None:
    array = np.array(values, dtype=np.float64)
    assert (shared_ranks(array).doubled / 2).tolist() == stats.rankdata(array).tolist()


@settings(deadline=None)
@given(st.lists(st.integers(-9, 9), min_size=1, max_size=30))
def test_exchanging_the_systems_exchanges_the_sides(values: list[int]) -> None:
    differences = np.array(values, dtype=np.float64)
    assert wilcoxon_test(differences).p_value == wilcoxon_test(-differences).p_value
    assert (
        wilcoxon_test(differences, alternative="greater").p_value
        == wilcoxon_test(-differences, alternative="less").p_value
    )


def test_clusters_of_one_change_nothing_and_larger_ones_flip_together() -> None:
    differences = np.array([1.0, 2.0, -3.0, 4.0, 5.0, 6.0])
    alone = wilcoxon_test(differences, clusters=read_clusters(range(6), n=6))
    assert alone.p_value == pytest.approx(wilcoxon_test(differences).p_value or 0)
    # clusters (1 + 2 - 3) = 0 and (4 + 5 + 6) = 15: both patterns of the second are as extreme
    together = wilcoxon_test(differences, clusters=read_clusters([0, 0, 0, 1, 1, 1], n=6))
    assert together.p_value == 1.0
    assert together.test == "cluster wilcoxon (exact)"


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_degenerate_samples(alternative: Alternative) -> None:
    empty = wilcoxon_test(np.zeros(0), alternative=alternative)
    assert (empty.p_value, empty.note) == (None, "There are no pairs.")
    zeros = wilcoxon_test(np.zeros(4), alternative=alternative)
    assert (zeros.p_value, zeros.note) == (1.0, "No pair differs.")
