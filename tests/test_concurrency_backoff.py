"""How long is waited: doubled, by chance, at least what is asked for, never longer than allowed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.concurrency import Backoff


@given(st.integers(1, 5))
def test_waits_double_and_vary_by_half(attempt: int) -> None:
    # first = 0.5: about 0.5, 1, 2, 4, 8 s
    middle = {1: 0.5, 2: 1.0, 3: 2.0, 4: 4.0, 5: 8.0}[attempt]
    wait = Backoff(0.5).after(attempt)
    assert wait is not None
    assert 0.5 * middle <= wait <= 1.5 * middle


def test_two_callers_do_not_come_back_together() -> None:
    assert len({Backoff(1.0).after(1) for _ in range(5)}) == 5


@given(st.floats(0, 60))
def test_what_the_server_asks_for_is_kept(asked: float) -> None:
    wait = Backoff(0.5).after(1, asked)
    assert wait is not None
    assert wait >= asked
    assert wait >= 0.25  # also where it asks for nothing


@pytest.mark.parametrize(("asked", "waited"), [(60.0, True), (60.5, False)])
def test_a_server_that_asks_for_too_much_is_not_waited_for(asked: float, *, waited: bool) -> None:
    assert (Backoff(0.5, longest=60.0).after(1, asked) is not None) is waited


def test_no_wait_is_longer_than_the_longest() -> None:
    assert Backoff(1.0, longest=3.0).after(50) == 3.0
