"""Intervals cover as the coverage tables say: exactly for 0/1 values, by a short seeded simulation for the others."""

from __future__ import annotations

from math import exp, sqrt
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy import stats

from goldproof.stats.intervals import difference_interval, mean_interval

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.records.arrays import FloatArray
    from goldproof.stats.results import Interval

REPLICATIONS = 1_500
FOUR_ERRORS = 4 * 100 * sqrt(0.95 * 0.05 / REPLICATIONS)  # 2.3 points


def covers(interval: Interval, truth: float) -> bool:
    return interval.low is not None and interval.high is not None and interval.low <= truth <= interval.high


def reciprocal_ranks(rng: np.random.Generator, n: int) -> FloatArray:
    rank = rng.geometric(0.35, n)
    return np.where((rank <= 10) & (rng.random(n) < 0.8), 1.0 / rank, 0.0)


@pytest.mark.parametrize(
    ("share", "n", "expected"),
    # Bernoulli(.95), n = 20: 18, 19 and 20 hits cover: .1887 + .3774 + .3585 = 92.45%. The others as in the table.
    [(0.5, 20, 95.86), (0.5, 50, 93.51), (0.95, 20, 92.45), (0.95, 50, 96.22), (0.95, 100, 96.59)],
)
def test_wilson_coverage_is_that_of_the_binomial_sum(share: float, n: int, expected: float) -> None:
    samples = [np.repeat([1.0, 0.0], [k, n - k]) for k in range(n + 1)]
    mass = stats.binom.pmf(np.arange(n + 1), n, share)
    covered = 100 * sum(m for m, x in zip(mass, samples, strict=True) if covers(mean_interval(x), share))
    assert covered == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize(
    ("draw", "n", "truth"),
    [
        (reciprocal_ranks, 20, 0.8 * sum(0.35 * 0.65 ** (r - 1) / r for r in range(1, 11))),
        (lambda rng, n: np.where(rng.random(n) < 0.05, rng.random(n), 0.0), 100, 0.025),
        (lambda rng, n: rng.beta(0.5, 0.8, n), 20, 0.5 / 1.3),
        (lambda rng, n: rng.lognormal(0, 1, n), 500, exp(0.5)),
    ],
    ids=["reciprocal rank", "5% non-zero", "beta", "lognormal"],
)
def test_the_default_covers_between_93_and_97_percent(
    draw: Callable[[np.random.Generator, int], FloatArray], n: int, truth: float
) -> None:
    rng = np.random.default_rng(2)
    covered = 100 * np.mean([covers(mean_interval(draw(rng, n)), truth) for _ in range(REPLICATIONS)])
    # Within four standard errors of the simulation: a coverage below 90.7 or above 99.3 fails surely.
    assert 93 - FOUR_ERRORS < covered < 97 + FOUR_ERRORS


@pytest.mark.parametrize("binary", [True, False])
def test_the_default_covers_in_ten_unequal_clusters_where_cluster_t_does_not(binary: bool) -> None:
    rng = np.random.default_rng(3)
    hits = {"auto": 0, "cluster-t": 0}
    for _ in range(REPLICATIONS):
        codes = np.repeat(np.arange(10), 1 + np.minimum(rng.geometric(0.12, 10), 40))
        chance = rng.beta(1.2, 2.8, 10)[codes]
        noise = rng.normal(0, 0.5, codes.size)
        values = (rng.random(codes.size) < chance).astype(float) if binary else chance + noise
        for method in hits:
            hits[method] += covers(mean_interval(values, clusters=codes, method=method), 0.3)
    auto, cluster_t = (100 * count / REPLICATIONS for count in hits.values())
    assert 93 - FOUR_ERRORS < auto < 97 + FOUR_ERRORS
    assert cluster_t < auto - 1.5


@pytest.mark.parametrize(
    ("values", "note"),
    [
        (np.repeat([0.0, 1.0], [2, 40]), "Only 2 of 42 values are 0"),
        (np.random.default_rng(4).lognormal(0, 1.5, 40), "strongly skewed"),
        (np.repeat([0.0, 0.5, 0.7], [30, 2, 2]), "differ from the most common"),
        (np.array([0.1, 0.5, 0.9]), "Only 3 values"),
    ],
    ids=["rare", "skewed", "sparse", "few"],
)
def test_data_on_which_coverage_is_poor_carry_a_note(values: FloatArray, note: str) -> None:
    assert note in (mean_interval(values).note or "")


@pytest.mark.parametrize(
    ("sizes", "note"),
    [([5] * 9, "Only 9 clusters"), ([300] + [2] * 15, "A few clusters hold most of the values (the largest 91%)")],
    ids=["few", "one large"],
)
def test_clusters_on_which_coverage_is_poor_carry_a_note(sizes: list[int], note: str) -> None:
    codes = np.repeat(np.arange(len(sizes)), sizes)
    values = np.random.default_rng(5).random(codes.size)
    assert (mean_interval(values, clusters=codes).note or "").startswith(note)


def test_skewed_cluster_means_of_differences_carry_a_note() -> None:
    codes = np.repeat(np.arange(20), 4)
    values = np.exp(1.5 * stats.norm.ppf((np.arange(20) + 0.5) / 20))[codes]
    assert "clusters are skewed" in (difference_interval(values, clusters=codes).note or "")


def test_the_mean_of_an_unbounded_metric_in_clusters_always_carries_a_note() -> None:
    codes = np.repeat(np.arange(20), 4)
    values = 10 + stats.norm.ppf((np.arange(20) + 0.5) / 20)[codes]
    assert (mean_interval(values, clusters=codes).note or "").startswith("The means of 20 clusters may be skewed")


@pytest.mark.parametrize(("mean", "noted"), [(0.05, True), (0.19, True), (0.21, False), (0.5, False), (0.9, True)])
def test_a_clustered_mean_near_an_end_of_the_scale_carries_a_note(mean: float, noted: bool) -> None:
    # 20 clusters of 4 whose means lie 0.01 below and above the mean
    codes = np.repeat(np.arange(20), 4)
    values = mean + np.where(codes % 2, 0.01, -0.01)
    note = mean_interval(values, clusters=codes).note
    assert (note is not None and "close to 0 or 1" in note) == noted


@pytest.mark.slow
@pytest.mark.parametrize("clusters", [3, 10, 20])
def test_scores_near_the_ceiling_in_clusters_are_covered(clusters: int) -> None:
    # 1 minus a loss, uniform on 0..0.7, on a share of questions that is beta(.55, 3.1) by cluster (mean .15)
    rng = np.random.default_rng(9)
    codes = np.repeat(np.arange(clusters), 20)
    covered = 0
    for _ in range(1_000):
        lossy = rng.random(codes.size) < rng.beta(0.55, 3.1, clusters)[codes]
        values = 1 - np.where(lossy, 0.7 * rng.random(codes.size), 0.0)
        interval = mean_interval(values, clusters=codes)
        assert interval.low is not None
        assert interval.high is not None
        covered += interval.low <= 1 - 0.35 * 0.55 / 3.65 <= interval.high
    # at least 93%; Student's t with the bias-reduced variance covers in 90 to 91% of these samples
    assert covered >= 930


@pytest.mark.parametrize("values", [np.linspace(0, 1, 50), np.repeat([0.0, 1.0], [20, 30])])
def test_ordinary_data_carry_no_note(values: FloatArray) -> None:
    assert mean_interval(values).note is None
