"""Planned numbers of labels, checked against the intervals that they are for."""

from __future__ import annotations

import math

import numpy as np
import pytest

from goldproof.errors import InputError
from goldproof.stats import mean_interval, ppi_mean
from goldproof.stats.power_analysis import labels_for_corrected_mean, labels_for_share


def half(n: int, ones: int) -> float:
    found = mean_interval([1] * ones + [0] * (n - ones))
    assert found.low is not None
    assert found.high is not None
    return (found.high - found.low) / 2


def test_a_share_of_a_half_needs_what_wilson_says() -> None:
    # p = 1/2: half-width = z sqrt(1/4n + z^2/4n^2) / (1 + z^2/n) <= 0.05, z = 1.95996: n >= 380.3
    assert labels_for_share(0.5, half_width=0.05) == 381


def test_with_that_many_the_interval_is_short_enough_and_with_fewer_it_is_not() -> None:
    n = labels_for_share(0.8, half_width=0.05)
    assert half(5 * math.ceil(n / 5), 4 * math.ceil(n / 5)) <= 0.05
    assert half(5 * (n // 5 - 1), 4 * (n // 5 - 1)) > 0.05


def test_a_perfect_start_is_no_proof() -> None:
    # p = 1: (high - low) / 2 = z^2 / (2 (n + z^2)) <= 0.05: n >= 9 z^2 = 34.57
    assert labels_for_share(1.0, half_width=0.05) == 35


def test_clustered_items_need_more_by_their_design_effect() -> None:
    assert labels_for_share(0.5, half_width=0.05, design_effect=2.0) == 762
    assert labels_for_share(0.5, half_width=0.05, design_effect=0.5) == 381  # never fewer


def test_the_plan_for_a_corrected_mean_is_met_by_such_a_sample() -> None:
    rng = np.random.default_rng(2)
    truth = (rng.random(4000) < 0.4).astype(float)
    judge = np.where(rng.random(4000) < 0.85, truth, 1 - truth)
    n = labels_for_corrected_mean(truth, judge, total=4000, half_width=0.05)
    assert n is not None
    found = ppi_mean(truth[:n], judge[:n], judge_rest=judge[n:])
    assert (found.high - found.low) / 2 == pytest.approx(0.05, rel=0.06)  # type: ignore[operator]
    alone = labels_for_share(0.4, half_width=0.05)
    assert n < 0.6 * alone  # the judge saves labels


def test_a_useless_judge_saves_nothing() -> None:
    truth, judge = [0, 1] * 200, [1] * 400
    # var = 0.2506, t about 1.966: n = 1.966^2 * 0.2506 / 0.05^2 = 387
    assert labels_for_corrected_mean(truth, judge, total=10_000, half_width=0.05) == pytest.approx(388, abs=2)


def test_alike_items_need_more_labels_for_a_corrected_mean_too() -> None:
    truth, judge = [0, 1] * 200, [1] * 400
    once = labels_for_corrected_mean(truth, judge, total=10_000, half_width=0.05)
    twice = labels_for_corrected_mean(truth, judge, total=10_000, half_width=0.05, design_effect=2)
    assert twice == pytest.approx(2 * once, rel=0.02)  # type: ignore[operator]


def test_where_all_items_are_not_enough_there_is_no_plan() -> None:
    assert labels_for_corrected_mean([0, 1] * 20, [0, 1] * 20, total=50, half_width=0.01) is None


@pytest.mark.parametrize("width", [0, 1, -0.1, math.nan])
def test_a_width_that_is_none_is_refused(width: float) -> None:
    with pytest.raises(InputError, match="half-width"):
        labels_for_share(0.5, half_width=width)
