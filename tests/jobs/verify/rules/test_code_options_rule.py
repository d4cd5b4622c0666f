"""Options that are code."""

from __future__ import annotations

import pytest

from tests.jobs.verify.rules.case_runs import case_of, decided, proofs_of

YES, NO, WORD = (f"`TypeAdapter(int).validate_python({value})`" for value in ("'1'", "'x'", "'y'"))
MODEL = "from pydantic import BaseModel\nclass Car(BaseModel):\n    doors: int"

CODES = [
    (
        "Which of the following raises a `ValidationError`?",
        "",
        [NO, YES, "`TypeAdapter(str).validate_python('x')`"],
        "A",
    ),
    ("Which of the following does NOT raise a `ValidationError`?", "", [NO, YES, WORD], "B"),
    ("Which of the following works?", "", [NO, YES, WORD], "B"),
    ("Which call fails?", "", [NO, YES], "A"),
    (
        "Which of these snippets runs without an error?",
        "",
        [
            "```python\nimport yaml\nyaml.safe_load('a: b: c')\n```",
            "```python\nimport yaml\nyaml.safe_load('a: b')\n```",
        ],
        "B",
    ),
    (
        "Which of the following creates a valid `Car`?",
        MODEL,
        ["`Car(doors=4)`", "`Car(doors='four')`", "`Car(wheels=4)`"],
        "A",
    ),
    ("Which of these calls is not valid?", MODEL, ["`Car(doors=4)`", "`Car(doors='four')`"], "B"),
    ("Which expression returns `3`?", "", ["`len('abc')`", "`len('ab')`"], "A"),
    ("Which snippet prints `3`?", "", ["`print(1 + 2)`", "`print(1, 2)`", "`print('4')`"], "A"),
    # What is asked is more than whether it runs: what the library refuses is refuted, nothing is confirmed.
    (
        "How do you correctly check that a text is an integer?",
        "",
        ["`TypeAdapter(int).validate('1')`", YES, "`TypeAdapter(int)`"],
        "?BC",
    ),
    ("Which of the following code snippets correctly uses `Car`?", MODEL, ["`Car(doors=4)`", "`Car()`"], "?A"),
    # Names that nobody knows, and dots: not run.
    ("Which of the following works?", "", ["`make(1)`", "`TypeAdapter(...)`"], "?AB"),
]


@pytest.mark.parametrize(("asked", "code", "options", "found"), CODES)
def test_options_that_are_code_are_run(asked: str, code: str, options: list[str], found: str) -> None:
    assert decided(case_of(asked, *options, code=code)) == found


@pytest.mark.parametrize(
    ("asked", "options"),
    [
        ("Which parameter limits the retries?", ["`max_retries`", "`retries`"]),
        ("Which parameter limits the retries?", ["`max_retries=5`", "`retries=5`"]),
        ("What does the parser give back for this?", ["`TypeAdapter(type=int)`", "`TypeAdapter(type=str)`"]),
        ("Which class is used?", ["`BaseModel`", "`Field`"]),
        ("Which of the following works?", ["The first", "The second"]),
        ("Which of the following works?", ["3", "4"]),
        ("Which method loads a document?", ["`safe_load()`", "`load_all()`", "parse", "read"]),
    ],
)
def test_options_that_are_names_are_left_alone(asked: str, options: list[str]) -> None:
    assert proofs_of(case_of(asked, *options)) == ()
