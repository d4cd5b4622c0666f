"""What the code of a question prints."""

from __future__ import annotations

import pytest

from goldproof.jobs.verify.rules.text_forms import text_forms
from tests.jobs.verify.rules.case_runs import case_of, decided, proofs_of

PRINTS = [
    ("What does this code print?", "print({'a': 1})", ["`{'a': 1}`", "`a: 1`", "`[1]`", "It raises an error"], "A"),
    ("What is the output?", "print('Hello')", ["hello world", "Hello", "goodbye"], "B"),
    ("What will be printed?", "print(1 + 1)", ["1", "2", "11"], "B"),
    (
        "What is the output of the following code?",
        "for x in 1, 2:\n    print(x)",
        ["```\n1\n2\n```", "```\n2\n1\n```"],
        "A",
    ),
    ("Predict the standard output:", "for x in 1, 2:\n    print(x)", ["1, 2", "2, 1", "1"], "A"),
    ("What is printed?", "print(1)\nprint(2)", ["`1\\n2`", "`2\\n1`"], "A"),
    ("What gets displayed?", "x = []", ["Nothing is printed.", "`[]`"], "A"),
    (
        "What does this snippet output?",
        "print('a')\n{}['b']",
        ["`a`, and then a `KeyError` is raised", "`a`", "`b`"],
        "?A",
    ),
    (
        "What does this snippet output?",
        "print('a')\n{}['b']",
        ["It prints `a`, then raises a `KeyError`.", "`a`", "`b`"],
        "A",
    ),
    ("What does it print?", "print(None)", ["None", "Nothing", "`0`", "None of the above"], "A?D"),
    ("What does the code print?", "print('a')", ["It prints `a`.", "It prints `b`.", "It raises a `ValueError`."], "A"),
    # Words may describe what is printed: without a rival that is printed they are left open.
    ("What is printed?", "print('b a')", ["The letters in reverse order", "The letters in order"], "?AB"),
    ("What is printed?", "print('a')", ["The first letter", "`a`", "`b`"], "B"),
    # Two that read alike cannot be told apart.
    ("What is printed?", "print('a')", ["`a`", '"a"', "`b`"], "?AB"),
    ("What is printed?", "print(1, 2)", ["`1 2`", "`1\\n2`"], "A"),
    ("Which of these is NOT printed?", "print('a')", ["`a`", "`b`"], "?AB"),
]


@pytest.mark.parametrize(("asked", "code", "options", "found"), PRINTS)
def test_options_are_held_against_what_is_printed(asked: str, code: str, options: list[str], found: str) -> None:
    assert decided(case_of(asked, *options, code=code)) == found


def test_code_that_fails_where_no_option_speaks_of_it_breaks_the_question() -> None:
    assert decided(case_of("What is printed?", "`1`", "`2`", code="print({}['a'])")) == "!"
    assert decided(case_of("What is printed?", "`1`", "It raises a `KeyError`", code="print({}['a'])")) == "B"


@pytest.mark.parametrize(
    "code",
    [
        "import random\nprint(random.random())",
        "import uuid\nprint(uuid.uuid4())",
        "print(id(1))",
        "def f(x):\n    print(x)",
    ],
)
def test_what_differs_from_run_to_run_is_left_alone(code: str) -> None:
    assert proofs_of(case_of("What is printed?", "`1`", "`2`", code=code)) == ()


def test_a_question_without_code_is_left_alone() -> None:
    assert proofs_of(case_of("What does `safe_load` print?", "`1`", "`2`")) == ()


def test_no_two_options_share_a_form() -> None:
    forms = text_forms({"A": "1, 2", "B": "1 2", "C": "3"})
    assert forms["A"] == ("1, 2", "1,\n2")
    assert forms["B"] == ("1 2",)
    assert forms["C"] == ("3",)


TWO = "print('b: 1')\nprint('a: 2')"


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (["`a: 2` and then `b: 1`, each on its own line", "`b: 1` and then `a: 2`"], "B"),
        (["`b: 1`, then `a: 2`", "`a: 2`, then `b: 1`"], "A"),
        (["First `b: 1`, followed by `a: 2`.", "First `a: 2`, followed by `b: 1`."], "A"),
        (["It prints `b: 1` and `a: 2` on separate lines", "It prints `a: 2` and `b: 1` on separate lines"], "A"),
        (["`b: 1` then `a: 2` are printed", "Nothing is printed"], "A"),
        # No order is said, or more than that: one of them may be described.
        (["`b: 1` and `a: 2`", "`a: 2` and `b: 1`"], "?AB"),
        (["`b: 1` and then the value of `a`", "`a: 2` and then the value of `b`"], "?AB"),
        (["Either `b: 1` and then `a: 2`, or nothing", "`a: 2` and then `b: 1`"], "?A"),
    ],
)
def test_several_outputs_in_order_stand_on_lines(options: list[str], found: str) -> None:
    assert decided(case_of("What does the code print?", *options, code=TWO)) == found
