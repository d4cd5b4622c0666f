"""What counts as a sample, a difference and a confidence."""

from __future__ import annotations

import numpy as np
import pytest

from goldproof.errors import InputError
from goldproof.stats.samples import checked_confidence, finite_values, is_flat, paired_differences, unit_values


def test_rounding_is_not_a_difference() -> None:
    assert paired_differences([0.1 + 0.2, 0.5], [0.3, 0.25]).tolist() == [0.0, 0.25]


def test_inputs_are_not_changed() -> None:
    a, b = np.array([0.1 + 0.2, 1.0]), np.array([0.3, 0.0])
    paired_differences(a, b)
    assert a.tolist() == [0.1 + 0.2, 1.0]
    assert b.tolist() == [0.3, 0.0]


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), None, -1e200])
def test_a_value_that_is_no_number_is_refused_with_its_place(bad: float | None) -> None:
    with pytest.raises(InputError, match="a: position 1 holds"):
        finite_values([0.0, bad], name="a")  # type: ignore[arg-type]


def test_text_and_tables_are_refused() -> None:
    with pytest.raises(InputError, match="a: expected numbers"):
        finite_values(["x"], name="a")
    with pytest.raises(InputError, match="found 2 dimensions"):
        finite_values([[1.0]], name="a")


def test_pairs_of_different_length_are_refused() -> None:
    with pytest.raises(InputError, match="a has 2 values and b has 1"):
        paired_differences([1, 2], [1])


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 95, float("nan")])
def test_a_confidence_outside_zero_and_one_is_refused(confidence: float) -> None:
    with pytest.raises(InputError, match=f"confidence: found {confidence}, expected a number between 0 and 1"):
        checked_confidence(confidence)


def test_unit_values_keep_every_digit_and_have_squares_that_neither_over_nor_underflow() -> None:
    for scale in (1e-300, 1e-12, 1.0, 1e100):
        values = scale * np.array([0.1, -0.7, 1.0])
        scaled = unit_values(values)
        assert 0.5 <= np.abs(scaled).max() < 1.0
        ratio = values / scaled
        assert ratio.tolist() == [ratio[0]] * 3
    assert unit_values(np.zeros(2)).tolist() == [0.0, 0.0]
    assert unit_values(np.array([])).size == 0


def test_values_are_flat_where_they_differ_by_no_more_than_rounding() -> None:
    assert is_flat(np.array([0.1 + 0.2, 0.3]), scale=0.3)
    assert not is_flat(np.array([0.3, 0.3 + 1e-9]), scale=0.3)
