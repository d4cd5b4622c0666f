from __future__ import annotations

import pytest

from goldproof.judge.prompts import chosen_option, right_option
from goldproof.records.entities import Question

OPTIONS = ("A list", "a dict", "None of the above")


@pytest.mark.parametrize(
    ("answer", "position"),
    [
        ("B", 1),
        ("b", 1),
        ("(B)", 1),
        ("B)", 1),
        ("B.", 1),
        ("Option B", 1),
        ("Answer: B", 1),
        ("B. a dict", 1),
        ("B, since it maps", 1),
        ("A  LIST.", 0),
        ("none of the above", 2),
        ("A list of things", None),
        ("D", None),
        ("", None),
        ("a set", None),
    ],
)
def test_an_answer_names_an_option_by_letter_or_text(answer: str, position: int | None) -> None:
    assert chosen_option(answer, OPTIONS) == position


def test_a_model_means_the_letter_and_a_question_the_text() -> None:
    languages = ("Python", "C", "R")
    assert chosen_option("C", languages) == 2
    assert right_option(Question("q", answer="C", options=languages)) == 1
    assert right_option(Question("q", answer="B", options=languages)) == 1


def test_a_question_that_does_not_say_has_no_right_option() -> None:
    assert right_option(Question("q", options=OPTIONS)) is None
    assert right_option(Question("q", answer="a set", options=OPTIONS)) is None
