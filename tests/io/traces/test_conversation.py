"""Levels that are misspelt or misplaced, and errors above the search: never taken for an agent that did not search."""

from __future__ import annotations

from typing import Any

import pytest

from goldproof.errors import InputError
from goldproof.io import traces_from_records
from tests.io.traces.trace_samples import plain

Record = dict[str, Any]
SEARCH: Record = {"query": "q", "results": ["a"]}
OBJECTS: list[Record] = [{"id": "x"}]


def in_turn(turn: Record) -> Record:
    return {"conversation_id": "c", "turns": [turn]}


def in_iteration(iteration: Record) -> Record:
    return in_turn({"iterations": [iteration]})


def in_search(search: Record) -> Record:
    return in_iteration({"searches": [search]})


def read(record: Record) -> Record:
    (table,) = traces_from_records([record])
    (found,) = plain([table])
    return found


MISPLACED: list[tuple[Record, str]] = [
    (
        in_iteration({"searches": [SEARCH], "results": ["b"]}),
        "iteration 1: has 'results' of its own, expected them within 'searches'.",
    ),
    (
        in_turn({"iterations": [{"searches": [SEARCH]}], "searches": [SEARCH]}),
        "has 'searches' of its own, expected them within 'iterations'.",
    ),
    (
        {**in_search(SEARCH), "iterations": [{"searches": [SEARCH]}]},
        "has 'iterations' of its own, expected them within 'turns'.",
    ),
    (
        {"conversation_id": "c", "turns": [], "iterations": [{"searches": [SEARCH]}]},
        "has 'iterations' of its own, expected them within 'turns'.",
    ),
    (
        {"conversation_id": "c", "turns": None, "searches": [SEARCH]},
        "has 'searches', but no 'turns': expected the levels turns > iterations > searches > results.",
    ),
    (
        in_turn({"results": OBJECTS}),
        "has 'results', but no 'iterations': expected the levels iterations > searches > results.",
    ),
    (
        in_iteration({"hits": OBJECTS}),
        "iteration 1: has 'hits', but no 'searches': expected the levels searches > results.",
    ),
    (in_turn({"iteration": [{}]}), "has 'iteration', but no 'iterations'; did you mean 'iterations'?"),
    (in_turn({"Iterations": [{}]}), "has 'Iterations', but no 'iterations'; did you mean 'iterations'?"),
    (
        in_iteration({"seerches": [SEARCH]}),
        "iteration 1: has 'seerches', but no 'searches'; did you mean 'searches'?",
    ),
    (
        in_iteration({"searches": [], "search": [SEARCH]}),
        "iteration 1: has 'search', but no 'searches'; did you mean 'searches'?",
    ),
    (
        in_search({"results": [], "documents": OBJECTS}),
        "iteration 1, search 1: key 'results' is empty, but 'documents' is not: which are the results?",
    ),
    (
        in_search({"hits": [], "docs": ["d1"]}),
        "iteration 1, search 1: key 'hits' is empty, but 'docs' is not: which are the results?",
    ),
    (
        in_search({"result": OBJECTS}),
        "iteration 1, search 1: has 'result', but no 'results'; did you mean 'results'?",
    ),
]


@pytest.mark.parametrize(("record", "problem"), MISPLACED, ids=[problem for _, problem in MISPLACED])
def test_a_level_that_would_not_be_read_is_refused(record: Record, problem: str) -> None:
    with pytest.raises(InputError) as raised:
        read(record)
    assert str(raised.value) == f"conversation 1 ('c'): {problem}"


HARMLESS: list[str] = [
    *("messages", "thoughts", "tool_calls", "citations", "observations", "operations", "sources", "steps", "events"),
    *("reasoning", "requests", "responses", "attachments", "actions"),
]


@pytest.mark.parametrize("key", HARMLESS)
@pytest.mark.parametrize(
    "value", [OBJECTS, ["text"], "text", {"a": 1}, 3], ids=["objects", "texts", "text", "object", "3"]
)
def test_other_keys_beside_an_empty_level_do_no_harm(key: str, value: object) -> None:
    more = {key: value}
    assert read({"conversation_id": "c", "turns": [], **more})["iterations"] == []
    assert read(in_turn(more))["iterations"] == []
    assert read(in_iteration(more))["iterations"] == []
    assert read(in_search({"results": [], **more}))["iterations"][0][0]["results"] == []


def test_documents_that_the_user_sent_are_no_results() -> None:
    assert read({"conversation_id": "c", "turns": [{"documents": OBJECTS}], "documents": OBJECTS})["iterations"] == []


@pytest.mark.parametrize("key", ["iterations", "searches", "results"])
def test_a_number_of_levels_is_no_level(key: str) -> None:
    assert len(read({**in_search(SEARCH), key: 3})["iterations"]) == 1
    if key != "iterations":
        assert len(read(in_turn({"iterations": [{"searches": [SEARCH]}], key: 3}))["iterations"]) == 1


def test_an_error_of_an_iteration_without_searches_is_one_search_that_failed() -> None:
    found = read(in_turn({"iterations": [{"error": "timeout"}, {"searches": [SEARCH], "error": None}]}))
    assert found["iterations"] == [
        [{"query": None, "failed": True, "results": []}],
        [{"query": "q", "failed": False, "results": [{"id": "a"}]}],
    ]
    assert found["failed"] is None


@pytest.mark.parametrize("turn", [{}, {"iterations": []}, {"iterations": [{}, {"searches": []}]}])
def test_an_error_of_the_last_turn_without_searches_is_one_of_the_conversation(turn: Record) -> None:
    found = read({"conversation_id": "c", "turns": [{}, {**turn, "question": "why?", "error": "crash"}]})
    assert (found["failed"], found["text"], found["iterations"]) == ("crash", "why?", [])
    earlier = read({"conversation_id": "c", "turns": [{**turn, "error": "crash"}, {}]})
    assert earlier["failed"] is None


BELONGS = "an error belongs to the search that failed, or to the conversation if all of it did."


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        (
            in_turn({"error": "boom", "iterations": [{"searches": [SEARCH]}]}),
            f"has both an error ('boom') and searches: {BELONGS}",
        ),
        (
            in_turn({"error": "boom", "iterations": [{"error": "timeout"}]}),
            f"has both an error ('boom') and searches: {BELONGS}",
        ),
        (
            in_iteration({"error": "boom", "searches": [SEARCH]}),
            f"iteration 1: has both an error ('boom') and 'searches': {BELONGS}",
        ),
    ],
)
def test_an_error_beside_searches_is_refused(record: Record, problem: str) -> None:
    with pytest.raises(InputError) as raised:
        read(record)
    assert str(raised.value) == f"conversation 1 ('c'): {problem}"


def test_a_list_of_the_users_own_beside_empty_results_does_no_harm() -> None:
    search = {"query": "q", "results": [], "raw_results": [{"status": 200}]}
    (table,) = traces_from_records([{"conversation_id": "c", "turns": [{"iterations": [{"searches": [search]}]}]}])
    assert (len(table.queries), len(table.results)) == (1, 0)
