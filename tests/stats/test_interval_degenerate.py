"""Every degenerate input has a defined outcome: no NaN, no warning (warnings are errors in this suite)."""

from __future__ import annotations

from functools import partial
from math import isfinite

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldproof.errors import InputError
from goldproof.stats.intervals import METHODS, difference_interval, mean_interval
from goldproof.stats.results import Interval

PLAIN = ("bca", "bootstrap-percentile", "bootstrap-t", "hall", "t")
CLUSTERED = ("cluster-bootstrap", "cluster-cr2", "cluster-t")


@pytest.mark.parametrize("method", ["auto", "wilson", *PLAIN])
def test_no_values_have_no_estimate(method: str) -> None:
    assert mean_interval([], method=method) == Interval(
        None, None, None, 0.95, "degenerate", 0, None, "There are no values."
    )


@pytest.mark.parametrize("method", ["auto", "wilson", *CLUSTERED])
def test_no_values_in_no_clusters_have_no_estimate(method: str) -> None:
    empty = np.array([], dtype=np.int64)
    assert mean_interval([], clusters=empty, method=method) == Interval(
        None, None, None, 0.95, "degenerate", 0, None, "There are no values."
    )


@pytest.mark.parametrize("method", ["auto", *PLAIN])
def test_one_value_has_an_estimate_and_no_interval(method: str) -> None:
    assert mean_interval([0.3], method=method) == Interval(
        0.3, None, None, 0.95, "degenerate", 1, None, "Only one value: an interval needs at least two."
    )


def test_one_hit_has_wilsons_interval() -> None:
    # 1 / (1 + z^2) = 1 / 4.841459 = 0.206549
    interval = mean_interval([1])
    assert (interval.method, interval.high) == ("wilson", 1.0)
    assert interval.low == pytest.approx(0.206549, abs=1e-6)


@pytest.mark.parametrize("values", [[0.0] * 9, [1.0] * 9, [0.0]])
def test_equal_values_of_an_unbounded_metric_have_no_interval_even_at_0_or_1(values: list[float]) -> None:
    # Nine latencies of 0 s: the next may be anything, and no share is estimated.
    assert mean_interval(values).method == "wilson"
    assert mean_interval(values, bounded=False).method == "degenerate"


def test_counts_of_0_and_1_in_an_unbounded_metric_are_values_like_any_other() -> None:
    values = [0.0, 1.0] * 10
    assert mean_interval(values, bounded=False) == mean_interval(values, method="hall")
    with pytest.raises(InputError, match="needs values of 0 and 1 of a bounded metric"):
        mean_interval(values, method="wilson", bounded=False)


@pytest.mark.parametrize("method", ["auto", *PLAIN])
@pytest.mark.parametrize("value", [0.4, -3.0, 1e100, 1e-300, 0.1])
def test_equal_values_that_are_not_0_or_1_have_no_interval(method: str, value: float) -> None:
    interval = mean_interval([value] * 7, method=method)
    assert (interval.low, interval.high, interval.method) == (None, None, "degenerate")
    assert interval.estimate == pytest.approx(value, rel=1e-15)
    assert interval.note == f"All 7 values are {value:.6g}, so there is no interval."


def test_values_equal_up_to_rounding_count_as_equal() -> None:
    assert mean_interval([0.1 + 0.2, 0.3, 0.3]).method == "degenerate"


@pytest.mark.parametrize("method", PLAIN)
def test_all_zeros_have_no_interval_by_a_method_that_needs_spread(method: str) -> None:
    assert mean_interval([0.0] * 9, method=method).low is None


@pytest.mark.parametrize("method", ["auto", *CLUSTERED])
def test_one_cluster_has_no_interval(method: str) -> None:
    interval = mean_interval([0.25, 0.5, 0.75], clusters=[4, 4, 4], method=method)
    note = "All 3 values are in one cluster: an interval needs at least two clusters."
    assert interval == Interval(0.5, None, None, 0.95, "degenerate", 3, 1, note)


def test_one_cluster_of_hits_has_no_interval() -> None:
    assert mean_interval([1, 1, 0], clusters=[4, 4, 4]).low is None


@pytest.mark.parametrize("method", ["auto", *CLUSTERED])
def test_clusters_with_equal_means_have_no_interval(method: str) -> None:
    interval = mean_interval([0.1, 0.5, 0.3, 0.3], clusters=[0, 0, 1, 1], method=method)
    assert interval.note == "All 2 clusters have the same mean, so there is no interval."


def test_no_hit_in_clusters_counts_clusters_as_the_units() -> None:
    # Equal sizes, 12 clusters: t(0.975; 11) = 2.200985, t^2 = 4.844336; t^2 / (12 + t^2) = 0.287594
    interval = mean_interval([0] * 36, clusters=np.repeat(np.arange(12), 3))
    assert (interval.low, interval.method, interval.clusters) == (0.0, "wilson", 12)
    assert interval.high == pytest.approx(0.287594, abs=1e-6)


def test_two_values_have_an_interval_by_every_method_that_can() -> None:
    for method in ("hall", "t", "bca", "bootstrap-percentile"):
        interval = mean_interval([0.2, 0.6], method=method)
        assert interval.low is not None
        assert interval.high is not None
        assert interval.low <= 0.4 <= interval.high


def sound(interval: Interval) -> bool:
    if interval.low is None or interval.high is None:
        return interval.low is None and interval.high is None and bool(interval.note)
    if interval.estimate is None:
        return False
    slack = 1e-9 * (abs(interval.estimate) + interval.high - interval.low)
    holds_estimate = interval.low <= interval.estimate + slack and interval.estimate <= interval.high + slack
    # The bias correction of BCa may shift it past the estimate when there are few values.
    ordered = interval.low <= interval.high if interval.method == "bca" else holds_estimate
    return isfinite(interval.low) and isfinite(interval.high) and ordered


GRIDS = st.one_of(
    st.lists(st.sampled_from([0.0, 1.0]), max_size=12),
    st.lists(st.sampled_from([0.0, 0.5, 1.0]), max_size=12),
    st.lists(st.sampled_from([-1.0, 0.0, 1.0]), max_size=12),
    st.lists(st.floats(-1e6, 1e6), max_size=12),
    st.lists(st.sampled_from([0.0, 1e-200, 1e100, 0.1, 0.1 + 1e-17, 1e-320]), max_size=8),
)


@settings(max_examples=300, deadline=None)
@given(values=GRIDS, method=st.sampled_from(METHODS), data=st.data())
def test_whatever_the_input_an_interval_is_sound_or_says_why_there_is_none(
    values: list[float], method: str, data: st.DataObject
) -> None:
    codes = data.draw(st.none() | st.lists(st.integers(0, 4), min_size=len(values), max_size=len(values)))
    clusters = None if codes is None else np.array(codes, dtype=np.int64)
    bounded = data.draw(st.booleans())
    for make in (partial(mean_interval, bounded=bounded), partial(difference_interval, bounded=bounded)):
        try:
            interval = make(values, clusters=clusters, method=method)
        except InputError:
            assert method != "auto"  # auto takes whatever is finite
        else:
            assert sound(interval)
            assert interval.n == len(values)
