"""Grades are read strictly: a number from 0 to 10, or nothing."""

from __future__ import annotations

import hashlib

import pytest

from goldproof.retrieve.stages.rerank import (
    LONGEST_TEXT,
    PROMPT,
    PROMPT_VERSION,
    REPAIR,
    grading_prompt,
    read_grade,
)


@pytest.mark.parametrize(
    ("answer", "grade"),
    [
        ("7", 7.0), ("0", 0.0), ("10", 10.0), (" 7\n", 7.0), ("7.5", 7.5), ("7.", 7.0), ("7/10", 7.0),
        ("7 out of 10", 7.0), ("Rating: 7", 7.0), ("Score: 8/10.", 8.0), ("**6**", 6.0), ("`3`", 3.0),
    ],
)  # fmt: skip
def test_a_grade_is_read(answer: str, grade: float) -> None:
    assert read_grade(answer) == grade


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "11",
        "10.5",
        "-1",
        "7-8",
        "seven",
        "7 because it mentions 3",
        "0-3: irrelevant",
        "100",
        "7 / 5",
        "\u0661",
        "[7]",
        "nan",
    ],
)
def test_anything_else_is_not_a_grade(answer: str) -> None:
    assert read_grade(answer) is None


def test_braces_in_texts_are_texts() -> None:
    assert "{query} {0}" in grading_prompt("q", "{query} {0}")


def test_a_long_text_is_cut() -> None:
    assert len(grading_prompt("q", "x" * (LONGEST_TEXT + 5))) == len(grading_prompt("q", "x" * LONGEST_TEXT))


def test_the_version_is_counted_up_with_the_words() -> None:
    # Where this fails, the words were changed: count PROMPT_VERSION up and put the new hash here.
    assert PROMPT_VERSION == "rerank-1"
    assert hashlib.sha256((PROMPT + REPAIR).encode()).hexdigest()[:12] == "cea59ae2b081"
