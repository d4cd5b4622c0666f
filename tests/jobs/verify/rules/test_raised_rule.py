"""Which exception is raised."""

from __future__ import annotations

import pytest

from tests.jobs.verify.rules.case_runs import case_of, decided, proofs_of

LIMIT = "def limited(n):\n    if n > 3:\n        raise ValueError('n should be at most 3.')\nlimited(4)"
WRONG = "from pydantic import TypeAdapter\nTypeAdapter(int).validate_python('x')"

RAISES = [
    ("What error occurs?", LIMIT, ["`TypeError`", "`ValueError`", "`KeyError`", "No error."], "B"),
    ("Which exception is raised?", LIMIT, ["A TypeError", "A ValueError", "None"], "B"),
    ("What exception does this code raise?", LIMIT, ["`TypeError` because of n", "`ValueError` because of n"], "B"),
    (
        "Predict the error (if any) when running the following code:",
        LIMIT,
        ["ValueError: n should be at most 3.", "ValueError: n is too large.", "TypeError: n.", "No error."],
        "A",
    ),
    # Messages that authors shorten or put in their own words refute nothing.
    ("What error is raised?", LIMIT, ["ValueError: n was over its limit.", "TypeError: n.", "No error."], "?A"),
    (
        "What error is raised?",
        LIMIT,
        ["`ValueError: n should be ...`", "TypeError.", "No error, n is used as it is."],
        "A",
    ),
    ("What error is raised?", "x = 1\nprint(x)", ["ValueError: x.", "TypeError: x.", "No error."], "C"),
    ("What error is raised?", "x = 1\nprint(x)", ["ValueError: x.", "TypeError: x.", "None of the above"], "?C"),
    (
        "What validation error is raised?",
        WRONG,
        ["ValidationError: Input should be a valid integer", "TypeError", "Nothing"],
        "A",
    ),
    (
        "Which exception does `TypeAdapter(int).validate_python('x')` raise?",
        "",
        ["`ValidationError`", "`TypeError`", "It raises nothing"],
        "A?C",
    ),
    (
        "What kind of exception results from `yaml.safe_load('a: b: c')`?",
        "",
        ["`yaml.YAMLError`", "`KeyError`", "No exception"],
        "A",
    ),
]


@pytest.mark.parametrize(("asked", "code", "options", "found"), RAISES)
def test_options_are_held_against_what_is_raised(asked: str, code: str, options: list[str], found: str) -> None:
    assert decided(case_of(asked, *options, code=code)) == found


@pytest.mark.parametrize(
    "asked",
    [
        "Which exception does `safe_load` raise for bad input?",
        "Which exception does `load(text)` raise?",
        "Which error is raised when a key is missing?",
        "What error does `no_such_thing(1)` cause?",
    ],
)
def test_what_cannot_be_run_is_left_alone(asked: str) -> None:
    assert proofs_of(case_of(asked, "`YAMLError`", "`KeyError`")) == ()


# A message that an option quotes as the message is meant by the letter, but for the first letter and the full stop.
@pytest.mark.parametrize(
    ("option", "found"),
    [
        ("A `ValueError` with the message `n should be at most 3.`", "A"),
        ("A `ValueError` with the message `N should be at most 3`", "A"),
        ("A ValueError saying 'should be at most 3'", "A"),
        ("A `ValueError` with the message `n must not be larger than 3`", ""),
        ('It raises a `ValueError` with the text "limit exceeded"', ""),
        ("A `ValueError` stating `n is too large` and nothing else", ""),
        # Cut short, with a part that stands for something, in the author's own words: refuted by nothing.
        ("A `ValueError` with the message `n must ...`", "?A"),
        ("A `ValueError` with the message `<name> is too large`", "?A"),
        ("A `ValueError` with a message like `n is too large`", "?A"),
        ("`ValueError: n is too large`", "?A"),
        ("ValueError: the number is over its limit", "?A"),
    ],
)
def test_a_message_that_is_quoted_is_meant_by_the_letter(option: str, found: str) -> None:
    assert decided(case_of("Which error is raised?", option, "A `TypeError`", "No error", code=LIMIT)) == found


FINE = "x = 1\nstr(x)"


@pytest.mark.parametrize(
    ("asked", "options", "found"),
    [
        ("Which exception is raised?", ["`ValueError`", "`TypeError`"], "!"),
        ("What error does this code end with?", ["A `ValueError`", "A `KeyError` is raised"], "!"),
        ("Which exception does the last line raise?", ["`ValueError`", "`TypeError`", "`KeyError`"], "!"),
        # One may say that there is none; or not all were understood.
        ("Which exception, if any, is raised?", ["`ValueError`", "`TypeError`"], ""),
        ("Which exception is raised?", ["`ValueError`", "`TypeError`", "No exception"], "C"),
        ("Which exception is raised?", ["`ValueError`", "`TypeError`", "None of the above"], "?C"),
        ("Which exception is raised?", ["`ValueError`", "The one that was caught before"], "?B"),
        ("Which of these exceptions is NOT raised?", ["`ValueError`", "`TypeError`"], "AB"),
    ],
)
def test_where_every_option_is_an_exception_one_must_be_raised(asked: str, options: list[str], found: str) -> None:
    assert decided(case_of(asked, *options, code=FINE)) == found
