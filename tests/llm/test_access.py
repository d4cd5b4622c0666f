"""Tokens come at the rate, in the order asked; a pause saves up to a second's worth."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import InputError
from goldproof.llm.access import TokenBucket


class Clock:
    now = 50.0

    def __call__(self) -> float:
        return self.now


def test_callers_at_the_same_time_are_spread_at_the_rate() -> None:
    # 30 a minute: one every 2 seconds, none saved
    bucket = TokenBucket(30, clock=Clock())
    assert [bucket.take() for _ in range(4)] == [0, 2, 4, 6]


def test_a_burst_goes_at_once_and_the_rest_at_the_rate() -> None:
    # 120 a minute: one every 0.5 seconds, two at once
    bucket = TokenBucket(120, clock=Clock())
    assert [bucket.take() for _ in range(4)] == [0, 0, 0.5, 1.0]


def test_a_pause_saves_no_more_than_the_burst() -> None:
    clock = Clock()
    bucket = TokenBucket(60, burst=3, clock=clock)
    assert [bucket.take() for _ in range(4)] == [0, 0, 0, 1]
    clock.now += 1000
    assert [bucket.take() for _ in range(4)] == [0, 0, 0, 1]


def test_how_long_it_takes_is_known_without_taking() -> None:
    # 30 a minute: one every 2 seconds
    clock = Clock()
    bucket = TokenBucket(30, clock=clock)
    assert [bucket.wait(), bucket.wait(ahead=3), bucket.take()] == [0, 6, 0]
    clock.now += 0.5
    assert [bucket.wait(), bucket.wait(ahead=1), bucket.take()] == [1.5, 3.5, 1.5]


@pytest.mark.parametrize("rate", [0, -1, float("inf"), float("nan")])
def test_a_rate_must_be_more_than_nothing(rate: float) -> None:
    with pytest.raises(InputError, match="calls per minute; expected more than 0"):
        TokenBucket(rate)


@given(
    st.integers(1, 600),
    st.integers(1, 5),
    st.lists(st.floats(0, 90, allow_nan=False), min_size=1, max_size=80),
)
def test_no_stretch_of_time_has_more_starts_than_the_rate_and_a_burst(
    rate: int, burst: int, pauses: list[float]
) -> None:
    clock = Clock()
    bucket = TokenBucket(rate, burst=burst, clock=clock)
    starts = []
    for pause in pauses:
        clock.now += pause
        starts.append(clock.now + bucket.take())
    assert starts == sorted(starts)
    for i, first in enumerate(starts):
        # Within s seconds at most burst + s * rate / 60 calls begin, both ends counted.
        assert all(j - i <= burst - 1 + (last - first) * rate / 60 + 1e-6 for j, last in enumerate(starts) if j >= i)
