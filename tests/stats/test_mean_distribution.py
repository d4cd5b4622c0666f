"""The bootstrap distribution of a mean against enumeration, exact convolution and the binomial."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from goldproof.stats.mean_distribution import (
    MeanAtoms,
    MeanSeries,
    atoms_in_window,
    find_lattice,
    mean_distribution,
    mean_series,
)

if TYPE_CHECKING:
    from goldproof.records.arrays import FloatArray

ENDS = np.array([0.025, 0.975])


def enumerated_means(values: list[float]) -> FloatArray:
    """The means of all n^n resamples, sorted."""
    return np.sort([float(np.mean(draw)) for draw in product(values, repeat=len(values))])


def exact_distribution(codes: FloatArray) -> FloatArray:
    """P(sum = 0, 1, ...) of n draws from n whole numbers, by repeated convolution (no transform, no window)."""
    single = np.bincount(codes.astype(np.int64)) / codes.size
    total = np.ones(1)
    for _ in range(codes.size):
        total = np.convolve(total, single)
    return total


def test_zero_and_one_values_give_the_binomial_quantiles() -> None:
    values = np.repeat([0.0, 1.0], [9, 41])
    levels = np.array([0.005, 0.025, 0.5, 0.975, 0.995])
    expected = stats.binom.ppf(levels, 50, 0.82) / 50
    assert mean_distribution(values).quantile(levels) == pytest.approx(expected, abs=1e-12)


def test_zero_and_one_values_stay_exact_when_the_window_is_shorter_than_the_support() -> None:
    values = np.repeat([0.0, 1.0], [30_000, 70_000])
    lattice = find_lattice(values)
    assert lattice is not None
    assert atoms_in_window(lattice) < 100_000 / 10
    expected = stats.binom.ppf(ENDS, 100_000, 0.7) / 100_000
    assert mean_distribution(values).quantile(ENDS) == pytest.approx(expected, abs=1e-9)


def test_grades_give_the_quantiles_of_all_resamples() -> None:
    values = [0.0, 0.0, 0.5, 2.0, 3.0]
    means = enumerated_means(values)  # 5^5 = 3,125
    # The smallest mean with at least 25% of the resamples at or below it is the 782nd: 0.25 * 3125 = 781.25.
    assert mean_distribution(np.array(values)).quantile(np.array([0.25]))[0] == pytest.approx(means[781], abs=1e-12)


def test_the_distribution_function_of_atoms_counts_half_of_the_atom_it_stands_on() -> None:
    # Two draws from {0, 1}: means 0, 1/2, 1 with 1/4, 1/2, 1/4.
    distribution = mean_distribution(np.array([0.0, 1.0]))
    points = np.array([-1.0, 0.0, 0.2, 0.5, 0.7, 1.0, 2.0])
    # below + half: 0, 1/8, 1/4, 1/4 + 1/4, 3/4, 3/4 + 1/8, 1
    assert distribution.cdf(points) == pytest.approx([0, 0.125, 0.25, 0.5, 0.75, 0.875, 1], abs=1e-12)


@pytest.mark.parametrize(
    "codes",
    [
        np.random.default_rng(1).integers(0, 1000, 40),
        np.round(200 * np.random.default_rng(2).lognormal(0, 1, 60)),
        np.random.default_rng(3).integers(0, 2, 100) * np.random.default_rng(4).integers(500, 900, 100),
    ],
    ids=["uniform", "lognormal", "half zero"],
)
def test_the_series_meets_exact_convolution_within_a_ten_thousandth_of_the_width(codes: FloatArray) -> None:
    codes = codes.astype(np.float64) - codes.min()
    reached = np.cumsum(exact_distribution(codes))
    series = mean_series(codes)
    exact = np.searchsorted(reached, ENDS) / codes.size
    found = series.quantile(ENDS)
    # The exact distribution has atoms 1/n apart, across which the series is smooth.
    atom = 1 / codes.size
    assert np.abs(found - exact).max() < 1e-4 * (exact[1] - exact[0]) + atom


@pytest.mark.parametrize("seed", range(3))
def test_the_series_meets_a_far_finer_series_of_the_same_values(seed: int) -> None:
    values = np.random.default_rng(seed).beta(0.5, 0.8, 800)
    coarse, fine = mean_series(values).quantile(ENDS), mean_series(values, max_frequencies=1 << 14).quantile(ENDS)
    assert np.abs(coarse - fine).max() < 1e-9 * (fine[1] - fine[0])


def test_distribution_function_undoes_the_quantile() -> None:
    values = np.random.default_rng(5).lognormal(0, 1, 300)
    levels = np.array([0.001, 0.025, 0.3, 0.5, 0.9, 0.975, 0.999])
    distribution = mean_distribution(values)
    assert distribution.cdf(distribution.quantile(levels)) == pytest.approx(levels, abs=1e-9)


def test_one_far_value_keeps_within_the_stated_bound_of_all_resamples() -> None:
    # Six values, one of them far away: clumps of atoms, for which the series needs its taper.
    values = [0.0, 0.011, 0.023, 0.041, 0.067, 100.0]
    means = enumerated_means(values)  # 6^6 = 46,656
    series = mean_series(np.array(values))
    assert series.smoothing == pytest.approx(0.0101, abs=1e-4)
    for point in np.linspace(-5, 80, 171):
        reach = 4 * series.smoothing * series.scale
        below = np.searchsorted(means, point - reach, side="right") / means.size
        above = np.searchsorted(means, point + reach, side="right") / means.size
        assert below - 4e-5 <= series.cdf(np.array([point]))[0] <= above + 4e-5


def test_ordinary_values_need_no_smoothing_and_few_frequencies() -> None:
    series = mean_distribution(np.random.default_rng(6).beta(0.5, 0.8, 800))
    assert isinstance(series, MeanSeries)
    assert series.smoothing == 0
    assert series.coefficients.size == 64


def test_reciprocal_ranks_to_depth_ten_lie_on_a_lattice_of_2520_steps_or_fewer() -> None:
    lattice = find_lattice(np.array([1 / r for r in range(1, 11)] + [0.0]))
    assert lattice is not None
    assert lattice.steps == 2520
    assert lattice.codes.tolist() == [2520, 1260, 840, 630, 504, 420, 360, 315, 280, 252, 0]


@pytest.mark.parametrize(
    "values",
    [[np.pi, np.e, 1.0], [0.1, 0.2, 0.723456789123], np.random.default_rng(7).random(900).tolist()],
    ids=["three", "off by 1e-9", "many"],
)
def test_values_off_every_short_lattice_have_none(values: list[float]) -> None:
    assert find_lattice(np.array(values)) is None


@settings(max_examples=100, deadline=None)
@example(codes=[0, 0, 10, 11, 12])  # the transform is a little longer than the support
@given(codes=st.lists(st.integers(0, 12), min_size=2, max_size=40).filter(lambda v: len(set(v)) > 1))
def test_atoms_meet_exact_convolution_to_rounding(codes: list[int]) -> None:
    values = np.array(codes, dtype=np.float64)
    distribution = mean_distribution(values)
    assert isinstance(distribution, MeanAtoms)
    reached = np.cumsum(exact_distribution(values - values.min()))
    for level in (0.031, 0.5, 0.969):
        expected = values.min() + np.searchsorted(reached, level - 1e-12) / values.size
        assert distribution.quantile(np.array([level]))[0] == pytest.approx(expected, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(-100, 100), min_size=3, max_size=60).filter(lambda v: np.ptp(v) > 1e-6))
def test_quantiles_rise_with_the_level_and_stay_among_the_values(values: list[float]) -> None:
    array = np.array(values)
    found = mean_distribution(array).quantile(np.linspace(0.01, 0.99, 9))
    assert (np.diff(found) >= -1e-9 * np.ptp(array)).all()
    assert found.min() >= array.min() - 1e-9
    assert found.max() <= array.max() + 1e-9
