"""Which value, or type, comes back."""

from __future__ import annotations

import pytest

from tests.jobs.verify.rules.case_runs import case_of, decided, proofs_of

RETURNS = [
    (
        "What does `yaml.safe_load('a: 1')` return?",
        "",
        ["`{'a': 1}`", "`'a: 1'`", "A list", "It raises `YAMLError`", "None"],
        "A",
    ),
    ("What does `yaml.safe_load('')` return?", "", ["`None`", "An empty string", "An empty dictionary"], "A"),
    ("What does `yaml.safe_load('yes')` evaluate to?", "", ["`True`", "`'yes'`", "`1`"], "A"),
    ("What is the return value of `safe_load('[1, 2]')`?", "", ["`[1, 2]`", "`(1, 2)`", "`'[1, 2]'`"], "A"),
    ("What type does `yaml.safe_load('1.0')` return?", "", ["`float`", "`int`", "string"], "A"),
    (
        "What is the type of `x`?",
        "import yaml\nx = yaml.safe_load('2020-01-01')",
        ["`datetime.date`", "`str`", "<class 'int'>"],
        "A",
    ),
    ("What is the value of `x` after this code runs?", "x = 1\nx += 2", ["`3`", "`4`", "3.0"], "A"),
    (
        "What is the value of `x['a']` at the end?",
        "import yaml\nx = yaml.safe_load('a: 010')",
        ["`8`", "`10`", "`'010'`"],
        "A",
    ),
    ("What will `x` contain?", "x = [3, 1]\nx.sort()", ["`[1, 3]`", "`[3, 1]`", "None"], "A"),
    ("What does the last line return?", "x = [3, 1]\nx.sort()", ["`[1, 3]`", "`[3, 1]`", "`None`"], "C"),
    ("What is the result of `yaml.safe_load('a: b: c')`?", "", ["`{'a': 'b: c'}`", "It raises a `YAMLError`."], "B"),
    ("What value does this code return?", "print(3)", ["`3`", "`4`"], "A"),
    ("What does `yaml.safe_load('x')` return?", "", ["x", "y"], "A"),
    ("What does `yaml.safe_load('[a, b]')` return?", "", ["A list of two strings", "`'[a, b]'`"], "?A"),
]


@pytest.mark.parametrize(("asked", "code", "options", "found"), RETURNS)
def test_options_are_held_against_what_comes_back(asked: str, code: str, options: list[str], found: str) -> None:
    assert decided(case_of(asked, *options, code=code)) == found


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ("What does `yaml.safe_load` return?", ""),
        ("What does `yaml.safe_load(stream)` return?", ""),
        ("What does `load()` return?", ""),
        ("What does `make(...)` return?", ""),
        ("What is the value of `y`?", "x = 1"),
        ("What does the function return?", "def f(x):\n    return x"),
        ("What does it return?", "x = 3"),
        ("What is the value of `x`?", "import time\nx = time.time()"),
    ],
)
def test_what_cannot_be_run_is_left_alone(asked: str, code: str) -> None:
    assert proofs_of(case_of(asked, "`1`", "`2`", code=code)) == ()
