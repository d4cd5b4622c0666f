"""The resampling bootstrap for any statistic."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from goldproof.errors import InputError
from goldproof.stats.bootstrap import bootstrap_interval
from goldproof.stats.intervals import mean_interval

if TYPE_CHECKING:
    from goldproof.records.arrays import FloatArray


def mean(rows: FloatArray) -> float:
    return float(rows.mean())


def median(rows: FloatArray) -> float:
    return float(np.median(rows))


def test_the_mean_agrees_with_its_computed_distribution() -> None:
    values = np.random.default_rng(0).lognormal(0, 1, 50)
    found = bootstrap_interval(values, mean, resamples=20_000)
    exact = mean_interval(values, method="bootstrap-percentile")
    assert exact.low is not None
    assert exact.high is not None
    # 20,000 resamples: the standard error of an end is 0.5% of the width; four of them.
    tolerance = 0.02 * (exact.high - exact.low)
    assert found.low == pytest.approx(exact.low, abs=tolerance)
    assert found.high == pytest.approx(exact.high, abs=tolerance)


def test_whole_clusters_are_drawn() -> None:
    # Each cluster holds one 0 and one 1: every resample has the mean 1/2, whatever is drawn.
    rows, clusters = [0.0, 1.0] * 8, np.repeat(np.arange(8), 2)
    interval = bootstrap_interval(rows, mean, clusters=clusters)
    assert (interval.low, interval.estimate, interval.high, interval.clusters) == (0.5, 0.5, 0.5, 8)


def test_the_mean_of_unequal_clusters_agrees_with_its_computed_distribution() -> None:
    rng = np.random.default_rng(1)
    clusters = np.repeat(np.arange(14), rng.integers(1, 9, 14))
    rows = rng.random(14)[clusters] + 0.2 * rng.random(clusters.size)
    found = bootstrap_interval(rows, mean, clusters=clusters, resamples=20_000)
    exact = mean_interval(rows, clusters=clusters, method="cluster-bootstrap")
    assert found.low == pytest.approx(exact.low, abs=0.02)
    assert found.high == pytest.approx(exact.high, abs=0.02)


def test_the_seed_decides_the_interval() -> None:
    values = np.random.default_rng(2).random(30)
    first, again, other = (bootstrap_interval(values, median, seed=s) for s in (1, 1, 2))
    assert first == again
    assert first != other


def test_rows_of_pairs_stay_together() -> None:
    first = np.random.default_rng(3).random(25)
    pairs = np.column_stack([first, first + 1])
    interval = bootstrap_interval(pairs, lambda rows: float((rows[:, 1] - rows[:, 0]).mean()))
    assert (interval.low, interval.high) == pytest.approx((1.0, 1.0))


@pytest.mark.parametrize(
    ("rows", "note"),
    [([], "The statistic is undefined on these data."), ([0.4], "Only one unit: an interval needs at least two.")],
)
def test_too_few_rows_have_no_interval(rows: list[float], note: str) -> None:
    interval = bootstrap_interval(rows, mean)
    assert (interval.low, interval.high, interval.method, interval.note) == (None, None, "degenerate", note)


def test_resamples_without_a_value_are_counted_or_end_it() -> None:
    def share_of_spread(rows: FloatArray) -> float:
        return float(rows[0] / rows.max()) if rows.max() > 0 else float("nan")

    # One positive value among four: 0.75^4 = 32% of the resamples have none. Among three of four: 0.25^4 = 0.4%.
    rare = bootstrap_interval([1.0, 0.0, 0.0, 0.0], share_of_spread)
    assert rare.low is None
    assert rare.note is not None
    assert rare.note.startswith("The statistic is undefined on 6")
    common = bootstrap_interval([1.0, 2.0, 3.0, 0.0], share_of_spread)
    assert common.low is not None
    assert common.note is not None
    assert common.note.endswith("of 2000 resamples, which are left out.")


def test_no_resamples_are_refused() -> None:
    with pytest.raises(InputError, match="resamples is 0"):
        bootstrap_interval([1.0, 2.0], mean, resamples=0)
