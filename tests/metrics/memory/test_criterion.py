"""Criteria: how they are read, and what holds at the threshold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import InputError, UnknownNameError
from goldproof.metrics.memory import Criterion, parse_criterion
from goldproof.metrics.memory.measures import ALIASES, NAMES


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("recall > 0.9", Criterion("recall", ">", 0.9)),
        ("recall>0.9", Criterion("recall", ">", 0.9)),
        ("  precision   >=  80% ", Criterion("precision", ">=", 0.8)),
        ("precision >= 80 %", Criterion("precision", ">=", 0.8)),
        ("Hit@1 = 1", Criterion("Hit@1", "=", 1.0)),
        ("hit@1 == 100%", Criterion("Hit@1", "=", 1.0)),
        ("hit_at_1 = 1", Criterion("Hit@1", "=", 1.0)),
        ("Recall < .8", Criterion("recall", "<", 0.8)),
        ("F1_score <= 1", Criterion("f1", "<=", 1.0)),
        ("FalseSurface = 0", Criterion("false_surface", "=", 0.0)),
        ("relevance >= 85%", Criterion("relevance_score", ">=", 0.85)),
        ("tokens <= 1500", Criterion("tokens", "<=", 1500.0)),
        ("similarity > -0.25", Criterion("similarity", ">", -0.25)),
        ("precision >= 0", Criterion("precision", ">=", 0.0)),
    ],
)
def test_a_criterion_is_a_measure_a_sign_and_a_number(text: str, expected: Criterion) -> None:
    assert parse_criterion(text) == expected


@pytest.mark.parametrize(
    "text",
    ["", "recall", "recall 0.9", "> 0.9", "recall >", "recall => 0.9", "recall != 1", "recall > 0.9 0.8", "a b > 1"],
)
def test_what_is_no_criterion_is_shown_with_one_that_is(text: str) -> None:
    with pytest.raises(InputError, match=r"expected MEASURE > NUMBER .* such as recall > 0.9"):
        parse_criterion(text)


@pytest.mark.parametrize("found", [None, 3, 0.9, True, ["recall > 0.9"], {"recall": 0.9}])
def test_only_text_is_a_criterion(found: object) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        parse_criterion(found)


@pytest.mark.parametrize("number", ["x", "nan", "inf", "1e999", "0,9", "--1"])
def test_a_threshold_is_a_finite_number(number: str) -> None:
    with pytest.raises(InputError, match="is not a number"):
        parse_criterion(f"recall > {number}")


def test_an_unknown_measure_is_met_with_a_near_one() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown measure 'recal'; did you mean 'recall'\?\n  in the criterion"):
        parse_criterion("recal > 0.9")


@pytest.mark.parametrize(
    "text",
    [
        "recall > 90",
        "recall < 90",
        "recall = 1.01",
        "recall > 1",
        "recall > 100%",
        "recall < 0",
        "precision >= -1",
        "similarity < -1",
        "similarity > 1.5",
        "tokens < 0",
        "tokens = -3",
    ],
)
def test_a_threshold_that_the_measure_never_or_always_passes_is_a_slip_of_the_pen(text: str) -> None:
    with pytest.raises(InputError, match="would hold always or never"):
        parse_criterion(text)


def test_figures_of_a_whole_run_are_read_where_they_are_allowed() -> None:
    assert parse_criterion("pass_rate = 100%", further=["pass_rate"]) == Criterion("pass_rate", "=", 1.0)
    assert parse_criterion("recall > 0.9", further=["pass_rate"]) == Criterion("recall", ">", 0.9)
    with pytest.raises(UnknownNameError, match="unknown measure 'pass_rate'"):
        parse_criterion("pass_rate = 1")
    with pytest.raises(InputError, match="pass_rate lies between 0 and 1"):
        parse_criterion("pass_rate >= 90", further=["pass_rate"])


@pytest.mark.parametrize(
    ("how", "below", "at", "above"),
    [
        (">", False, False, True),
        (">=", False, True, True),
        ("<", True, False, False),
        ("<=", True, True, False),
        ("=", False, True, False),
    ],
)
def test_each_sign_at_its_threshold(how: str, below: bool, at: bool, above: bool) -> None:
    criterion = Criterion("recall", how, 0.9)
    assert [criterion.holds(value) for value in (0.89, 0.9, 0.91)] == [below, at, above]


def test_values_are_compared_at_the_digits_that_files_carry() -> None:
    # 0.1 + 0.2 = 0.30000000000000004, which is 0.3 to 12 digits
    assert not Criterion("recall", ">", 0.3).holds(0.1 + 0.2)
    assert Criterion("recall", "=", 0.3).holds(0.1 + 0.2)
    # 9/10 is not above 0.9, and 0.9 as 1 - 0.1 is not below it
    assert not Criterion("recall", ">", 0.9).holds(9 / 10)
    assert not Criterion("recall", "<", 0.9).holds(1 - 0.1)
    # the twelfth digit counts, the thirteenth does not
    assert Criterion("recall", ">", 0.9).holds(0.900000000001)
    assert not Criterion("recall", ">", 0.9).holds(0.9000000000001)
    assert Criterion("recall", "=", 0.123456789).holds(0.123456789)


@given(
    st.sampled_from([name for name in NAMES if name != "tokens"]),
    st.sampled_from([">=", "<=", "="]),
    st.floats(0, 1).map(lambda number: float(f"{number:.12g}")),
)
def test_a_criterion_is_read_back_as_it_is_printed(name: str, how: str, threshold: float) -> None:
    criterion = Criterion(name, how, threshold)
    assert parse_criterion(str(criterion)) == criterion


@pytest.mark.parametrize("alias", ALIASES)
def test_every_other_name_of_a_measure_is_understood_whatever_its_case(alias: str) -> None:
    assert parse_criterion(f"{alias.upper()} = 1").measure == ALIASES[alias]
