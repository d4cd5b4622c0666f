"""Whole numbers in given proportions."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import InputError
from goldproof.jobs.build.sampling.apportionment import apportion, order_number

if TYPE_CHECKING:
    from random import Random

weights_by_name = st.dictionaries(
    st.text("abcdef", min_size=1, max_size=3), st.fractions(0, 10, max_denominator=60), min_size=1, max_size=8
)


def test_the_largest_remainders_get_what_is_left() -> None:
    # 10 * 5/8 = 6.25, 10 * 2/8 = 2.5, 10 * 1/8 = 1.25: whole parts 6 + 2 + 1 = 9, and one more for the .5
    assert apportion(10, {"numeric": 5, "lookup": 2, "policy": 1}) == {"lookup": 3, "numeric": 6, "policy": 1}


def test_the_methods_of_seed_4_share_fifty() -> None:
    # 50 * 0.3 = 15, twice; 50 * 0.2 = 10, twice
    shares = {"a": Fraction(3, 10), "b": Fraction(3, 10), "c": Fraction(2, 10), "d": Fraction(2, 10)}
    assert apportion(50, shares) == {"a": 15, "b": 15, "c": 10, "d": 10}


def test_equal_remainders_go_to_the_larger_weight_then_to_the_name() -> None:
    # 3 * 3/4 = 2.25 and 3 * 1/4 = 0.75: no tie. 2 * 3/4 = 1.5 and 2 * 1/4 = 0.5: a tie, b is larger
    assert apportion(2, {"a": 1, "b": 3}) == {"a": 0, "b": 2}
    assert apportion(1, {"b": 1, "a": 1}) == {"a": 1, "b": 0}
    assert apportion(2, {"c": 1, "b": 1, "a": 1}) == {"a": 1, "b": 1, "c": 0}


def test_thirds_are_exact_where_floats_would_not_be() -> None:
    # 3 * 10**17 / 3 is whole; 1 / 3 as a float is not a third
    third = Fraction(1, 3)
    assert set(apportion(3 * 10**17, {"a": third, "b": third, "c": third}).values()) == {10**17}


def test_nothing_can_be_shared_among_nobody_only_if_it_is_nothing() -> None:
    assert apportion(0, {}) == {}
    assert apportion(0, {"a": 0}) == {"a": 0}
    with pytest.raises(InputError, match="cannot apportion 3: no name has a weight above 0"):
        apportion(3, {"a": 0})


@pytest.mark.parametrize(("total", "weights"), [(-1, {"a": 1}), (1, {"a": 2, "b": -1})])
def test_totals_and_weights_are_not_negative(total: int, weights: dict[str, Fraction | int]) -> None:
    with pytest.raises(InputError, match="expected 0 or more"):
        apportion(total, weights)


@given(st.integers(0, 500), weights_by_name, st.randoms(use_true_random=False))
def test_parts_sum_to_the_total_stay_within_one_and_ignore_the_order(
    total: int, weights: dict[str, Fraction | int], random: Random
) -> None:
    whole = sum(weights.values())
    if not whole:
        return
    parts = apportion(total, weights)
    assert sum(parts.values()) == total
    for name, weight in weights.items():
        assert abs(parts[name] - total * Fraction(weight) / whole) < 1
    names = list(weights)
    random.shuffle(names)
    assert apportion(total, {name: weights[name] for name in names}) == parts


def test_the_order_number_is_the_start_of_a_sha256_over_seed_and_id() -> None:
    expected = hashlib.sha256(b'[42,"finqa:1"]').digest()[:8]
    assert order_number(42, "finqa:1") == int.from_bytes(expected, "big")
    assert order_number(43, "finqa:1") != order_number(42, "finqa:1")
    assert order_number(4, "2a") != order_number(42, "a")


def test_the_order_number_is_the_same_in_every_process() -> None:
    program = "from goldproof.jobs.build.sampling.apportionment import order_number; print(order_number(7, 'x'))"
    said = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("0", "1")
    }
    assert said == {f"{order_number(7, 'x')}\n"}
