"""The best answer that a query allows, and criteria that it cannot meet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.metrics.memory.best_answer import best_answers, beyond_reach
from goldproof.metrics.memory.criterion import parse_criterion
from goldproof.metrics.memory.outcome import Outcome, ReturnedItem
from tests.metrics.memory.outcomes import outcome, value


def best(found: Outcome, *, k: int = 5) -> list[str]:
    return [" ".join("".join(item.memories) for item in one.returned) for one in best_answers(found, k=k)]


@pytest.mark.parametrize(
    ("kernels", "k", "expected"),
    [
        ("", 5, ["b c a d"]),  # the better grades first
        ("", 3, ["b c a"]),
        ("ad bcd", 2, ["a d", "b c"]),  # the smallest kernel, or better grades
        ("ad bcd", 3, ["b a d", "b c a"]),
        ("ad bd", 2, ["b d", "b c"]),  # of two kernels of one size, the one of better grades
    ],
)
def test_the_best_answers_are_the_expected_and_nothing_else(kernels: str, k: int, expected: list[str]) -> None:
    query = outcome({"a": 0.5, "b": 1.0, "c": 1.0, "d": 0.5}, "z z", kernels=kernels)
    assert best(query, k=k) == expected


def test_a_best_answer_comes_in_the_order_that_is_asked_for_and_one_begins_with_the_highest_grade() -> None:
    moments = {"a": 1.0, "b": 3.0, "c": 2.0}
    newest = outcome({"a": 1.0, "b": 0.5, "c": 1.0}, "", moments=moments, order="newest")
    oldest = outcome({"a": 1.0, "b": 0.5, "c": 1.0}, "", moments=moments, order="oldest")
    assert best(newest) == ["b c a", "c b a"]
    assert best(oldest) == ["a c b"]  # the oldest has the highest grade


def test_the_best_answer_to_a_negative_query_is_silence() -> None:
    assert [one.returned for one in best_answers(outcome("", "z"), k=5)] == [()]


@pytest.mark.parametrize(
    ("expected", "k", "criterion", "beyond"),
    [
        ({"a": 1.0}, 5, "Hit@1 = 1", False),
        # 5/6 = 0.83 is the most
        (dict.fromkeys("abcdef", 1.0), 5, "recall > 0.9", True),
        (dict.fromkeys("abcdef", 1.0), 6, "recall > 0.9", False),
        # (1 + 0.5) / 2 = 0.75 is the most
        ({"a": 1.0, "b": 0.5}, 5, "relevance_score >= 0.85", True),
        # (1 + 1 + 1 + 0.5) / 4 = 0.875
        ({"a": 1.0, "b": 1.0, "c": 1.0, "d": 0.5}, 5, "relevance_score >= 0.85", False),
        ({"a": 1.0, "b": 1.0}, 1, "set_success = 1", True),
        ({"a": 1.0}, 5, "false_surface = 0", False),  # has no value here: nothing is said
        ({}, 5, "false_surface = 0", False),
        ({}, 5, "f1_or_silence = 0", True),
    ],
)
def test_a_criterion_that_the_best_answer_fails_is_beyond_reach(
    expected: dict[str, float], k: int, criterion: str, beyond: bool
) -> None:
    wanted = parse_criterion(criterion)
    assert beyond_reach(outcome(expected, ""), [wanted], k=k) == ((wanted,) if beyond else ())


@pytest.mark.parametrize(
    ("criteria", "beyond"),
    [
        (["Hit@1 = 1"], []),  # c b a: c has the highest grade
        (["ordering = 1"], []),  # b c a
        # c b a: of (c b), (c a), (b a) two are in the order, 2/3; b c a has Hit@1 = 0
        (["Hit@1 = 1", "ordering > 0.6"], []),
        (["Hit@1 = 1", "ordering > 0.7"], ["Hit@1 = 1"]),
    ],
)
def test_criteria_must_hold_in_one_and_the_same_answer(criteria: list[str], beyond: list[str]) -> None:
    moments = {"a": 1.0, "b": 3.0, "c": 2.0}
    query = outcome({"a": 1.0, "b": 0.5, "c": 1.0}, "", moments=moments, order="newest")
    missed = beyond_reach(query, [parse_criterion(one) for one in criteria], k=5)
    assert [str(one) for one in missed] == beyond


@pytest.mark.parametrize(
    ("criteria", "beyond"),
    [
        (["set_success = 1"], []),  # a d
        (["Hit@1 = 1", "relevance_score >= 0.5"], []),  # b c: (1 + 1) / 4
        (["set_success = 1", "Hit@1 = 1"], ["Hit@1 = 1"]),  # there is no room for all three
    ],
)
def test_a_kernel_of_low_grades_does_not_put_the_highest_grade_beyond_reach(
    criteria: list[str], beyond: list[str]
) -> None:
    query = outcome({"a": 0.5, "b": 1.0, "c": 1.0, "d": 0.5}, "", kernels="ad")
    missed = beyond_reach(query, [parse_criterion(one) for one in criteria], k=2)
    assert [str(one) for one in missed] == beyond


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.sampled_from([0.5, 1.0]), min_size=1),
    st.lists(st.sampled_from("abcdefxyz"), unique=True, max_size=5),
)
def test_no_answer_of_the_same_length_is_better(expected: dict[str, float], answer: list[str]) -> None:
    given_items = tuple(ReturnedItem((memory,), expected.get(memory, 0.0)) for memory in answer)
    found = Outcome(expected=expected, returned=given_items)
    (answer_of_all,) = best_answers(found, k=6)
    for name in ("precision", "recall", "f1", "Hit@1", "set_success", "relevance_score"):
        assert (value(name, answer_of_all) or 0.0) >= (value(name, found) or 0.0)
