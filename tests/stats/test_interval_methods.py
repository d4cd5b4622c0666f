"""Each interval method against hand arithmetic and against scipy and statsmodels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from goldproof.errors import InputError, UnknownNameError
from goldproof.stats.intervals import METHODS, mean_interval

if TYPE_CHECKING:
    from goldproof.records.arrays import FloatArray, IntArray
    from goldproof.stats.results import Interval

Ends = tuple[float, float]


def ends(interval: Interval) -> Ends:
    assert interval.low is not None
    assert interval.high is not None
    return interval.low, interval.high


def clustered(seed: int, *, groups: int = 15) -> tuple[FloatArray, IntArray]:
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(groups), rng.integers(1, 12, groups))
    return 0.6 * rng.random(codes.size) + 0.4 * rng.random(groups)[codes], codes


# Student's t


def test_t_interval_of_three_values_by_hand() -> None:
    # mean 2, s = 1, t(0.975; 2) = 4.302653: 2 -+ 4.302653 / sqrt(3) = 2 -+ 2.484138
    assert ends(mean_interval([1, 2, 3], method="t")) == pytest.approx((-0.484138, 4.484138), abs=1e-6)


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
def test_t_interval_is_that_of_scipy(confidence: float) -> None:
    values = np.random.default_rng(0).normal(3, 2, 37)
    expected = stats.t.interval(confidence, 36, loc=values.mean(), scale=stats.sem(values))
    assert ends(mean_interval(values, method="t", confidence=confidence)) == pytest.approx(expected, abs=1e-10)


# Hall


def test_hall_interval_by_hand() -> None:
    # Nine 0 and one 10: m = 1, error = s / sqrt(10) = 1, second moment 9, third (0.9 (-1)^3 + 0.1 * 9^3) = 72
    # g = 72 / 27 = 2.666667, a = g / sqrt(10) = 0.843274
    # excess kurtosis (0.9 + 0.1 * 9^4) / 81 - 3 = 5.11 > 0, so q = t(0.975; 9) = 2.262157
    # H^-1(q)  = 3 / a (cbrt(1 + a (q - a / 6)) - 1) = 3.557562 (cbrt(2.789100) - 1) = 1.450163
    # H^-1(-q) = 3 / a (cbrt(1 - a (q + a / 6)) - 1) = 3.557562 (cbrt(-1.026137) - 1) = -7.145853
    values = [0.0] * 9 + [10.0]
    assert ends(mean_interval(values, method="hall")) == pytest.approx((1 - 1.450163, 1 + 7.145853), abs=2e-6)


def test_hall_interval_without_skewness_and_with_heavy_tails_is_students() -> None:
    values = np.array([-9.0, -1, -1, -1, 0, 1, 1, 1, 9])
    assert ends(mean_interval(values, method="hall")) == pytest.approx(
        ends(mean_interval(values, method="t")), abs=1e-9
    )


def test_hall_interval_is_shorter_than_students_where_the_tails_are_light() -> None:
    # Half 0.2, half 0.8: no skewness, excess kurtosis -2; t(0.975; 19) = 2.093024;
    # factor 1 - 2 (2 * 2.093024^2 + 1) / 120 = 0.837308, but never below 0.85.
    values = np.repeat([0.2, 0.8], 10)
    hall, student = ends(mean_interval(values, method="hall")), ends(mean_interval(values, method="t"))
    assert (hall[1] - hall[0]) / (student[1] - student[0]) == pytest.approx(0.85, abs=1e-9)


def test_hall_interval_reaches_further_on_the_side_of_the_long_tail() -> None:
    values = np.random.default_rng(1).lognormal(0, 1, 50)
    low, high = ends(mean_interval(values, method="hall"))
    assert high - values.mean() > 1.2 * (values.mean() - low)


# Wilson


@pytest.mark.parametrize(("ones", "n"), [(0, 10), (10, 10), (1, 1), (7, 10), (480, 500)])
def test_wilson_interval_is_that_of_statsmodels(ones: int, n: int) -> None:
    values = np.repeat([1.0, 0.0], [ones, n - ones])
    expected = proportion_confint(ones, n, method="wilson")
    assert ends(mean_interval(values, method="wilson")) == pytest.approx(expected, abs=1e-12)


def test_wilson_interval_of_no_hit_in_ten_by_hand() -> None:
    # z^2 / (n + z^2) = 3.841459 / 13.841459 = 0.277533
    assert ends(mean_interval([0] * 10)) == pytest.approx((0, 0.277533), abs=1e-6)


# Bootstrap


def test_percentile_interval_is_that_of_scipy_up_to_its_monte_carlo_error() -> None:
    values = np.random.default_rng(2).lognormal(0, 1, 60)
    expected = stats.bootstrap(
        (values,), np.mean, n_resamples=200_000, batch=2_000, method="percentile", rng=np.random.default_rng(3)
    ).confidence_interval
    found = ends(mean_interval(values, method="bootstrap-percentile"))
    # Standard error of a 2.5% quantile from 200,000 resamples: sqrt(.025 * .975 / 200,000) / density = 0.006 standard
    # errors of the mean, 0.0015 of the width; four of them.
    assert found == pytest.approx(tuple(expected), abs=0.006 * (found[1] - found[0]))


def test_bca_interval_is_that_of_scipy_up_to_its_monte_carlo_error() -> None:
    values = np.random.default_rng(4).lognormal(0, 1, 60)
    expected = stats.bootstrap(
        (values,), np.mean, n_resamples=200_000, batch=2_000, method="BCa", rng=np.random.default_rng(5)
    ).confidence_interval
    found = ends(mean_interval(values, method="bca"))
    # The error of the bias correction moves both ends as well: twice the tolerance of the percentile interval.
    assert found == pytest.approx(tuple(expected), abs=0.012 * (found[1] - found[0]))


def test_bootstrap_t_repeats_with_its_seed_and_moves_with_another() -> None:
    values = np.random.default_rng(6).lognormal(0, 1, 40)
    first = mean_interval(values, method="bootstrap-t", seed=1)
    assert first == mean_interval(values, method="bootstrap-t", seed=1)
    assert first != mean_interval(values, method="bootstrap-t", seed=2)


def test_bootstrap_t_follows_students_t_on_normal_quantiles() -> None:
    values = stats.norm.ppf((np.arange(400) + 0.5) / 400)
    student = ends(mean_interval(values, method="t"))
    # 9,999 resamples: the standard error of an end is 0.03 standard errors of the mean; five are 4% of the width.
    tolerance = 0.04 * (student[1] - student[0])
    assert ends(mean_interval(values, method="bootstrap-t")) == pytest.approx(student, abs=tolerance)


def test_bootstrap_t_has_no_interval_where_resamples_without_spread_reach_its_tail() -> None:
    # One value in five differs: 0.8^5 = 33% of the resamples are all equal.
    interval = mean_interval([0.3, 0.3, 0.3, 0.3, 0.9], method="bootstrap-t")
    assert (interval.low, interval.high, interval.method) == (None, None, "bootstrap-t")
    assert interval.note == "Too many resamples have no spread, so the bootstrap-t has no interval."


# Clusters


@pytest.mark.parametrize("seed", range(4))
def test_cluster_t_interval_is_that_of_cluster_robust_least_squares(seed: int) -> None:
    values, codes = clustered(seed)
    model = sm.OLS(values, np.ones(values.size))
    fit = model.fit(cov_type="cluster", cov_kwds={"groups": codes}, use_t=True)
    expected = tuple(fit.conf_int()[0])
    assert ends(mean_interval(values, clusters=codes, method="cluster-t")) == pytest.approx(expected, abs=1e-10)


def test_cluster_cr2_interval_by_hand() -> None:
    # Clusters (0, 2), (4,): N = 3, r = 2, u = (2 - 4, 4 - 2) = (-2, 2).
    # V = (4 / (1 - 2/3) + 4 / (1 - 1/3)) / 9 = (12 + 6) / 9 = 2
    # w = (4 / (1/3), 1 / (2/3)) = (12, 1.5); df = 9 / (5 + 2 * 12 * 1.5 / 9) = 9 / 9 = 1; t(0.975; 1) = 12.7062
    # half = 12.7062 * sqrt(2) = 17.96929
    interval = mean_interval([0, 2, 4], clusters=[7, 7, 3], method="cluster-cr2")
    assert ends(interval) == pytest.approx((2 - 17.96929, 2 + 17.96929), abs=1e-4)
    assert interval.clusters == 2


def test_clusters_of_equal_size_make_cr2_and_cluster_t_the_same() -> None:
    values, codes = np.random.default_rng(8).random(40), np.repeat(np.arange(10), 4)
    found = [ends(mean_interval(values, clusters=codes, method=m)) for m in ("cluster-t", "cluster-cr2")]
    assert found[0] == pytest.approx(found[1], abs=1e-12)


def test_cluster_bootstrap_is_that_of_resampled_clusters_up_to_monte_carlo_error() -> None:
    values, codes = clustered(9)
    rng = np.random.default_rng(10)
    totals, sizes = np.bincount(codes, weights=values), np.bincount(codes)
    drawn = rng.integers(0, totals.size, (200_000, totals.size))
    expected = tuple(np.quantile(totals[drawn].sum(axis=1) / sizes[drawn].sum(axis=1), [0.025, 0.975]))
    found = ends(mean_interval(values, clusters=codes, method="cluster-bootstrap"))
    assert found == pytest.approx(expected, abs=0.006 * (found[1] - found[0]))


def test_cluster_bootstrap_of_equal_sizes_is_the_bootstrap_of_cluster_means() -> None:
    values, codes = np.random.default_rng(11).random(60), np.repeat(np.arange(20), 3)
    means = values.reshape(20, 3).mean(axis=1)
    found = ends(mean_interval(values, clusters=codes, method="cluster-bootstrap"))
    assert found == pytest.approx(ends(mean_interval(means, method="bootstrap-percentile")), abs=1e-6)


def test_wilson_in_clusters_by_hand() -> None:
    # Four clusters of 2: (1, 1), (0, 0), (1, 1), (0, 1): r = 5/8, u = (.75, -1.25, .75, -.25), sum u^2 = 2.75
    # V = 2.75 / (1 - 1/4)^2 / 64 = 0.07638889; n = r (1 - r) / V = 0.234375 / 0.07638889 = 3.068182
    # t(0.975; 3) = 3.182446, t^2 = 10.127964
    # middle = (.625 + 10.127964 / 6.136364) / (1 + 10.127964 / 3.068182) = 2.275483 / 4.300966 = 0.529063
    # half = 3.182446 / 4.300966 * sqrt(.234375 / 3.068182 + 10.127964 / (4 * 9.413740)) = 0.739938 * 0.587670
    #      = 0.434839
    interval = mean_interval([1, 1, 0, 0, 1, 1, 0, 1], clusters=[1, 1, 2, 2, 3, 3, 4, 4])
    assert interval.method == "wilson"
    assert ends(interval) == pytest.approx((0.529063 - 0.434839, 0.529063 + 0.434839), abs=2e-6)


def test_wilson_in_clusters_never_counts_more_values_than_there_are() -> None:
    # Every cluster is half ones, less variable than chance: deff would be 0 and is taken as 1.
    values, codes = np.tile([0.0, 1.0], 30), np.repeat(np.arange(30), 2)
    found, simple = ends(mean_interval(values, clusters=codes)), ends(mean_interval(values))
    assert found[1] - found[0] > simple[1] - simple[0]


# Names


def test_wilson_of_scores_in_clusters_by_hand() -> None:
    # Four clusters of 2 with means .5, .25, 1, .75: r = .625, u = 2 (mean - r) = (-.25, -.75, .75, .25), sum u^2 = 1.25
    # V = 1.25 / (1 - 1/4)^2 / 64 = 0.03472222; n = .234375 / 0.03472222 = 6.75, which may exceed what 0/1 values allow
    # middle = (.625 + 10.127964 / 13.5) / (1 + 10.127964 / 6.75) = 1.375220 / 2.500439 = 0.549991
    # half = 3.182446 / 2.500439 * sqrt(.234375 / 6.75 + 10.127964 / (4 * 45.5625)) = 1.272755 * 0.300490 = 0.382450
    interval = mean_interval([0.4, 0.6, 0.0, 0.5, 1, 1, 0.75, 0.75], clusters=[1, 1, 2, 2, 3, 3, 4, 4])
    assert interval.method == "wilson"
    assert ends(interval) == pytest.approx((0.549991 - 0.382450, 0.549991 + 0.382450), abs=2e-6)


def test_scores_whose_clusters_all_have_the_same_mean_have_no_interval() -> None:
    interval = mean_interval([0.25, 0.75, 0.25, 0.75], clusters=[1, 1, 2, 2])
    assert (interval.low, interval.high, interval.method) == (None, None, "degenerate")
    assert interval.note == "All 2 clusters have the same mean, so there is no interval."


def test_auto_names_the_method_it_used() -> None:
    values, codes = clustered(12)
    binary = (values > 0.5).astype(float)
    found = [
        mean_interval(v, clusters=c).method
        for v, c in ((values, None), (binary, None), (values, codes), (binary, codes))
    ]
    assert found == ["hall", "wilson", "wilson", "wilson"]
    assert mean_interval(values, clusters=codes, bounded=False).method == "cluster-cr2"
    assert mean_interval(values + 1, clusters=codes).method == "cluster-cr2"


def test_an_unknown_method_is_refused_with_near_names() -> None:
    with pytest.raises(UnknownNameError, match="unknown interval method 'bootstrapt'; did you mean 'bootstrap-t'"):
        mean_interval([1, 2, 3], method="bootstrapt")


def test_wilson_refuses_values_other_than_zero_and_one() -> None:
    with pytest.raises(InputError, match="needs values of 0 and 1"):
        mean_interval([0, 1, 0.5], method="wilson")


@pytest.mark.parametrize("method", ["t", "hall", "bca", "bootstrap-t", "bootstrap-percentile"])
def test_a_method_that_would_ignore_clusters_is_refused(method: str) -> None:
    with pytest.raises(InputError, match="would ignore the clusters"):
        mean_interval([1, 2, 3], clusters=[1, 1, 2], method=method)


@pytest.mark.parametrize("method", ["cluster-t", "cluster-cr2", "cluster-bootstrap"])
def test_a_cluster_method_without_clusters_is_refused(method: str) -> None:
    with pytest.raises(InputError, match="needs clusters"):
        mean_interval([1, 2, 3], method=method)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_values_that_are_not_finite_are_refused_with_their_position(bad: float) -> None:
    with pytest.raises(InputError, match=r"values: position 1 holds .*\(1 bad in all\), expected finite"):
        mean_interval([0, bad, 1])


@pytest.mark.parametrize("clusters", [[1, 2], [[1, 2, 3]], ["a", "b", None]])
def test_clusters_of_another_length_or_kind_are_refused(clusters: object) -> None:
    with pytest.raises(InputError, match="clusters"):
        mean_interval([1, 2, 3], clusters=clusters)  # type: ignore[arg-type]


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 95, float("nan")])
def test_confidence_outside_zero_and_one_is_refused(confidence: float) -> None:
    with pytest.raises(InputError, match="confidence"):
        mean_interval([1, 2, 3], confidence=confidence)


def test_every_method_name_is_documented_in_the_module() -> None:
    import goldproof.stats.intervals as module

    assert all(f'"{name}"' in (module.__doc__ or "") for name in METHODS)
