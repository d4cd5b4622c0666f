"""The paired entry: what "auto" picks, the t-test against scipy, clusters, and every degenerate input."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from goldproof.errors import InputError, UnknownNameError
from goldproof.stats.paired import PAIRED_TESTS, PairedTest, paired_test

if TYPE_CHECKING:
    from goldproof.stats.results import Alternative

ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")
GRADED = st.lists(st.tuples(st.integers(0, 10), st.integers(0, 10)), min_size=1, max_size=40)
FOR_GRADES: tuple[PairedTest, ...] = ("auto", "sign-flip", "t", "wilcoxon")


def test_auto_takes_mcnemar_for_0_and_1_without_clusters() -> None:
    assert paired_test([1, 0, 1], [0, 0, 1]).test == "mcnemar (exact)"
    assert paired_test([1, 0, 1], [0, 0, 1], clusters=["x", "x", "y"]).test == "cluster sign-flip (exact)"
    assert paired_test([1, 0, 0.5], [0, 0, 1]).test == "sign-flip (exact)"


def test_the_sign_flip_of_0_and_1_is_the_exact_mcnemar_test() -> None:
    generator = np.random.default_rng(0)
    a, b = generator.integers(0, 2, 90), generator.integers(0, 2, 90)
    exact = paired_test(a, b, test="mcnemar-exact")
    assert paired_test(a, b, test="sign-flip").p_value == pytest.approx(exact.p_value or 0, rel=1e-9)


def test_many_graded_pairs_say_how_many_permutations_were_drawn() -> None:
    generator = np.random.default_rng(0)
    a, b = generator.random(60), generator.random(60)
    result = paired_test(a, b, permutations=5000)
    assert result.test == "sign-flip (5,000 permutations)"
    assert paired_test(a, b).test == "sign-flip (100,000 permutations)"
    assert result.statistic == pytest.approx(float(np.mean(a - b)))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [2, 3, 40, 5000])
def test_t_agrees_with_scipy(n: int, alternative: Alternative) -> None:
    generator = np.random.default_rng(n)
    a, b = generator.normal(0.1, 1, n), generator.normal(0, 1, n)
    expected = stats.ttest_rel(a, b, alternative=alternative)
    result = paired_test(a, b, test="t", alternative=alternative)
    assert result.statistic == pytest.approx(expected.statistic, rel=1e-9)
    assert result.p_value == pytest.approx(expected.pvalue, rel=1e-9)


def test_cluster_robust_t_by_hand() -> None:
    # d = 1, 2 | 3, 6: mean 3; residual sums -2 - 1 = -3 and 0 + 3 = 3; se^2 = 2/1 * (9 + 9) / 16 = 2.25
    result = paired_test([1, 2, 3, 6], [0, 0, 0, 0], test="t", clusters=["x", "x", "y", "y"])
    assert result.statistic == pytest.approx(2.0)
    assert result.p_value == pytest.approx(2 * stats.t.sf(2.0, 1))
    assert result.test == "cluster-robust t"


def test_whole_clusters_flip() -> None:
    # cluster sums 3 and 4: |sum| = 7, 1, 1, 7: two of four patterns. Pair by pair it would be 2 of 16.
    a, b = [1.0, 2.0, 1.5, 2.5], [0.0, 0.0, 0.0, 0.0]
    assert paired_test(a, b, test="sign-flip", clusters=["x", "x", "y", "y"]).p_value == 0.5
    assert paired_test(a, b, test="sign-flip").p_value == 2 / 16


def test_a_cluster_whose_differences_cancel_counts_for_nothing() -> None:
    a, b = [0.1, 0.2, 0.0, 0.5, 0.25], [0.0, 0.0, 0.3, 0.0, 0.0]
    result = paired_test(a, b, clusters=["x", "x", "x", "y", "z"])
    assert result.p_value == 0.5


@pytest.mark.parametrize("test", FOR_GRADES)
@settings(deadline=None)
@given(pairs=GRADED)
def test_exchanging_the_systems_keeps_two_sided_and_swaps_one_sided(
    test: PairedTest, pairs: list[tuple[int, int]]
) -> None:
    a, b = [x / 10 for x, _ in pairs], [y / 10 for _, y in pairs]
    assert paired_test(a, b, test=test).p_value == pytest.approx(paired_test(b, a, test=test).p_value)
    greater = paired_test(a, b, test=test, alternative="greater", permutations=999)
    less = paired_test(b, a, test=test, alternative="less", permutations=999)
    assert greater.p_value == pytest.approx(less.p_value)


@pytest.mark.parametrize("test", FOR_GRADES)
@settings(deadline=None)
@given(pairs=GRADED, data=st.data())
def test_the_order_of_pairs_does_not_matter(
    test: PairedTest, pairs: list[tuple[int, int]], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(pairs))
    before = paired_test([x for x, _ in pairs], [y for _, y in pairs], test=test)
    after = paired_test([x for x, _ in shuffled], [y for _, y in shuffled], test=test)
    assert after.p_value == pytest.approx(before.p_value)


@pytest.mark.parametrize("test", PAIRED_TESTS)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_no_pair_is_undefined_with_the_reason(test: str, alternative: Alternative) -> None:
    result = paired_test([], [], test=cast("PairedTest", test), alternative=alternative)
    assert (result.p_value, result.statistic, result.n, result.note) == (None, None, 0, "There are no pairs.")


@pytest.mark.parametrize("test", PAIRED_TESTS)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_equal_systems_give_one(test: str, alternative: Alternative) -> None:
    for n in (1, 2, 30, 200):
        values = np.arange(n) % 2
        result = paired_test(values, values, test=cast("PairedTest", test), alternative=alternative)
        assert result.p_value == 1.0, f"{n} pairs"
        assert result.note is not None, f"{n} pairs"


def test_one_pair() -> None:
    assert paired_test([0.5], [0.2]).p_value == 1.0
    assert "Only one pair" in (paired_test([0.5], [0.2]).note or "")
    assert paired_test([0.5], [0.2], test="wilcoxon").p_value == 1.0
    assert paired_test([1], [0], test="mcnemar").p_value == 1.0
    undefined = paired_test([0.5], [0.2], test="t")
    assert (undefined.p_value, undefined.note) == (None, "Only one pair: no spread to estimate.")


def test_one_cluster() -> None:
    a, b, clusters = [0.5, 0.6, 0.9], [0.2, 0.1, 0.3], ["x"] * 3
    flip = paired_test(a, b, clusters=clusters)
    assert flip.p_value == 1.0
    assert "Only one cluster" in (flip.note or "")
    assert paired_test(a, b, clusters=clusters, test="wilcoxon").p_value == 1.0
    assert paired_test(a, b, clusters=clusters, test="t").p_value is None


def test_equal_differences_leave_t_undefined_but_not_the_permutation() -> None:
    a, b = [0.3, 0.4, 0.5, 0.6], [0.1, 0.2, 0.3, 0.4]
    undefined = paired_test(a, b, test="t")
    assert undefined.p_value is None
    assert "no spread" in (undefined.note or "")
    assert paired_test(a, b).p_value == 2 / 16


def test_mcnemar_with_clusters_and_unknown_tests_are_refused() -> None:
    with pytest.raises(InputError, match="Use test='sign-flip'"):
        paired_test([1, 0, 1], [0, 1, 1], test="mcnemar", clusters=["x", "x", "y"])
    with pytest.raises(UnknownNameError, match="did you mean 'wilcoxon'"):
        paired_test([1], [0], test=cast("PairedTest", "wilcoxen"))
    with pytest.raises(UnknownNameError, match="alternative"):
        paired_test([1], [0], alternative=cast("Alternative", "larger"))
