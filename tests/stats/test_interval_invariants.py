"""What must not matter to an interval, and what must move it in step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldproof.stats.intervals import difference_interval, mean_interval

if TYPE_CHECKING:
    from goldproof.stats.results import Interval

METHODS = ("hall", "t", "bootstrap-percentile", "bca", "bootstrap-t", "cluster-t", "cluster-cr2", "cluster-bootstrap")
SEEDS = st.integers(0, 10_000)


def interval_by(method: str, values: object, codes: object, **settings: float) -> Interval:
    clusters = codes if method.startswith("cluster") else None
    return mean_interval(values, clusters=clusters, method=method, **settings)  # type: ignore[arg-type]


def ends(interval: Interval) -> tuple[float, float]:
    assert interval.low is not None
    assert interval.high is not None
    return interval.low, interval.high


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=10, deadline=None)
@given(seed=SEEDS, shift=st.floats(-50, 50), scale=st.floats(0.01, 100))
def test_an_interval_moves_and_stretches_with_the_values(method: str, seed: int, shift: float, scale: float) -> None:
    rng = np.random.default_rng(seed)
    values, codes = rng.beta(0.5, 0.8, 40), rng.integers(0, 12, 40)
    low, high = ends(interval_by(method, values, codes))
    moved = ends(interval_by(method, shift + scale * values, codes))
    tolerance = 1e-5 * scale * (high - low)
    assert moved == pytest.approx((shift + scale * low, shift + scale * high), abs=tolerance)


@pytest.mark.parametrize("method", [m for m in METHODS if m != "bootstrap-t"])
@settings(max_examples=10, deadline=None)
@given(seed=SEEDS)
def test_an_interval_turns_over_with_the_values(method: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    values, codes = rng.lognormal(0, 1, 40), rng.integers(0, 12, 40)
    low, high = ends(interval_by(method, values, codes))
    assert ends(interval_by(method, -values, codes)) == pytest.approx((-high, -low), abs=1e-5 * (high - low))


@pytest.mark.parametrize("method", ["auto", *(m for m in METHODS if m != "bootstrap-t")])
@settings(max_examples=10, deadline=None)
@given(seed=SEEDS)
def test_the_order_of_the_values_and_the_numbers_of_the_clusters_do_not_matter(method: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    values, codes = rng.random(30), rng.integers(0, 9, 30)
    order, renamed = rng.permutation(30), rng.permutation(9) * 1000 - 17
    before = ends(interval_by(method, values, codes))
    after = ends(interval_by(method, values[order], renamed[codes[order]]))
    assert after == pytest.approx(before, abs=1e-7)


@pytest.mark.parametrize("method", ["auto", *METHODS])
@settings(max_examples=10, deadline=None)
@given(seed=SEEDS)
def test_more_confidence_never_makes_an_interval_shorter(method: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    values, codes = rng.lognormal(0, 1, 30), rng.integers(0, 9, 30)
    found = [ends(interval_by(method, values, codes, confidence=c)) for c in (0.5, 0.8, 0.9, 0.95, 0.99)]
    lows, highs = zip(*found, strict=True)
    assert list(lows) == sorted(lows, reverse=True)
    assert list(highs) == sorted(highs)


@settings(max_examples=100, deadline=None)
@given(ones=st.integers(0, 40), zeros=st.integers(0, 40))
def test_wilsons_interval_of_misses_mirrors_that_of_hits(ones: int, zeros: int) -> None:
    if ones + zeros == 0:
        return
    hits = ends(mean_interval([1] * ones + [0] * zeros))
    misses = ends(mean_interval([0] * ones + [1] * zeros))
    assert (1 - misses[1], 1 - misses[0]) == pytest.approx(hits, abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(seed=SEEDS, binary=st.booleans())
def test_positive_dependence_within_clusters_makes_the_interval_longer(seed: int, binary: bool) -> None:
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(20), 5)
    values = np.repeat(rng.random(20), 5)
    values = (values > 0.5).astype(float) if binary else values
    clustered, simple = ends(mean_interval(values, clusters=codes)), ends(mean_interval(values))
    assert clustered[1] - clustered[0] > 1.5 * (simple[1] - simple[0])


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from([-1, 0, 1]), min_size=1, max_size=60))
def test_the_interval_of_a_minus_b_is_that_of_b_minus_a_turned_over(differences: list[int]) -> None:
    low, high = ends(difference_interval(differences))
    assert ends(difference_interval([-d for d in differences])) == pytest.approx((-high, -low), abs=1e-9)
