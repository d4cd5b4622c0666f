"""Measures of memory that were computed by hand: the arithmetic stands above each number."""

from __future__ import annotations

import pytest

from goldproof.metrics.memory.outcome import Outcome, ReturnedItem
from tests.metrics.memory.outcomes import outcome, reason, value

# Expected a, b, c of grade 2 and d of grade 1. What came, in order:
#   1 a          gain 1     similarity 0.6   12 tokens
#   2 nobody's   gain 0                       5 tokens
#   3 b and c    gain 1     similarity 0.4   20 tokens    (the system merged them)
#   4 z          gain 0     similarity 0.9    7 tokens    (stored, not expected)
#   5 a again    gain 1     not told          6 tokens
MIXED = Outcome(
    expected={"a": 1.0, "b": 1.0, "c": 1.0, "d": 0.5},
    returned=(
        ReturnedItem(("a",), 1.0, 0.6, 12),
        ReturnedItem((), 0.0, None, 5),
        ReturnedItem(("b", "c"), 1.0, 0.4, 20),
        ReturnedItem(("z",), 0.0, 0.9, 7),
        ReturnedItem(("a",), 1.0, None, 6),
    ),
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # items 1, 3 and 5 of 5
        ("precision", 3 / 5),
        # a, b, c of a, b, c, d: a counts once, the merged item twice
        ("recall", 3 / 4),
        # 2 * 0.6 * 0.75 / (0.6 + 0.75) = 0.9 / 1.35
        ("f1", 2 / 3),
        ("f1_or_silence", 2 / 3),
        ("Hit@1", 1.0),
        # the best grade: a, b, c, all here
        ("set_success", 1.0),
        # four are expected: (1 + 0 + 1 + 0) / 4; the fifth item is not looked at
        ("relevance_score", 0.5),
        # items 1, 3, 5: (1 + 1 + 1) / 3
        ("relevance_of_hits", 1.0),
        # items 1 and 3 tell one: (0.6 + 0.4) / 2; 0.9 is of an item that nobody expected
        ("similarity", 0.5),
        # 12 + 5 + 20 + 7 + 6
        ("tokens", 50.0),
    ],
)
def test_an_answer_with_merged_repeated_and_strange_items(name: str, expected: float) -> None:
    assert value(name, MIXED) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("came", "precision", "recall", "f1"),
    [
        ("", 0.0, 0.0, 0.0),  # nothing came where something should: 0, not undefined
        ("x z", 0.0, 0.0, 0.0),  # 0/2, 0/2; both 0
        ("a", 1.0, 0.5, 2 / 3),  # 1/1, 1/2; 2 * 1 * 0.5 / 1.5
        ("a z", 0.5, 0.5, 0.5),  # 1/2, 1/2
        ("z z z b a", 0.4, 1.0, 4 / 7),  # 2/5, 2/2; 2 * 0.4 / 1.4; also beyond any k
        ("a a", 1.0, 0.5, 2 / 3),  # 2/2: what came was expected; 1/2: once all the same
        ("ab", 1.0, 1.0, 1.0),  # one item for both: 1/1, 2/2
        ("az", 1.0, 0.5, 2 / 3),  # merged with one that is not expected: it stands for a too
    ],
)
def test_precision_counts_items_and_recall_counts_memories(
    came: str, precision: float, recall: float, f1: float
) -> None:
    found = outcome("ab", came)
    assert value("precision", found) == pytest.approx(precision)
    assert value("recall", found) == pytest.approx(recall)
    assert value("f1", found) == pytest.approx(f1)
    assert value("f1_or_silence", found) == value("f1", found)


@pytest.mark.parametrize(
    ("came", "expected"), [("", 0.0), ("a", 1.0), ("b z", 1.0), ("za", 1.0), ("z a", 0.0), ("x a", 0.0)]
)
def test_hit_at_1_looks_at_the_first_item_alone(came: str, expected: float) -> None:
    assert value("Hit@1", outcome("ab", came)) == expected


@pytest.mark.parametrize(
    ("came", "expected"),
    [
        ("new old", 1.0),
        ("old new", 0.0),  # a stale fact first is no hit
        ("old", 0.0),
        ("old+new", 1.0),  # one item that stands for both
        ("", 0.0),
    ],
)
def test_hit_at_1_asks_for_the_highest_grade_that_is_expected(came: str, expected: float) -> None:
    items = tuple(ReturnedItem(tuple(item.split("+")), 1.0) for item in came.split())  # a judge's 10 points do not help
    assert value("Hit@1", Outcome(expected={"old": 0.5, "new": 1.0}, returned=items)) == expected


def test_where_all_grades_are_low_the_highest_of_them_is_enough_for_hit_at_1() -> None:
    assert value("Hit@1", outcome({"a": 0.5, "b": 0.5}, "b a")) == 1.0


@pytest.mark.parametrize(
    ("kernels", "came", "expected"),
    [
        ("ab c", "a b", 1.0),  # the first kernel, complete
        ("ab c", "z c", 1.0),  # the second
        ("ab c", "a z", 0.0),  # half of the first
        ("ab bc", "a c", 0.0),  # half of each is none
        ("ab", "z z z z b a", 1.0),  # order and place play no part
        ("ab", "ab", 1.0),  # one item that stands for both
        ("", "a", 0.0),  # none named: the best grade, a and b
        ("", "a b", 1.0),  # c, of the lower grade, is not needed
        ("", "c", 0.0),
        ("", "", 0.0),
    ],
)
def test_set_success_needs_one_kernel_complete(kernels: str, came: str, expected: float) -> None:
    assert value("set_success", outcome({"a": 1.0, "b": 1.0, "c": 0.5}, came, kernels=kernels)) == expected


@pytest.mark.parametrize(
    ("came", "score", "of_hits"),
    [
        ("a b c", 2.5 / 3, 2.5 / 3),  # (1 + 1 + 0.5) / 3: not even the best answer reaches 1 here
        ("c b a", 2.5 / 3, 2.5 / 3),
        ("c", 0.5 / 3, 0.5),  # two that lack count 0
        ("z a z b", 1 / 3, 1.0),  # (0 + 1 + 0) / 3; b stands fourth
        ("a a a", 1.0, 1.0),  # a repeated memory has its gain each time; recall tells
        ("abc", 1 / 3, 1.0),  # one item, the best of its grades
    ],
)
def test_relevance_is_the_mean_grade_of_the_first_as_many_as_are_expected(
    came: str, score: float, of_hits: float
) -> None:
    found = outcome({"a": 1.0, "b": 1.0, "c": 0.5}, came)
    assert value("relevance_score", found) == pytest.approx(score)
    assert value("relevance_of_hits", found) == pytest.approx(of_hits)


def test_a_judge_may_find_what_the_scenario_does_not_expect_relevant() -> None:
    # The judge gave 7, 4 and 9 points of 10; two memories are expected, the third item is nobody's.
    returned = (ReturnedItem(("z",), 0.7), ReturnedItem(("a",), 0.4), ReturnedItem((), 0.9))
    judged = Outcome(expected={"a": 1.0, "b": 1.0}, returned=returned)
    # the first two: (0.7 + 0.4) / 2
    assert value("relevance_score", judged) == pytest.approx(0.55)
    # only a was expected
    assert value("relevance_of_hits", judged) == pytest.approx(0.4)


def test_similarity_may_be_below_zero() -> None:
    found = Outcome(
        expected={"a": 1.0, "b": 1.0}, returned=(ReturnedItem(("a",), 1.0, -0.5), ReturnedItem(("b",), 1.0, 0.1))
    )
    # the mean of both: (-0.5 + 0.1) / 2
    assert value("similarity", found) == pytest.approx(-0.2)


# a was stored at turn 1, b at 2, c at 3, d at 3.
TURNS = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 3.0}


@pytest.mark.parametrize(
    ("came", "newest"),
    [
        ("c b a", 1.0),  # 3 > 2 > 1: all three pairs
        ("a b c", 0.0),
        ("c a b", 2 / 3),  # (c a) and (c b) are right, (a b) is not
        ("b z x a", 1.0),  # what comes between plays no part
        ("c d b", 1.0),  # c and d are of one turn: (c b) and (d b) are left
        ("a b a", 0.5),  # 1, 2, 1: (a b) wrong, (b a) right, (a a) left out
        ("ac b", 1.0),  # the merged item is of turn 3, its newest
        ("b ac", 0.0),
    ],
)
def test_ordering_is_the_share_of_pairs_in_the_asked_order(came: str, newest: float) -> None:
    assert value("ordering", outcome("abcd", came, moments=TURNS, order="newest")) == pytest.approx(newest)
    assert value("ordering", outcome("abcd", came, moments=TURNS, order="oldest")) == pytest.approx(1 - newest)


def test_ordering_takes_the_moments_of_expected_memories_only() -> None:
    # z (turn 9) is not expected: the merged item is of turn 1, after b of turn 2
    found = outcome("ab", "b za", moments={"a": 1.0, "b": 2.0, "z": 9.0}, order="newest")
    assert value("ordering", found) == 1.0


@pytest.mark.parametrize("came", ["", "a", "z x", "a a", "c d", "cd"])
def test_ordering_needs_two_moments(came: str) -> None:
    found = outcome("abcd", came, moments=TURNS, order="newest")
    assert reason("ordering", found) == "fewer than two expected memories of different moments came"


def test_ordering_is_undefined_where_no_order_is_asked_for() -> None:
    assert reason("ordering", outcome("abcd", "a b", moments=TURNS)) == "no order is asked for"


def test_the_similarity_of_nothing_expected_and_the_untold_one_have_different_reasons() -> None:
    assert reason("similarity", outcome("a", "z")) == "no expected memory came"
    assert reason("similarity", outcome("a", "")) == "no expected memory came"
    assert reason("similarity", outcome("a", "a z")) == "the system tells no similarity"
    assert reason("relevance_of_hits", outcome("a", "z")) == "no expected memory came"


def test_silence_is_right_on_a_negative_query() -> None:
    silent = outcome("", "")
    assert [value(name, silent) for name in ("precision", "f1_or_silence", "false_surface", "tokens")] == [1, 1, 0, 0]


def test_whatever_comes_is_wrong_on_a_negative_query() -> None:
    # a judge's gain of 1 does not help
    loud = Outcome(expected={}, returned=(ReturnedItem(("z",), 1.0, 0.9, 8), ReturnedItem((), 1.0, None, 3)))
    assert [value(name, loud) for name in ("precision", "f1_or_silence", "false_surface", "tokens")] == [0, 0, 1, 11]


@pytest.mark.parametrize("came", ["", "z z"])
@pytest.mark.parametrize(
    "name",
    ["recall", "f1", "Hit@1", "set_success", "relevance_score", "relevance_of_hits", "similarity", "ordering"],
)
def test_a_negative_query_has_no_value_in_what_counts_the_expected(name: str, came: str) -> None:
    assert reason(name, outcome("", came, kernels="z", order="newest")) == "nothing should come"


def test_false_surface_is_of_negative_queries_only() -> None:
    assert reason("false_surface", outcome("a", "z")) == "something should come"


def test_nothing_returned_for_a_positive_query_is_worth_nothing_and_costs_nothing() -> None:
    empty = outcome("ab", "")
    zero = ("precision", "recall", "f1", "Hit@1", "set_success", "relevance_score", "tokens", "f1_or_silence")
    assert [value(name, empty) for name in zero] == [0.0] * len(zero)
