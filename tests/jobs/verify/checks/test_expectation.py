"""An expectation that cannot be compared is refused with what is wrong; comparing never raises."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.jobs.verify.checks.compare import compare
from goldproof.jobs.verify.checks.expectation import check_expectation
from goldproof.jobs.verify.checks.seen import seen_line
from tests.jobs.verify.checks.drawn import EXPECTATIONS, JSON, MUTATED
from tests.jobs.verify.checks.observed import returned


@pytest.mark.parametrize(
    ("expect", "wrong"),
    [
        ({"check": "works"}, ""),
        ({"check": "any", "of": [{"check": "works"}]}, ""),
        ({"check": "retruns", "literal": "3"}, "no check is called 'retruns'; did you mean returns or"),
        ({"check": "zzz"}, "no check is called 'zzz'; known: accepts, all, any,"),
        ({"check": "returns"}, "check 'returns' needs 'literal'"),
        ({"check": "returns", "literal": 3}, "'literal' of check 'returns' is a str; found '3'"),
        ({"check": "returns", "literal": "foo()"}, "'foo()' is not a Python literal"),
        ({"check": "returns", "literal": "3", "value": 3}, "check 'returns' has no field 'value'; it takes literal"),
        (
            {"check": "prints", "text": "a", "how": "like"},
            "'how' of check 'prints' is one of equals, contains; found 'like'",
        ),
        ({"check": "works", "observation": "last"}, "\"observation\" is the number of one, from 0; found 'last'"),
        ({"check": "works", "observation": True}, '"observation" is the number of one, from 0; found True'),
        ({"check": "not", "of": "works"}, 'an expectation is an object with "check"'),
        ({"check": "all", "of": []}, "'all' needs \"of\", a list of at least one expectation"),
        (
            {"check": "any", "of": [{"check": "works"}, {"check": "wroks"}]},
            "no check is called 'wroks'; did you mean works",
        ),
        ([], 'an expectation is an object with "check"'),
    ],
)
def test_what_is_wrong_with_an_expectation(expect: object, wrong: str) -> None:
    found = check_expectation(expect)  # type: ignore[arg-type]
    assert found.startswith(wrong) if wrong else found == ""


def test_an_expectation_that_is_nested_without_end_is_refused() -> None:
    expect: dict[str, Any] = {"check": "works"}
    for _ in range(50):
        expect = {"check": "not", "of": expect}
    assert "nested" in check_expectation(expect)
    assert compare(expect, [returned("3")]).holds is None


@given(JSON | EXPECTATIONS, st.lists(JSON | MUTATED, max_size=3))
def test_comparing_never_raises(expect: object, observations: list[Any]) -> None:
    compared = compare(expect, observations)  # type: ignore[arg-type]
    assert compared.holds in {True, False, None}
    assert "\n" not in compared.seen


@given(MUTATED)
def test_a_line_can_be_made_of_any_observation(observation: dict[str, Any]) -> None:
    assert 0 < len(seen_line(observation)) <= 160
