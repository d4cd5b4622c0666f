"""Whether a call is asked for, or only mentioned; and what is asked of code that is not as it stands."""

from __future__ import annotations

import pytest

from goldproof.jobs.verify.rules.call_asked import is_asked_for
from tests.jobs.verify.rules.case_runs import case_of, decided, proofs_of


@pytest.mark.parametrize(
    "text",
    [
        "What does `f(1)` return?",
        "Which exception does `f(1)` raise?",
        "What happens when `f(1)` is called?",
        "What happens if you call `f(1)`?",
        "What is the effect of `f(1)`?",
        "What kind of exception results from `f(1)`?",
        "What is the type of the object that `f(1)` returns?",
        "An object of which type does `f(1)` give?",
        "What is the value of `f(1)`?",
        "What happens on `f(1)`?",
        "What is `f(1)`?",
    ],
)
def test_a_call_is_asked_for(text: str) -> None:
    assert is_asked_for("f(1)", text)


@pytest.mark.parametrize(
    "text",
    [
        "What exception is raised when you assign to a model that is configured with `f(1)`?",
        "What error results from validating a string if the model uses `f(1)`?",
        "Which exception does a value of zero cause for a field declared with `f(1)`?",
        "What happens when an unknown field is passed to a model with `f(1)`?",
        "What does `f(1)` return if the model is strict?",
        "What does `f(1)` raise with another loader?",
        "Assuming that the cache is empty, what does `f(1)` return?",
        "What happens to an object after `f(1)`?",
        "Which exception is raised where `f(1)` is the default?",
        "What does `f(2)` return?",
        "What happens if `f(1)` is the default?",
    ],
)
def test_a_call_is_only_mentioned(text: str) -> None:
    assert not is_asked_for("f(1)", text)


def test_a_call_that_is_only_mentioned_is_not_run() -> None:
    options = ("`ValidationError`", "`TypeError`", "No error")
    asked = "Which exception does a value of `0` cause for a field declared with `Field(gt=0)`?"
    assert proofs_of(case_of(asked, *options)) == ()
    code = "from pydantic import BaseModel, Field\nclass A(BaseModel):\n    x: int\nA(x=1)"
    assert proofs_of(case_of("Which exception does a field with `Field(gt=0)` raise here?", *options, code=code)) == ()


SEVEN = "print(7)\nprint(8)"
FAILS = "import yaml\nyaml.safe_load('a: b: c')"


@pytest.mark.parametrize(
    "asked",
    [
        "What would be printed if `strict=True` was set in its configuration?",
        "What would this code print if the numbers were strings?",
        "What is printed if the second call is omitted?",
        "What would happen if you passed a text?",
        "What does the code print when the cache is enabled?",
    ],
)
def test_code_that_is_not_as_it_stands_is_not_run(asked: str) -> None:
    assert proofs_of(case_of(asked, "It prints `7`.", "It raises a `ValueError`.", code=SEVEN)) == ()


@pytest.mark.parametrize(
    "asked",
    [
        "What would happen if you run this code?",
        "What would happen if this code was executed?",
        "What happens if this code is run?",
        "What would be the outcome if the script is called?",
    ],
)
def test_code_that_would_be_run_is_run(asked: str) -> None:
    assert decided(case_of(asked, "It raises a `YAMLError`.", "No error.", code=FAILS)) == "A"


@pytest.mark.parametrize(
    "asked",
    [
        "What is the first line of the output?",
        "What is the last line that this code prints?",
        "Which word does the output begin with?",
        "What is the second number that is printed?",
        "How many lines are printed in the output of this code?",
    ],
)
def test_a_part_of_what_is_printed_is_not_held_against_all_of_it(asked: str) -> None:
    assert proofs_of(case_of(asked, "`7`", "`8`", "`2`", code=SEVEN)) == ()


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("Which of these calls does NOT raise an exception?", "B"),
        ("Which of these calls does not raise an error?", "B"),
        ("Which of these calls raises an exception?", "A"),
        ("Which of these calls runs without an error?", "B"),
        ("Which of these calls does NOT run without an error?", "A"),
        ("Pick the call that would not raise any error. Which call works?", "B"),
    ],
)
def test_what_is_not_raised_is_denied_once(asked: str, found: str) -> None:
    assert decided(case_of(asked, "`yaml.safe_load('a: b: c')`", "`yaml.safe_load('a: b')`")) == found


@pytest.mark.parametrize(
    ("reason", "found"),
    [
        ("because `extra_key` is not a field", "A"),
        ("since `x` and `extra_key` are given", "A"),
        ("because `model` is a required field", "?A"),
        ("due to `frozen`", "?A"),
        ("because of the fields", "A"),  # no name to look for
    ],
)
def test_a_reason_that_names_what_was_not_raised_for_confirms_nothing(reason: str, found: str) -> None:
    code = (
        "from pydantic import BaseModel, ConfigDict\nclass A(BaseModel):\n    "
        "model_config = ConfigDict(extra='forbid')\nA(extra_key=1)"
    )
    case = case_of("What happens?", f"A `ValidationError` is raised, {reason}.", "No error.", code=code)
    assert decided(case) == found


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("from pydantic import BaseModel\nclass A(BaseModel):\n    x: List[int] = []\nprint(A().x)", "!"),
        ("import yaml\nprint(json.dumps([]))", "!"),
        ("print(json.dumps([]))", "A"),
        ("from typing import List\nx: List[int] = []\nprint(x)", "A"),
        ("x: List[int] = []\nprint(x)", "A"),
    ],
)
def test_a_program_with_imports_of_its_own_is_run_as_it_is(code: str, found: str) -> None:
    assert decided(case_of("What does this print?", "`[]`", "`{}`", code=code)) == found


def test_the_length_of_something_is_not_the_thing() -> None:
    case = case_of("What is the length of `x` after this code?", "`2`", "`3`", code="x = [1, 2]\nx.append(3)")
    assert decided(case) == "B"
