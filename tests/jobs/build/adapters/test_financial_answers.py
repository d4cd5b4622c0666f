from __future__ import annotations

import pytest

from goldproof.jobs.build.adapters.financial import Answer, answer_text, number_text, reconciled_answer


def test_the_computed_answer_is_preferred() -> None:
    assert reconciled_answer("688.0", "688") == Answer("688.0", aliases=("688",), original="688")


def test_without_a_computed_answer_the_written_one_is_taken() -> None:
    assert reconciled_answer(None, "['$533 million']") == Answer("$533 million", original="$533 million", unit="$")
    assert reconciled_answer("12", None) == Answer("12")
    assert reconciled_answer(None, None) == Answer("")


def test_a_percent_stored_as_a_fraction_is_a_scale_conflict_and_the_same_answer() -> None:
    answer = reconciled_answer("0.935", "93.5%")
    assert answer.metadata == {"original_answer": "93.5%", "answer_unit": "percent", "scale_conflict": "percent"}
    assert answer.aliases == ("93.5%",)


def test_a_lost_sign_is_a_conflict_and_no_alias() -> None:
    answer = reconciled_answer("1212.0", "['(1,212)']")
    assert (answer.text, answer.aliases, answer.scale_conflict) == ("1212.0", (), "sign")


def test_answers_that_no_scale_explains_differ() -> None:
    answer = reconciled_answer("19.2", "18.6")
    assert (answer.text, answer.aliases, answer.metadata["answers_differ"]) == ("19.2", (), True)


@pytest.mark.parametrize(("program", "word"), [("0", "no"), ("1", "Yes"), ("1.0", "yes."), ("0.0", "no")])
def test_the_word_is_the_answer_to_a_yes_no_question(program: str, word: str) -> None:
    answer = reconciled_answer(program, word)
    assert answer.text == word.casefold().strip(".")
    assert answer.metadata == {"original_answer": word, "answer_coded_as": program}


def test_a_program_that_contradicts_the_word_decides() -> None:
    answer = reconciled_answer("0", "yes")
    assert (answer.text, answer.answers_differ) == ("no", True)


def test_a_program_that_says_the_word_is_not_coded() -> None:
    assert reconciled_answer("yes", "yes").metadata == {"original_answer": "yes"}


def test_a_date_made_of_words_gives_way_to_them() -> None:
    answer = reconciled_answer("2021-12-12", "['December 2021']")
    assert (answer.text, answer.metadata["answer_coded_as"]) == ("December 2021", "2021-12-12")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("['a', 'b']", "a; b"),
        (["a", " ", 2, None, ["c"]], "a; 2"),
        ("4.9\\\\n", "4.9"),
        ("nan", ""),
        (" ", ""),
        (None, ""),
        (True, ""),
        ({}, ""),
        (407.0, "407"),
    ],
)
def test_answers_are_one_text(value: object, expected: str) -> None:
    assert answer_text(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [(407.0, "407"), (-0.5, "-0.5"), (36003776400000.0, "36003776400000"), (1e22, "1e+22"), (float("nan"), ""),
     (float("-inf"), ""), (10**400, ""), (0, "0")],
)  # fmt: skip
def test_numbers_are_written_in_short(value: float, expected: str) -> None:
    assert number_text(value) == expected
