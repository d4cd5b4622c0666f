"""What an option says about running some code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.jobs.verify.rules.asked import Asked
from goldproof.jobs.verify.rules.message_forms import message_forms
from goldproof.jobs.verify.rules.outcomes import Outcome, Outcomes, read_outcomes
from goldproof.jobs.verify.rules.yes_no import read_answer


def said(text: str) -> list[tuple[str, ...]]:
    return [
        tuple(part for part in (one.says, one.what, one.message) if part)
        for one in read_outcomes(text, printed=True).said
    ]


# Whole sentences that are understood to the last word.
UNDERSTOOD = [
    ("`ValueError`", [("raises", "ValueError")]),
    ("ValueError", [("raises", "ValueError")]),
    ("SyntaxError.", [("raises", "SyntaxError")]),
    ("pydantic.ValidationError", [("raises", "pydantic.ValidationError")]),
    ("It raises a `ValueError`.", [("raises", "ValueError")]),
    ("A TypeError is raised", [("raises", "TypeError")]),
    ("The code will raise an `AttributeError` exception.", [("raises", "AttributeError")]),
    ("It fails with a `KeyError`", [("raises", "KeyError")]),
    ("The program crashes with a RuntimeError at runtime.", [("raises", "RuntimeError")]),
    ("`StopIteration` is raised", [("raises", "StopIteration")]),
    ("RuntimeError on initialization.", [("raises", "RuntimeError")]),
    ("No, it raises a ValidationError.", [("raises", "ValidationError")]),
    ("An error occurs.", [("raises",)]),
    ("The code fails with an exception.", [("raises",)]),
    ("It raises an exception", [("raises",)]),
    (
        "ValueError: Agent name must be a valid identifier.",
        [("raises", "ValueError", "Agent name must be a valid identifier.")],
    ),
    ("`ValueError: bad thing`", [("raises", "ValueError", "bad thing")]),
    ("`KeyError: 'a'`", [("raises", "KeyError", "a")]),
    ('`raise ValueError("x y")`', [("raises", "ValueError", "x y")]),
    ('Raises a `TypeError` with the message "no such thing"', [("raises", "TypeError", "no such thing")]),
    (
        "ValueError: Cannot update nonexistent fields...",
        [("raises", "ValueError", "Cannot update nonexistent fields...")],
    ),
    ("Either way: `ValueError` or `TypeError`", []),
    ("A `ValueError` or a `TypeError` is raised", [("raises", "ValueError"), ("raises", "TypeError")]),
    ("No error.", [("works",)]),
    ("No error is raised", [("works",)]),
    ("No exception occurs", [("works",)]),
    ("It runs successfully.", [("works",)]),
    ("It runs without any errors", [("works",)]),
    ("The code executes successfully without raising any exceptions", [("works",)]),
    ("The script completes normally.", [("works",)]),
    ("It works as expected", [("works",)]),
    ("It works", [("works",)]),
    ("It does not raise an error", [("works",)]),
    ("It doesn't raise any exception.", [("works",)]),
    ("Nothing is printed.", [("silent",)]),
    ("It prints nothing", [("silent",)]),
    ("No output", [("silent",)]),
    ("It prints `3`.", [("prints", "3")]),
    ('It prints "Hello".', [("prints", "Hello")]),
    ("Prints Hello", [("prints", "Hello")]),
    ("`3` is printed", [("prints", "3")]),
    ("The code runs and prints `3`.", [("prints", "3")]),
    ("It prints `1` and then raises `KeyError`.", [("raises", "KeyError"), ("prints", "1")]),
    ("It returns `None`.", [("returns", "None")]),
    ("It returns 3", [("returns", "3")]),
    ("A `DeprecationWarning` is emitted.", [("warns", "DeprecationWarning")]),
    ("The code does not raise a `ValueError`.", [("not raises", "ValueError")]),
]


@pytest.mark.parametrize(("text", "expected"), UNDERSTOOD)
def test_an_option_is_understood(text: str, expected: list[tuple[str, ...]]) -> None:
    assert said(text) == expected
    assert read_outcomes(text, printed=True).whole is bool(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("No error, but the second agent will be ignored.", [("works",)]),
        ("It raises a `ValidationError` when the model is instantiated", [("raises", "ValidationError")]),
        ("It prints `3` twice", [("prints", "3")]),
        ("No exception is raised; `x` becomes `3`.", [("returns", "3"), ("works",)]),
        ("It raises `ValueError` and closes the file", [("raises", "ValueError")]),
    ],
)
def test_words_that_claim_more_are_kept_as_the_rest(text: str, expected: list[tuple[str, ...]]) -> None:
    found = read_outcomes(text)
    assert said(text) == expected
    assert found.rest
    assert not found.whole


@pytest.mark.parametrize(
    "text",
    [
        "The agent is renamed.",
        "It is ignored.",
        "It defaults to a mock tool.",
        "The `ValueError` is caught and `None` is returned",
        "ImportError or ValueError depending on the failure.",
        "It does not print `3` but `4`",
        "It prints `3` instead of raising `ValueError`",
        "`x` is a subclass of `ValueError`",
        "A warning is logged.",
        "Only if `strict` is set a `ValueError` is raised",
        "",
        "42",
    ],
)
def test_what_may_be_denied_or_meant_otherwise_is_not_understood(text: str) -> None:
    assert read_outcomes(text).said == ()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("A `TypeError` because `x` is a string.", "because `x` is a string"),
        ("It raises `TypeError`, since strings cannot be added", "since strings cannot be added"),
        ("`ValueError` due to the missing key", "due to the missing key"),
        ("A ValidationError indicating that the name is taken", "indicating that the name is taken"),
    ],
)
def test_the_reason_that_an_option_gives_is_set_aside(text: str, reason: str) -> None:
    found = read_outcomes(text)
    assert found.reason == reason
    assert found.whole
    assert [one.says for one in found.said] == ["raises"]


def test_either_of_two_exceptions_suffices() -> None:
    assert read_outcomes("A `ValueError` or a `TypeError` is raised").either
    assert not read_outcomes("It prints `1` and then raises `KeyError`").either


def test_whether_an_option_speaks_of_an_error() -> None:
    assert Outcomes((Outcome("raises", "KeyError"),)).fails
    assert not Outcomes((Outcome("works"),)).fails


def test_an_output_in_a_fence_is_a_piece_of_code() -> None:
    assert said("It prints:\n```\n1\n2\n```") == [("prints", "1\n2")]


def test_a_message_is_kept_as_it_is_written() -> None:
    assert said("ValueError: Cannot update `name` of 'x'.") == [
        ("raises", "ValueError", "Cannot update `name` of 'x'.")
    ]


def test_a_message_is_looked_for_in_several_forms() -> None:
    assert message_forms("No `a`...") == ("No `a`", "No 'a'", 'No "a"', "No a")
    assert message_forms("Invalid app name (shows the name)...") == (
        "Invalid app name (shows the name)",
        "Invalid app name",
    )
    assert message_forms("...") == ()


@pytest.mark.parametrize(
    ("asked", "text", "says", "rest"),
    [
        ("Will this code work?", "Yes", "works", ""),
        ("Will this code work?", "No.", "raises", ""),
        ("Is this definition valid?", "Yes, but only for lists.", "works", "but only for lists"),
        ("Is this definition valid?", "No, the name must be a list.", "raises", "the name must be a list"),
        ("Does this code fail?", "Yes", "raises", ""),
        ("Does this code fail?", "No", "works", ""),
    ],
)
def test_yes_and_no_answer_whether_it_works(asked: str, text: str, says: str, rest: str) -> None:
    found = read_answer(text, Asked(("outcome",), asked))
    assert found is not None
    assert [one.says for one in found.said] == [says]
    assert found.rest == rest


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("Will this code work?", "No error."),
        ("What happens?", "Yes"),
        ("Will this code work?", "Nothing"),
        ("Is it red?", "No"),
    ],
)
def test_other_answers_are_no_yes_or_no(asked: str, text: str) -> None:
    assert read_answer(text, Asked(("outcome",), asked)) is None


@given(st.text(alphabet="`'\"\x03\x04 aAB.:()0\nErrorprints", max_size=80))
def test_no_text_is_too_odd_to_be_read(text: str) -> None:
    found = read_outcomes(text, printed=True)
    assert found.whole is (bool(found.said) and not found.rest)


def test_a_text_that_is_no_sentence_is_not_read() -> None:
    assert read_outcomes("It raises a `ValueError`. " * 100).said == ()
