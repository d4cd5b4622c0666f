"""The breaker opens after failures in a row, lets one through after a pause, and closes when that goes well."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from goldproof.llm.access import Breaker


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def failing(breaker: Breaker, times: int) -> None:
    for _ in range(times):
        breaker.fail("503")


def test_failures_in_a_row_open_it() -> None:
    breaker = Breaker(limit=3, pause=30, clock=Clock())
    failing(breaker, 2)
    assert breaker.enter()
    failing(breaker, 1)
    assert not breaker.enter()
    assert breaker.failures == 3
    assert breaker.last == "503"


def test_a_success_between_failures_starts_the_count_again() -> None:
    breaker = Breaker(limit=3, pause=30, clock=Clock())
    failing(breaker, 2)
    breaker.succeed()
    failing(breaker, 2)
    assert breaker.enter()


def test_after_the_pause_one_call_is_let_through_at_a_time() -> None:
    clock = Clock()
    breaker = Breaker(limit=1, pause=30, clock=clock)
    failing(breaker, 1)
    clock.now += 29.9
    assert not breaker.enter()
    clock.now += 0.1
    assert breaker.enter()
    assert not breaker.enter()


def test_a_probe_that_fails_opens_it_for_another_pause() -> None:
    clock = Clock()
    breaker = Breaker(limit=5, pause=30, clock=clock)
    failing(breaker, 5)
    clock.now += 30
    assert breaker.enter()
    failing(breaker, 1)
    clock.now += 29
    assert not breaker.enter()
    clock.now += 1
    assert breaker.enter()


def test_a_probe_that_goes_well_closes_it() -> None:
    clock = Clock()
    breaker = Breaker(limit=2, pause=30, clock=clock)
    failing(breaker, 2)
    clock.now += 30
    assert breaker.enter()
    breaker.succeed()
    failing(breaker, 1)
    assert breaker.enter()
    assert breaker.enter()


def test_a_probe_that_is_given_up_lets_the_next_one_try() -> None:
    clock = Clock()
    breaker = Breaker(limit=1, pause=30, clock=clock)
    failing(breaker, 1)
    clock.now += 30
    assert breaker.enter()
    breaker.leave()
    assert breaker.enter()


def test_calls_under_way_that_fail_while_it_is_open_do_not_lengthen_the_pause() -> None:
    clock = Clock()
    breaker = Breaker(limit=2, pause=30, clock=clock)
    failing(breaker, 2)
    clock.now += 20
    failing(breaker, 3)
    clock.now += 10
    assert breaker.enter()


@given(st.lists(st.booleans(), max_size=60), st.integers(1, 9))
def test_it_is_open_exactly_after_as_many_failures_in_a_row(ends: list[bool], limit: int) -> None:
    breaker = Breaker(limit=limit, pause=30, clock=Clock())
    row = 0
    for went_well in ends:
        assert breaker.enter() is not (row >= limit)
        if went_well:
            breaker.succeed()
            row = 0
        else:
            breaker.fail("x")
            row += 1
