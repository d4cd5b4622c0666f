"""What came unexpected: of another role than the query names, older than it asks for, copies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.memory.analysis.findings import returned_items
from goldproof.jobs.memory.analysis.returned import MOST_KEPT, Intruders, intruders_of
from tests.jobs.memory.analysis.situations import asking, hit, memory, scored

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.io.scenarios.scenario import MemoryItem, Query

DEBATE = [
    memory("p1", "Reactors run at night.", "proponent", turn=1, topic="supply"),
    memory("o1", "Waste lasts for ages.", "opponent", turn=2, topic="waste"),
    memory("p2", "Waste is stored safely.", "proponent", turn=3, topic="waste"),
    memory("o2", "Storage costs money.", "opponent", turn=4, topic="cost"),
]


def found(query: Query, *came: str, stored: Sequence[MemoryItem] = DEBATE) -> Intruders:
    row = scored(query, stored, hits=[hit(one, text=None) for one in came])
    return intruders_of(row.answered, returned_items(row), {})


def test_a_role_that_the_query_names_and_all_expected_have_would_be_a_filter() -> None:
    intruders = found(asking("What did the opponent say of waste?", {"o1": 2}), "p1", "o1", "p2")
    assert [(one.memories, one.marks) for one in intruders.first] == [
        (
            ("p1",),
            ("its role is 'proponent', the query says 'opponent'", "its topic is 'supply', the query says 'waste'"),
        ),
        (("p2",), ("its role is 'proponent', the query says 'opponent'",)),
    ]
    (advice,) = intruders.advice
    assert advice.letter == "B"
    # Of the four memories only o1 is the opponent's and on waste.
    assert advice.because == (
        "the query names role = 'opponent' and topic = 'waste', which all expected memories have; filter on it: that "
        "drops 2 of 2 unexpected items and leaves 1 of 4 memories"
    )


def test_a_role_that_the_query_does_not_name_is_no_filter() -> None:
    assert found(asking("What was said of money?", {"o2": 2}), "p1", "o2").advice == ()


def test_a_role_that_not_all_expected_have_is_no_filter() -> None:
    assert found(asking("What did the opponent hear?", {"o1": 2, "p2": 1}), "p1", "o1", "p2").advice == ()


def test_a_filter_that_the_query_brings_already_is_not_advised() -> None:
    query = asking("What did the opponent say?", {"o1": 2}, filters={"role": "opponent"})
    assert found(query, "p1", "o1").advice == ()


def test_an_unexpected_item_that_the_filter_would_let_through_does_not_count() -> None:
    assert found(asking("What did the opponent say first?", {"o1": 2}), "o1", "o2").advice == ()


def test_a_number_is_named_only_after_its_field() -> None:
    (advice,) = found(asking("What was said in turn 2?", {"o1": 2}), "p1", "o1").advice
    assert "turn = 2" in advice.because
    assert found(asking("Which 2 things were said?", {"o1": 2}), "p1", "o1").advice == ()


def test_older_items_in_a_query_for_the_newest_point_to_decay() -> None:
    for further in ({"kind": "temporal"}, {"kind": "update"}, {"kind": "semantic", "order": "newest"}):
        intruders = found(asking("latest?", {"p2": 2}, **further), "p1", "o2", "p2")
        assert [one.marks for one in intruders.first] == [("older than all expected",), ()]  # o2 is newer
        (advice,) = intruders.advice
        assert advice.letter == "F"
        assert advice.because.endswith("1 of 2 unexpected items are older than all expected memories")


def test_age_is_no_fault_where_the_newest_is_not_asked_for() -> None:
    for further in ({"kind": "semantic"}, {"kind": "temporal", "order": "oldest"}):
        assert found(asking("when?", {"p2": 2}, **further), "p1", "p2").advice == ()


def test_an_item_between_the_expected_is_not_older_than_all() -> None:
    assert found(asking("latest?", {"p1": 1, "o2": 2}, kind="temporal"), "o2", "p2", "p1").advice == ()


def test_a_copy_of_what_came_before_is_marked() -> None:
    stored = [memory("a", "Tea at five."), memory("b", "tea  at FIVE."), memory("c", "Coffee.")]
    intruders = found(asking("drink?", {"a": 2}), "a", "b", "c", stored=stored)
    assert [one.marks for one in intruders.first] == [("a copy of a",), ()]


def test_an_item_that_matches_nothing_has_its_own_id_and_no_marks() -> None:
    (intruder,) = found(asking("What did the opponent say?", {"o1": 2}, kind="update"), "fact-7").first
    assert (intruder.id, intruder.memories, intruder.marks, intruder.role) == ("fact-7", (), (), "")


def test_of_very_many_only_the_first_are_kept_and_all_are_counted() -> None:
    stored = [memory(f"m{i}", f"number {i}") for i in range(50)]
    intruders = found(asking("which?", {"m0": 2}), *(one.id for one in stored), stored=stored)
    assert (len(intruders.first), intruders.in_all) == (MOST_KEPT, 49)


def test_a_negative_query_has_intruders_and_no_advice_by_fields_or_age() -> None:
    intruders = found(asking("What did the opponent say?", kind="negative"), "p1", "o1")
    assert (intruders.in_all, intruders.advice) == (2, ())


KITCHEN = [
    memory("k1", "The kettle and the stove are new."),
    memory("k2", "Ann and Bob share the rent."),
    memory("k3", "Dogs bark."),
]


def marks_of(query: Query, *came: str, takes: frozenset[str] | None) -> Intruders:
    row = scored(query, KITCHEN, hits=[hit(one) for one in came])
    return intruders_of(row.answered, returned_items(row), {}, takes=takes)


def test_an_item_of_a_users_memory_that_shares_function_words_alone_points_to_stopwords() -> None:
    query = asking("When did the kettle and the pan break?", {"k1": 2})
    intruders = marks_of(query, "k1", "k2", takes=frozenset())
    assert [one.marks for one in intruders.first] == [("shares only function words with the query: and, the",)]
    (advice,) = intruders.advice
    assert (advice.letter, advice.title) == ("H", "stopword removal")
    assert advice.because == (
        "1 of 1 unexpected items share only function words with the query; do not match on stopwords"
    )


def test_stopwords_are_not_blamed_where_words_did_not_find_it_or_the_system_is_not_the_users() -> None:
    query = asking("When did the kettle and the pan break?", {"k1": 2})
    assert marks_of(query, "k2", takes=None).advice == ()
    assert marks_of(query, "k2", "k3", takes=frozenset()).advice == ()  # k3 shares no word at all
    assert marks_of(asking("Who was it and the other?", {"k1": 2}), "k2", takes=frozenset()).advice == ()
    assert (
        marks_of(asking("Is the rent high?", {"k1": 2}), "k2", takes=frozenset()).advice == ()
    )  # shares a content word
