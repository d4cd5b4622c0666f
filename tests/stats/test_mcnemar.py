"""McNemar's test against statsmodels and scipy, and its choice of variant."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from goldproof.errors import InputError, UnknownNameError
from goldproof.stats.mcnemar import MCNEMAR_TESTS, McNemarTest, mcnemar_test

if TYPE_CHECKING:
    from goldproof.stats.results import Alternative

COUNTS = st.integers(0, 60)


def outcomes(only_a: int, only_b: int, *, both: int = 3, neither: int = 2) -> tuple[list[int], list[int]]:
    a = [1] * only_a + [0] * only_b + [1] * both + [0] * neither
    b = [0] * only_a + [1] * only_b + [1] * both + [0] * neither
    return a, b


def test_exact_by_hand() -> None:
    # b = 1, c = 5: 2 * (C(6,0) + C(6,1)) / 2^6 = 2 * 7 / 64
    result = mcnemar_test(*outcomes(1, 5))
    assert result.test == "mcnemar (exact)"
    assert result.p_value == pytest.approx(14 / 64)
    assert result.statistic == 1.0
    assert result.n == 11


def test_mid_p_by_hand() -> None:
    # 2 * (C(6,0) + C(6,1) / 2) / 2^6 = 2 * 4 / 64
    assert mcnemar_test(*outcomes(1, 5), test="mcnemar-midp").p_value == pytest.approx(8 / 64)


def test_chi_square_by_hand() -> None:
    # (|30 - 15| - 1)^2 / 45 = 196 / 45
    result = mcnemar_test(*outcomes(30, 15))
    assert result.test == "mcnemar (chi-square)"
    assert result.statistic == pytest.approx(196 / 45)


def test_exact_below_25_discordant_pairs_and_chi_square_from_25() -> None:
    assert mcnemar_test(*outcomes(14, 10)).test == "mcnemar (exact)"
    assert mcnemar_test(*outcomes(15, 10)).test == "mcnemar (chi-square)"


@settings(deadline=None)
@given(COUNTS, COUNTS)
def test_exact_and_chi_square_agree_with_statsmodels(only_a: int, only_b: int) -> None:
    if only_a == only_b:  # statsmodels lets the corrected chi-square grow again there
        only_a += 1
    table = [[3, only_a], [only_b, 2]]
    exact = statsmodels_mcnemar(table, exact=True).pvalue
    chi = statsmodels_mcnemar(table, exact=False, correction=True)
    assert mcnemar_test(*outcomes(only_a, only_b), test="mcnemar-exact").p_value == pytest.approx(exact, rel=1e-10)
    result = mcnemar_test(*outcomes(only_a, only_b), test="mcnemar-chi2")
    assert result.p_value == pytest.approx(chi.pvalue, rel=1e-10)
    assert result.statistic == pytest.approx(chi.statistic)


@pytest.mark.parametrize("alternative", ["greater", "less"])
@settings(deadline=None)
@given(only_a=COUNTS, only_b=COUNTS)
def test_one_sided_exact_agrees_with_the_binomial_test(alternative: Alternative, only_a: int, only_b: int) -> None:
    result = mcnemar_test(*outcomes(only_a, only_b), test="mcnemar-exact", alternative=alternative)
    expected = stats.binomtest(only_a, only_a + only_b, alternative=alternative).pvalue if only_a + only_b else 1.0
    assert result.p_value == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("test", MCNEMAR_TESTS)
@settings(deadline=None)
@given(only_a=COUNTS, only_b=COUNTS)
def test_exchanging_the_systems_exchanges_the_sides(test: str, only_a: int, only_b: int) -> None:
    name = cast("McNemarTest", test)
    a, b = outcomes(only_a, only_b)
    assert mcnemar_test(a, b, test=name).p_value == mcnemar_test(b, a, test=name).p_value
    assert (
        mcnemar_test(a, b, test=name, alternative="greater").p_value
        == mcnemar_test(b, a, test=name, alternative="less").p_value
    )


@settings(deadline=None)
@given(only_a=COUNTS, only_b=COUNTS)
def test_mid_p_lies_between_half_the_exact_value_and_the_exact_value(only_a: int, only_b: int) -> None:
    exact = mcnemar_test(*outcomes(only_a, only_b), test="mcnemar-exact").p_value
    middle = mcnemar_test(*outcomes(only_a, only_b), test="mcnemar-midp").p_value
    assert exact is not None
    assert middle is not None
    assert exact / 2 <= middle <= exact


def test_a_large_one_sided_count_keeps_its_digits() -> None:
    # all 600 discordant pairs go to a: 2 * 2^-600
    assert mcnemar_test(*outcomes(600, 0), test="mcnemar-exact").p_value == pytest.approx(2.0**-599, rel=1e-9)


@pytest.mark.parametrize("test", MCNEMAR_TESTS)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_no_discordant_pair_gives_one(test: str, alternative: Alternative) -> None:
    result = mcnemar_test(*outcomes(0, 0), test=cast("McNemarTest", test), alternative=alternative)
    assert result.p_value == 1.0
    assert result.note == "No pair differs."


def test_no_pair_is_undefined() -> None:
    result = mcnemar_test([], [])
    assert (result.p_value, result.n, result.note) == (None, 0, "There are no pairs.")


def test_graded_values_and_unknown_variants_are_refused() -> None:
    with pytest.raises(InputError, match="neither 0 nor 1"):
        mcnemar_test([0.5], [1])
    with pytest.raises(UnknownNameError, match="mcnemar-midp"):
        mcnemar_test([0], [1], test=cast("McNemarTest", "mcnemar-midq"))
    with pytest.raises(UnknownNameError, match="two-sided"):
        mcnemar_test([0], [1], alternative=cast("Alternative", "twosided"))


def test_truth_values_are_0_and_1() -> None:
    assert mcnemar_test(np.array([True, False]), np.array([True, True])).p_value == 1.0
