"""Questions whose words ask for something else than running the code as it stands would show."""

from __future__ import annotations

import pytest

from tests.jobs.verify.rules.case_runs import case_of, decided

MODEL = "from pydantic import BaseModel\nclass M(BaseModel):\n    x: int = 1\n"
TWO = f"{MODEL}print(M().x)\nprint(2)"
LATE = f"{MODEL}print(M().x)\nM(x='a')"

LEFT_OPEN = [
    ("What would it print without the `x` field?", TWO),
    ("Suppose that the default of `x` is removed. What does the code print?", TWO),
    ("You add `frozen=True` to the model. What happens when this code is run?", TWO),
    ("What does it print with `'3'` instead?", TWO),
    ("What is the first line of the output?", TWO),
    ("What is the last thing that this code prints?", TWO),
    ("The code prints two lines. What is the second one?", TWO),
    ("What does the printed output contain?", TWO),
    ("What does this code NOT print?", TWO),
    ("Which of these is not printed?", TWO),
    ("What is printed before the exception is raised?", LATE),
    ("What does the code print before it fails?", LATE),
]


@pytest.mark.parametrize(("asked", "code"), LEFT_OPEN)
def test_what_is_not_asked_of_the_code_as_it_stands_is_left_open(asked: str, code: str) -> None:
    assert decided(case_of(asked, "`1`", "`2`", "`3`", "Nothing", code=code)) == "?ABCD"


def test_a_part_of_what_is_printed_is_not_refuted_where_no_option_is_the_whole() -> None:
    assert decided(case_of("What is printed?", "`1`", "`2`", "`3`", code=TWO)) == "?AB"
    assert decided(case_of("What is printed?", "`1`", "`2`", "`1\\n2`", code=TWO)) == "C"


@pytest.mark.parametrize(
    ("shown", "options", "found"),
    [
        ("M(x='5').x", ["`'5'`", "`5`"], "B"),
        ("repr('5')", ["`'5'`", "`5`"], "A"),
        ("'5'", ["`'5'`", "`6`"], "A"),
        ("repr('5')", ["`'5'`", "`6`"], "A"),
        ("'5'", ['"5"', "`5`"], "?AB"),
    ],
)
def test_quotation_marks_count_beside_the_same_without_them(shown: str, options: list[str], found: str) -> None:
    assert decided(case_of("What is printed?", *options, code=f"{MODEL}print({shown})")) == found


def test_bare_words_are_not_the_string_beside_the_string() -> None:
    case = case_of("What does `yaml.safe_load('hi')` return?", "`'hi'`", "`hi`", "`None`")
    assert decided(case) == "A?B"


def test_what_is_denied_is_only_what_an_option_says() -> None:
    options = ("It raises a `ValidationError`.", "It prints `2`.", "It prints nothing.", "It prints `1`.")
    code = f"{MODEL}M(x='a')"
    assert decided(case_of("Which statement about this code is NOT true?", *options, code=code)) == "BD"


def test_an_ending_that_is_not_understood_is_no_success() -> None:
    options = ("The program ends with exit code 4 and prints nothing.", "It prints `4`.", "It raises a `KeyError`.")
    case = case_of("What happens when this code runs?", *options, code=f"{MODEL}import sys\nsys.exit(4)")
    assert decided(case) == "?A"


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("What exception is raised by `yaml.safe_load('a: b: c')`?", "A"),
        ("`yaml.safe_load('a: b: c')` was called. What exception is raised by the caller?", "?AB"),
    ],
)
def test_what_is_raised_by_a_call_asks_for_it(asked: str, found: str) -> None:
    assert decided(case_of(asked, "`yaml.YAMLError`", "`TypeError`")) == found


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("`yaml.safe_load('1')` evaluates to", "A"),
        ("What's the value of `yaml.safe_load('1')`?", "A"),
        ("What is the length of `yaml.safe_load('1')`?", "?AB"),
        ("`yaml.safe_load('1')` returns a number. What does `load` return?", "?AB"),
    ],
)
def test_a_value_is_asked_for_by_an_unended_sentence_too(asked: str, found: str) -> None:
    assert decided(case_of(asked, "`1`", "`2`")) == found


def test_all_but_one_is_the_one_that_fails() -> None:
    options = ("`yaml.safe_load('1')`", "`yaml.safe_load('a: b: c')`", "`yaml.safe_load('')`")
    assert decided(case_of("All of the following calls succeed EXCEPT:", *options)) == "B"
