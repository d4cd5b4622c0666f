"""Numbers count only after the name of their field, alone, in lists, in ranges and as bounds."""

from __future__ import annotations

import pytest

from goldproof.retrieve.stages.filter_from_query import FieldValues
from goldproof.retrieve.stages.query_mentions import mentioned_numbers
from goldproof.retrieve.stages.query_words import query_words
from tests.retrieve.given import documents_of


def turns(query: str, name: str = "turn", values: tuple[object, ...] = (1, 2, 3, 4, 5, 6, 7)) -> list[float]:
    documents = documents_of(*(f"d{i}" for i in range(len(values))), **{name: list(values)})
    return list(mentioned_numbers(query_words(query), FieldValues(name, documents)))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("What did the opponent say in turn 3?", [3]),
        ("Turn #3, costs", [3]),
        ("turn: 3", [3]),
        ("turn number three", [3]),
        ("In turn 3, what was said in 5 minutes?", [3]),
        ("turns 3 and 5", [3, 5]),
        ("turn 3 or turn 5", [3, 5]),
        ("turns 1, 3, and 5 on costs", [1, 3, 5]),
        ("turns 1, 3 & 5", [1, 3, 5]),
        ("turn 3 to 5", [3, 4, 5]),
        ("turns 3-5", [3, 4, 5]),
        ("turns 3\N{EN DASH}5", [3, 4, 5]),
        ("from turn 3 to turn 5", [3, 4, 5]),
        ("turns three through five", [3, 4, 5]),
        ("between turns 3 and 5", [3, 4, 5]),
        ("between turn 3 and turn 5", [3, 4, 5]),
        ("turn 3 versus turn 6", [3, 6]),
        ("the claim from turn 3", [3]),
        ("the start of turn 3", [3]),
        ("What came before turn 3?", [1, 2]),
        ("after turn 5", [6, 7]),
        ("since the turn 5", [5, 6, 7]),
        ("until turn 2", [1, 2]),
        ("up to turn 2", [1, 2]),
        ("prior to turn 2", [1]),
        ("turn 6 or later", [6, 7]),
        ("from turn 6 on", [6, 7]),
        ("turn 2 and before", [1, 2]),
        ("after turn 2 and before turn 5", [3, 4]),
        ("after turn 6; turn 1 too", [1, 7]),
        ("turns 3 and 99", [3]),
    ],
)
def test_numbers_after_the_name_are_mentioned(query: str, expected: list[float]) -> None:
    assert turns(query) == expected


@pytest.mark.parametrize(
    "query",
    [
        "What are the 3 costs?",
        "3 turns ago",
        "in the last 3 turns",
        "turn left after 3 streets",
        "It was his turn. 3 people came.",
        "in turn 99",
        "around turn 3",
        "what was said about turn 3",
        "not in turn 3",
        "anything except turn 3",
        "as of turn 3",
        "return 3",
        "before turn 3 and 5",
        "after turn 7",
        "",
    ],
)
def test_other_numbers_are_not(query: str) -> None:
    assert turns(query) == []


def test_a_field_is_named_by_its_last_part_and_its_words() -> None:
    assert turns("in session id 2", name="session_id") == [2]
    documents = documents_of("a", "b", meta=[{"turn": 1}, {"turn": 2}])
    assert mentioned_numbers(query_words("turn 2"), FieldValues("meta.turn", documents)) == (2.0,)


def test_numbers_may_be_text_and_have_decimals() -> None:
    assert turns("version 1.5 or version 2", name="version", values=("1.5", "2", 3)) == [1.5, 2]


def test_true_is_no_number_and_cannot_be_mentioned() -> None:
    assert turns("turn 1", values=(True, 2)) == []
