"""Repeats within groups, against a plain loop."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldproof.dedup.marks import find_repeats, number_bits
from goldproof.errors import InputError


def plain(numbers: list[int], starts: list[int], valid: list[bool]) -> dict[int, int]:
    found = {}
    for low, high in pairwise(starts):
        first: dict[int, int] = {}
        for row in range(low, high):
            if valid[row] and first.setdefault(numbers[row], row) != row:
                found[row] = first[numbers[row]]
    return found


@st.composite
def groups(draw: st.DrawFn) -> tuple[list[int], list[int], list[bool]]:
    lengths = draw(st.lists(st.integers(0, 12), max_size=12))
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(int).tolist()
    largest = draw(st.sampled_from([1, 5, 2**31, 2 ** number_bits(np.array(starts)) - 1]))
    numbers = draw(st.lists(st.integers(0, largest), min_size=starts[-1], max_size=starts[-1]))
    valid = draw(st.lists(st.booleans(), min_size=starts[-1], max_size=starts[-1]))
    return numbers, starts, valid


@settings(max_examples=300)
@given(groups(), st.booleans())
def test_a_repeat_is_a_later_row_of_the_group_with_the_same_number(
    case: tuple[list[int], list[int], list[bool]], masked: bool
) -> None:
    numbers, starts, valid = case
    found = find_repeats(
        np.array(numbers, dtype=np.int64), np.array(starts), valid=np.array(valid, dtype=np.bool_) if masked else None
    )
    expected = plain(numbers, starts, valid if masked else [True] * len(valid))
    assert dict(zip(found.rows.tolist(), found.firsts.tolist(), strict=True)) == expected


def test_a_group_larger_than_a_matrix_is_one_group() -> None:
    numbers = np.arange(200_000) % 150_000
    found = find_repeats(numbers, np.array([0, len(numbers)]))
    assert sorted(found.rows.tolist()) == list(range(150_000, 200_000))
    assert (numbers[found.firsts] == numbers[found.rows]).all()
    assert (found.firsts < 150_000).all()


@pytest.mark.parametrize("number", [-1, 2**62])
def test_a_number_that_does_not_fit_is_refused(number: int) -> None:
    with pytest.raises(InputError, match="numbers from 0"):
        find_repeats(np.array([number, 1]), np.array([0, 2]))
