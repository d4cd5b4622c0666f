"""Reasons that options give: what a message must have for them, and that the right exception alone confirms none."""

from __future__ import annotations

import pytest

from goldproof.jobs.verify.rules.reasons import Reason, looked_at
from tests.jobs.verify.rules.case_runs import case_of, decided

NEEDED = ("required", "missing", "must", "need", "mandatory")
MODEL = "from pydantic import BaseModel\nclass M(BaseModel):\n    age: int\n"


@pytest.mark.parametrize(
    ("reason", "wanted"),
    [
        ("because the name is reserved", Reason((("reserved", "Reserved"),))),
        ("because `age` is not a field", Reason((), ("age",))),
        ("since the limit must be given too", Reason((("limit", "Limit"), NEEDED))),
        # Only words of the code, which any reason has: they must be in the message, beside that something is needed.
        ("since the name must be given", Reason((("name", "Name"), NEEDED))),
        ("because the name is 200", None),
        ("because of the fields", Reason()),
        ("because names are never checked", None),
    ],
)
def test_a_message_must_have_the_words_of_a_reason(reason: str, wanted: Reason | None) -> None:
    assert looked_at(reason, "make(name=200)") == wanted


def test_a_reason_without_words_that_mean_something_claims_nothing() -> None:
    assert not Reason().claims
    assert Reason((("limit",), NEEDED), ("x", "y")).text == "limit and required and x or y"


@pytest.mark.parametrize(
    ("reason", "found"),
    [
        ("because the string cannot be parsed as an integer", "?A"),  # it says `unable to parse`
        ("because it is unable to parse the string", "A"),
        ("because `age` is not a valid integer", "A"),
        ("because strings are never accepted for integers", "?A"),
        ("because the age must be positive", "?A"),
        ("because of `limit`", "?A"),
    ],
)
def test_an_exception_is_confirmed_with_a_reason_only_where_its_message_says_so(reason: str, found: str) -> None:
    options = (f"A `ValidationError` is raised, {reason}.", "It prints `1`.", "A `TypeError` is raised.")
    assert decided(case_of("What happens when this code runs?", *options, code=f"{MODEL}M(age='a')")) == found


@pytest.mark.parametrize("works", ["It prints `1`, because the string is coerced.", "No error, since `1` is valid."])
def test_the_reason_of_what_did_not_fail_is_not_looked_at(works: str) -> None:
    case = case_of(
        "What happens when this code runs?", works, "It raises a `TypeError`.", code=f"{MODEL}print(M(age='1').age)"
    )
    assert decided(case) == "?A"


def test_one_exception_with_two_reasons_is_left_open() -> None:
    options = (
        "It raises a `ValidationError` because `age` is missing.",
        "It raises a `ValidationError` because `b` is not a field.",
        "It prints `1`.",
    )
    assert decided(case_of("What happens when this code runs?", *options, code=f"{MODEL}M(b=1)")) == "?AB"
