"""The noncentral t against scipy, far out in its tails, and its inverse in the noncentrality."""

from __future__ import annotations

import math
from itertools import pairwise, product

import pytest
from scipy import special, stats

from goldproof.stats.power_analysis import _over_normal, _over_spread, cdf, noncentrality


@pytest.mark.parametrize("df", [1, 4, 19, 99, 9_999, 99_999, 1_000_000])
def test_agrees_with_scipy(df: float) -> None:
    for nc, t in product((-3.0, -1e-3, 0.0, 1e-3, 0.5, 2.8, 10.0), (-2.0, 0.3, 1.96, 5.0)):
        theirs = float(stats.nct.cdf(t, df, nc))
        expected = 0.0 if math.isnan(theirs) else theirs  # NaN only at t = -2, nc = 10, some 12 deviations out
        assert cdf(t, df=df, nc=nc) == pytest.approx(expected, rel=1e-9, abs=1e-13), f"t {t}, nc {nc}"


@pytest.mark.parametrize("df", [9, 49, 999, 99_999])
@pytest.mark.parametrize("nc", [-3.0, 0.0, 1e-3, 2.8, 25.0])
def test_the_integral_over_the_spread_agrees_for_small_t(df: float, nc: float) -> None:
    for t in (-2.0, 0.3, 1.96, 4.2):
        theirs = float(stats.nct.cdf(t, df, nc))
        if not math.isnan(theirs):
            assert _over_spread(t, df=df, nc=nc) == pytest.approx(theirs, rel=1e-9, abs=1e-13)


@pytest.mark.parametrize("df", [1, 9, 49, 999])
@pytest.mark.parametrize("nc", [-60.0, 29.0, 60.0, 200.0])
def test_the_integral_over_the_mean_agrees_for_large_t(df: float, nc: float) -> None:
    for factor in (-1.2, -0.8, 0.8, 1.0, 1.3):
        t = factor * abs(nc)
        theirs = float(stats.nct.cdf(t, df, nc))
        if abs(t) > math.sqrt(2 * df) and not math.isnan(theirs):
            assert _over_normal(t, df=df, nc=nc) == pytest.approx(theirs, rel=1e-8, abs=1e-13)


@pytest.mark.parametrize("df", [4, 29, 999])
@pytest.mark.parametrize("t", [1e5, 1e9, 1e12])
def test_a_huge_t_leaves_only_the_uncertainty_of_the_spread(df: float, t: float) -> None:
    # nc / t is then a point of S: the root of a chi-square quantile over df
    low, high = (noncentrality(t, df=df, probability=p) / t for p in (0.975, 0.025))
    expected = [math.sqrt(stats.chi2.ppf(p, df) / df) for p in (0.025, 0.975)]
    assert [low, high] == pytest.approx(expected, rel=1e-4)


def test_a_tail_that_scipy_gives_as_nan_is_a_number() -> None:
    assert math.isnan(special.nctdtr(49, 40, 2.0))
    assert cdf(2.0, df=49, nc=40) == pytest.approx(0.0, abs=1e-100)
    assert cdf(60.0, df=5, nc=-60) == pytest.approx(1.0)


@pytest.mark.parametrize("df", [1, 2, 5, 49, 9_999, 1_000_000])
def test_never_nan_and_falling_in_the_noncentrality(df: float) -> None:
    for t in (-50.0, -2.0, 0.0, 2.0, 60.0):
        values = [cdf(t, df=df, nc=nc) for nc in (-1000, -60, -10, -2, 0, 3, 10, 40, 100, 1000)]
        assert all(0.0 <= value <= 1.0 for value in values)
        assert all(later <= earlier + 1e-12 for earlier, later in pairwise(values))


@pytest.mark.parametrize("df", [1, 19, 499, 50_000])
def test_noncentrality_inverts_the_distribution(df: float) -> None:
    for t, probability in product((-40.0, -2.0, 0.0, 3.0, 150.0), (0.025, 0.5, 0.975)):
        nc = noncentrality(t, df=df, probability=probability)
        assert cdf(t, df=df, nc=nc) == pytest.approx(probability, abs=1e-8), f"t {t}"
