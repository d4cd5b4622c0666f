"""Two quantities are compared by value, unit, scale and printed precision."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.text.numbers import parse_quantity
from goldproof.text.quantity import Quantity, same_value, scale_conflict


def read(text: str) -> Quantity:
    quantity = parse_quantity(text)
    assert quantity is not None
    return quantity


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("8953", "8953.33333", True),  # to the unit
        ("8953", "8954", False),
        ("0.34719", "34.7%", True),  # 0.34719 to three decimals is 0.347
        ("0.34719", "34.8%", False),
        ("37.81139", "37.81%", True),  # a number without unit may be the percent itself
        ("2.5", "2", True),  # a half may be rounded either way
        ("2.5", "3", True),
        ("533000000.0", "$533 million", True),
        ("$533 million", "0.533 billion", True),
        ("$533", "$533 million", False),
        ("25 bps", "0.25%", True),
        ("2 percentage points", "2%", True),
        ("$5", "€5", False),
        ("$5", "USD 5", True),
        ("USD 5", "CAD 5", False),
        ("¥5", "RMB 5", True),
        ("$5", "5%", False),
        ("$5", "5", True),
        ("-5", "5", False),
        ("-13.377%", "-13.3%", False),  # cut off, not rounded
    ],
)
def test_equal_means_equal_at_the_coarser_printed_precision(a: str, b: str, same: bool) -> None:
    assert same_value(read(a), read(b)) is same
    assert same_value(read(b), read(a)) is same


def test_a_cut_off_tail_is_forgiven_on_request() -> None:
    assert same_value(read("-13.377%"), read("-13.3%"), cut_off=True)
    assert not same_value(read("-13.377%"), read("-13.2%"), cut_off=True)


@pytest.mark.parametrize(
    ("a", "b", "conflict"),
    [
        ("0.347", "34.7%", "percent"),
        ("0.279", "27.9", "percent"),
        ("-0.13377350366011195", "-13.3%", "percent"),  # cut off after the first decimal
        ("37.81139", "37.81%", None),
        ("25 bps", "0.25%", None),
        ("533", "$533 million", "million"),
        ("25153", "25153000.0", "thousand"),
        ("1.2", "1200000000", "billion"),
        ("0.0076", "1%", "percent"),  # 0.76 rounds to 1
        ("0.001", "1%", None),  # 0.1 does not
        ("-362", "362", "sign"),
        ("19.4%", "-0.19355", "percent and sign"),
        ("0.01", "0.1", None),
        ("5929.17", "73.7%", None),
        ("0", "0", None),
        ("0", "5", None),
    ],
)
def test_a_scale_conflict_is_named_by_its_factor(a: str, b: str, conflict: str | None) -> None:
    assert scale_conflict(read(a), read(b)) == conflict
    assert scale_conflict(read(b), read(a)) == conflict


QUANTITIES = st.builds(
    lambda digits, decimals, unit, scale: read(f"{digits}{decimals}{scale}{unit}"),
    st.integers(-(10**30), 10**30),
    st.sampled_from(["", ".0", ".25", ".123456"]),
    st.sampled_from(["", "%", " bps"]),
    st.sampled_from(["", " million", " billion"]),
)


@given(QUANTITIES, QUANTITIES)
def test_comparison_does_not_depend_on_the_order(a: Quantity, b: Quantity) -> None:
    assert same_value(a, b) == same_value(b, a)
    assert scale_conflict(a, b) == scale_conflict(b, a)


@given(st.integers(1, 10**25), st.sampled_from([("percent", 2), ("thousand", 3), ("million", 6), ("billion", 9)]))
def test_a_value_shifted_by_a_scale_conflicts_by_that_scale(number: int, scale: tuple[str, int]) -> None:
    name, places = scale
    shifted = Quantity(Decimal(number).scaleb(-places), "", "", 0, 1, decimals=places)
    assert scale_conflict(Quantity(Decimal(number), "", "", 0, 1, decimals=0), shifted) == name


@given(QUANTITIES)
def test_a_quantity_is_the_same_as_itself(quantity: Quantity) -> None:
    assert same_value(quantity, quantity)
    assert scale_conflict(quantity, quantity) is None
