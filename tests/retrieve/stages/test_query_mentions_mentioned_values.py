"""Which values of text fields a query mentions: whole words, the longest, and only where they are meant."""

from __future__ import annotations

import pytest

from goldproof.retrieve.stages.filter_from_query import FieldValues
from goldproof.retrieve.stages.query_mentions import mentioned_values
from goldproof.retrieve.stages.query_words import query_words
from tests.retrieve.given import documents_of


def mentioned(query: str, **values: list[object]) -> dict[str, list[object]]:
    """What is mentioned, by field; values: those of each field."""
    size = max(map(len, values.values()))
    filled = {name: [*given, *[None] * (size - len(given))] for name, given in values.items()}
    documents = documents_of(*(f"d{i}" for i in range(size)), **filled)
    fields = [FieldValues(name, documents) for name in values]
    return {field.name: field.written(found) for field, found in mentioned_values(query_words(query), fields)}


DEBATE: list[object] = ["proponent", "opponent", "moderator"]
CHAT: list[object] = ["user", "assistant", "system"]


@pytest.mark.parametrize(
    ("query", "roles"),
    [
        ("What did the opponent say about costs?", ["opponent"]),
        ("What did Opponent say about costs?", ["opponent"]),
        ("The opponent's economic claims", ["opponent"]),
        ("The opponent\N{RIGHT SINGLE QUOTATION MARK}s economic claims", ["opponent"]),
        ("Did the opponents raise safety?", ["opponent"]),
        ("the opponents' claims", ["opponent"]),
        ("What did the proponent and the moderator say?", ["proponent", "moderator"]),
        ("proponent, opponent or moderator on costs", ["proponent", "opponent", "moderator"]),
        ("According to the opponent, what does it cost?", ["opponent"]),
        ("How did the proponent respond to the opponent's claim?", ["proponent"]),
        ("What did the moderator ask the opponent?", ["moderator"]),
        ("Compare the proponent with the opponent on costs", ["proponent", "opponent"]),
        ("role opponent, costs", ["opponent"]),
        ("What was the opponent's claim?", ["opponent"]),
        ("The last thing that the opponent has said", ["opponent"]),
        ("the second opponent statement", ["opponent"]),
        ("What did the second opponent say?", None),
        ("What was the opponent told about costs?", None),
        ("What had the opponent been asked?", None),
        ("What was said to the opponent about costs?", None),
        ("What was said about costs, not by the opponent or the moderator?", None),
        ("Who other than the opponent spoke of costs?", None),
        ("Costs, apart from the proponent", None),
        ("Is there opposition to the exponential costs?", None),
    ],
)
def test_a_role_is_mentioned_where_it_speaks(query: str, roles: list[object] | None) -> None:
    assert mentioned(query, role=DEBATE).get("role") == roles


@pytest.mark.parametrize(
    ("query", "roles"),
    [
        ("What did the user say about login?", ["user"]),
        ("What has the assistant already recommended?", ["assistant"]),
        ("the user's last question", ["user"]),
        ("previous assistant replies on visas", ["assistant"]),
        ("What was suggested to me by the assistant?", ["assistant"]),
        ("Which dates did the user and the assistant mention?", ["user", "assistant"]),
        ("According to the user, what is broken?", ["user"]),
        ("What was the user told about login?", None),
        ("the things the user was asked", None),
        ("What colour is the user interface?", None),
        ("Did the user interface change?", None),
        ("Which operating system did we choose?", None),
        ("How many users signed up?", None),
        ("What is the user's phone number?", None),
        ("Who is the assistant manager?", None),
        ("What was said about the system by anyone?", None),
    ],
)
def test_a_role_that_is_an_everyday_word_needs_to_speak(query: str, roles: list[object] | None) -> None:
    assert mentioned(query, role=CHAT).get("role") == roles


def test_in_other_fields_such_a_word_counts_wherever_it_stands() -> None:
    assert mentioned("What colour is the user interface?", topic=CHAT) == {"topic": ["user"]}
    assert mentioned("all about safety", topic=["safety"]) == {"topic": ["safety"]}


def test_blanks_hyphens_and_underscores_are_the_same() -> None:
    topics: list[object] = ["climate_change", "New York", "air-quality"]
    assert mentioned("climate change in new-york", topic=topics) == {"topic": ["climate_change", "New York"]}
    assert mentioned("Air_Quality?", topic=topics) == {"topic": ["air-quality"]}


def test_words_count_whole_and_in_a_row() -> None:
    assert mentioned("a change of climate, unsafety, York", topic=["climate change", "safety", "New York"]) == {}


def test_the_longest_value_wins_in_its_field_and_across_fields() -> None:
    assert mentioned("nuclear energy costs", topic=["energy", "nuclear energy", "nuclear"]) == {
        "topic": ["nuclear energy"]
    }
    found = mentioned("What did the opponent research team say?", role=["opponent"], team=["opponent research"])
    assert found == {"team": ["opponent research"]}


def test_a_word_that_is_a_value_of_two_fields_counts_for_both() -> None:
    assert mentioned("everything on safety", topic=["safety"], tag=["safety"]) == {
        "topic": ["safety"],
        "tag": ["safety"],
    }


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("how much are the costs", ["cost"]),
        ("which policies", ["policy"]),
        ("which taxes", ["tax"]),
        ("about new costing", None),
        ("the glasses", None),
    ],
)
def test_a_plural_in_the_query_names_the_singular(query: str, found: list[object] | None) -> None:
    assert mentioned(query, topic=["cost", "policy", "tax", "news", "glas"]).get("topic") == found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("Is it good in Go?", ["Go"]),
        ("where did we go", None),
        ("what does IT cost", ["it"]),
        ("what does it cost", None),
        ("It costs what?", None),
        ("under topic other", ["other"]),
        ("the other costs", None),
        ("the C compiler", ["C"]),
        ("the C++ compiler", ["C++"]),
    ],
)
def test_a_value_that_is_hardly_a_word_needs_a_capital_or_its_field(query: str, found: list[object] | None) -> None:
    assert mentioned(query, topic=["Go", "it", "other", "C", "C++"]).get("topic") == found


def test_values_that_read_alike_are_found_together_and_items_of_lists_count() -> None:
    assert mentioned("safety and cost", topic=["Safety", "safety", ["cost", "waste"]]) == {
        "topic": ["Safety", "safety", "cost"]
    }


def test_a_date_is_mentioned_as_it_is_written() -> None:
    assert mentioned("what happened on 2024-05-01?", day=["2024-05-01", "2024-05-02"]) == {"day": ["2024-05-01"]}
