"""Intervals of paired differences: Tango's score interval for wins and losses, Gaffke's for ties."""

from __future__ import annotations

from math import log, sqrt
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.stats import beta

from goldproof.errors import InputError
from goldproof.stats.interval_methods import tango_interval, units_for_tie
from goldproof.stats.intervals import difference_interval, mean_interval

if TYPE_CHECKING:
    from goldproof.records.arrays import IntArray

Z = 1.959963984540054


def score(difference: float, *, wins: int, losses: int, n: int) -> float:
    """The score statistic at a difference, its nuisance parameter found by maximising the trinomial likelihood."""

    def loss_of(chance: float) -> float:
        parts = ((wins, chance + difference), (losses, chance), (n - wins - losses, 1 - 2 * chance - difference))
        return -sum(count * log(max(p, 1e-300)) for count, p in parts if count)

    bounds = (max(0.0, -difference), (1 - difference) / 2)
    chance = minimize_scalar(loss_of, bounds=bounds, method="bounded", options={"xatol": 1e-12}).x
    return (wins - losses - n * difference) / sqrt(n * (2 * chance + difference * (1 - difference)))


def values(*, wins: int, losses: int, n: int) -> list[int]:
    return [1] * wins + [-1] * losses + [0] * (n - wins - losses)


@pytest.mark.parametrize(("wins", "losses", "n"), [(9, 4, 40), (1, 1, 30), (20, 3, 60), (7, 7, 14), (30, 22, 200)])
def test_the_score_statistic_is_z_at_both_ends(wins: int, losses: int, n: int) -> None:
    interval = difference_interval(values(wins=wins, losses=losses, n=n))
    assert interval.method == "tango"
    assert interval.low is not None
    assert interval.high is not None
    assert score(interval.low, wins=wins, losses=losses, n=n) == pytest.approx(Z, abs=1e-4)
    assert score(interval.high, wins=wins, losses=losses, n=n) == pytest.approx(-Z, abs=1e-4)


def test_no_discordant_pair_by_hand() -> None:
    # z^2 / (n + z^2) = 3.841459 / 53.841459 = 0.071348
    interval = difference_interval([0.0] * 50)
    assert interval.low == pytest.approx(-0.071348, abs=1e-6)
    assert interval.high == pytest.approx(0.071348, abs=1e-6)
    assert interval.note == "All differences are 0: the interval assumes a metric between 0 and 1."


def test_no_difference_in_clusters_counts_clusters_as_the_units() -> None:
    # 10 clusters: 3.841459 / 13.841459 = 0.277533
    interval = difference_interval([0.0] * 50, clusters=np.repeat(np.arange(10), 5))
    assert interval.high == pytest.approx(0.277533, abs=1e-6)


@pytest.mark.parametrize("clusters", [None, np.repeat(np.arange(10), 5)])
def test_no_difference_of_an_unbounded_metric_has_no_interval(clusters: IntArray | None) -> None:
    # A log-likelihood: equal on 50 questions, it may differ by anything on the next.
    interval = difference_interval([0.0] * 50, clusters=clusters, bounded=False)
    assert (interval.estimate, interval.low, interval.high, interval.method) == (0.0, None, None, "degenerate")
    assert interval.note == "All 50 values are 0, so there is no interval."


def test_differences_of_one_in_an_unbounded_metric_are_no_wins_and_losses() -> None:
    differences = values(wins=9, losses=4, n=40)
    assert difference_interval(differences).method == "tango"
    assert difference_interval(differences, bounded=False) == mean_interval(differences, method="t")


def test_whether_a_metric_is_bounded_does_not_matter_to_graded_differences() -> None:
    differences = np.random.default_rng(2).normal(0, 0.2, 30)
    assert difference_interval(differences, bounded=False) == difference_interval(differences)


def test_tango_by_name_refuses_an_unbounded_metric() -> None:
    with pytest.raises(InputError, match="'tango' needs differences of -1, 0 and 1 of a bounded metric"):
        difference_interval([1, 0, -1], method="tango", bounded=False)


def test_one_win_and_no_loss_leaves_a_negative_difference_possible() -> None:
    one_win = values(wins=1, losses=0, n=50)
    interval, as_share = difference_interval(one_win), mean_interval(one_win)
    assert interval.low is not None
    assert as_share.low is not None
    assert interval.low < 0 < as_share.low


def test_all_wins_reach_one() -> None:
    assert difference_interval([1] * 12).high == 1.0


def test_differences_that_are_not_wins_and_losses_have_students_interval() -> None:
    differences = np.random.default_rng(0).normal(0, 0.2, 60)
    assert difference_interval(differences) == mean_interval(differences, method="t")


def test_sparse_symmetric_differences_are_covered_where_a_skewness_correction_fails() -> None:
    rng = np.random.default_rng(1)
    covered = {"auto": 0, "hall": 0}
    for _ in range(1_000):
        differences = np.where(rng.random(50) < 0.2, rng.normal(0, 1, 50), 0.0)
        for method in covered:
            interval = difference_interval(differences, method=method)
            covered[method] += (
                interval.low is not None and interval.high is not None and interval.low <= 0 <= interval.high
            )
    # 95.8% and 88.2% in a long simulation; the standard error here is 0.7 and 1.0 points.
    assert covered["auto"] > 930
    assert covered["hall"] < 920


def test_wins_and_losses_in_clusters_have_the_interval_of_clusters() -> None:
    differences, codes = values(wins=9, losses=4, n=40), np.arange(40) // 4
    assert difference_interval(differences, clusters=codes).method == "cluster-cr2"


@pytest.mark.parametrize("clusters", [None, [0, 0, 1]])
def test_tango_refuses_what_it_cannot_take(clusters: list[int] | None) -> None:
    differences = [1, 0, 0.5] if clusters is None else [1, 0, -1]
    with pytest.raises(InputError, match="needs differences of -1, 0 and 1 of a bounded metric, not in clusters"):
        difference_interval(differences, clusters=clusters, method="tango")


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))
def test_the_interval_holds_the_estimate_and_stays_within_one(wins: int, losses: int, ties: int) -> None:
    n = wins + losses + ties
    if n == 0:
        return
    low, high = tango_interval(wins=wins, losses=losses, n=n, quantile=Z)
    assert -1 <= low <= (wins - losses) / n <= high <= 1
    assert low < high


@pytest.mark.parametrize(("wins", "n"), [(1, 20), (2, 20), (3, 100), (1, 299), (4, 5)])
def test_gaffkes_upper_end_of_wins_alone_is_clopper_and_pearsons_or_a_little_above(wins: int, n: int) -> None:
    differences = np.repeat([1.0, 0.0], [wins, n - wins])
    high = difference_interval(differences, method="gaffke", confidence=0.9).high
    exact = float(beta.ppf(0.95, wins + 1, n - wins))
    assert high is not None
    assert exact <= high <= 1.005 * exact


@pytest.mark.parametrize(("confidence", "n", "end"), [(0.9, 299, 0.00996915), (0.9, 2, 0.776393), (0.95, 20, 0.168433)])
def test_without_a_difference_gaffkes_ends_are_exact(confidence: float, n: int, end: float) -> None:
    # the ends are 1 - 0.05^(1/299), then 1 - 0.05^(1/2), then 1 - 0.025^(1/20)
    interval = difference_interval(np.zeros(n), method="gaffke", confidence=confidence)
    assert [interval.low, interval.high] == pytest.approx([-end, end], rel=1e-5)


def test_gaffkes_ends_are_quantiles_of_randomly_weighted_means() -> None:
    rng = np.random.default_rng(8)
    differences = np.clip(rng.normal(0.05, 0.3, 15), -1, 1)
    weights = rng.exponential(size=(200_000, 16))
    weights /= weights.sum(axis=1, keepdims=True)
    interval = difference_interval(differences, method="gaffke", confidence=0.9)
    # 200,000 draws: the share beyond an end has a standard error of 0.0005
    assert (weights @ np.append(differences, 1.0) > interval.high).mean() == pytest.approx(0.05, abs=0.002)
    assert (weights @ np.append(differences, -1.0) < interval.low).mean() == pytest.approx(0.05, abs=0.002)


def test_gaffkes_interval_mirrors_with_the_sign_and_reaches_one_where_every_pair_is_won() -> None:
    differences = [0.2, -0.1, 0.0, 0.5]
    one = difference_interval(differences, method="gaffke")
    other = difference_interval([-d for d in differences], method="gaffke")
    assert [one.low, one.high] == pytest.approx([-(other.high or 0), -(other.low or 0)])
    assert difference_interval([1.0, 1.0], method="gaffke").high == 1


def test_gaffkes_interval_of_equal_clusters_is_that_of_their_means() -> None:
    means = np.array([0.1, 0.0, -0.2, 0.05])
    clustered = difference_interval(np.repeat(means, 3), clusters=np.repeat(range(4), 3), method="gaffke")
    alone = difference_interval(means, method="gaffke")
    assert [clustered.low, clustered.high] == pytest.approx([alone.low, alone.high])


def test_gaffke_refuses_a_metric_without_bounds() -> None:
    with pytest.raises(InputError, match="'gaffke' needs differences of a metric within 0 and 1"):
        difference_interval([0.1, 0.2], method="gaffke", bounded=False)


@pytest.mark.parametrize(("margin", "units"), [(0.01, 299), (0.02, 149), (0.05, 59), (0.1, 29), (1.0, 1), (0.0, None)])
def test_a_tie_takes_as_many_pairs_as_leave_the_margin_unlikely(margin: float, units: int | None) -> None:
    # 0.95^58 = 0.0510 and 0.95^59 = 0.0485: at 59 pairs a share of 0.05 that differs would show in 95% of samples
    assert units_for_tie(margin, confidence=0.9) == units
