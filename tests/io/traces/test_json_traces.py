"""Traces as JSON lines and as Python objects: what counts, and one sentence for each thing that is wrong."""

from __future__ import annotations

import gc
import tracemalloc
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson
import pytest

from goldproof.errors import FileFormatError, InputError
from goldproof.io import read_traces, traces_from_records
from goldproof.io.diagnostics import SKIP_HINT, Diagnostics
from tests.io.traces.trace_samples import plain

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.records.traces import TraceTable


def conversation(*results: object, **more: object) -> dict[str, Any]:
    """Return a conversation with one search that found these results."""
    turn = {"iterations": [{"searches": [{"query": "q", "results": list(results)}]}]}
    return {"conversation_id": "c1", "turns": [turn], **more}


def one(*conversations: dict[str, Any]) -> TraceTable:
    (table,) = traces_from_records(conversations)
    return table


def result_of(result: object) -> object:
    (found,) = plain([one(conversation(result))])
    return found["iterations"][0][0]["results"][0]


def test_only_the_last_turn_is_read_and_iterations_without_a_search_are_dropped() -> None:
    last = {
        "question": "why?",
        "question_id": 7,
        "iterations": [{}, {"searches": [{"results": ["a"]}, {"results": []}]}, {"searches": None}, {"searches": []}],
    }
    (found,) = plain([one({"id": 3, "cluster": 4, "turns": ["never looked at", last]})])
    assert found == {
        "id": "3",
        "cluster": "4",
        "question": "7",
        "text": "why?",
        "failed": None,
        "iterations": [
            [
                {"query": None, "failed": False, "results": [{"id": "a"}]},
                {"query": None, "failed": False, "results": []},
            ]
        ],
    }


@pytest.mark.parametrize("turns", [[], None, [{}], [{"iterations": []}], [{"iterations": [{"searches": []}]}]])
def test_a_conversation_without_a_search_is_there_without_iterations(turns: object) -> None:
    table = one({"session_id": "c1", "turns": turns})
    assert table.conversations.to_list() == ["c1"]
    assert table.iteration_starts.tolist() == [0, 0]
    assert (len(table.results), table.failed) == (0, {})


def test_a_failed_search_counts_and_a_failed_conversation_has_no_iterations() -> None:
    searches = [{"query": "q", "error": "timeout", "results": []}, {"results": ["a"]}, {"error": True}]
    table = one(
        {"conversation_id": "c1", "turns": [{"iterations": [{"searches": searches}]}]},
        conversation("a", conversation_id="c2", error={"code": 500}),
        {"conversation_id": "c3", "error": "crash"},
    )
    assert table.failed_searches.tolist() == [0, 2]
    assert table.result_starts.tolist() == [0, 0, 1, 1]
    assert table.iteration_starts.tolist() == [0, 1, 1, 1]
    assert dict(table.failed) == {"c2": '{"code":500}', "c3": "crash"}


def test_the_question_of_a_turn_counts_more_than_that_of_the_conversation() -> None:
    turn = {"question": "in the turn", "iterations": []}
    table = one({"conversation_id": "c1", "question": "above", "question_id": "q1", "turns": [turn]})
    assert (table.questions.to_list(), table.texts.to_list()) == (["q1"], ["in the turn"])


@pytest.mark.parametrize(
    ("result", "found"),
    [
        ("d1", {"id": "d1"}),
        (7, {"id": "7"}),
        (2**64 - 1, {"id": "18446744073709551615"}),
        ({"id": 7, "gain": 2.0}, {"id": "7", "gain": 2}),
        ({"id": "a", "gain": None, "url": "", "title": None}, {"id": "a"}),
        ({}, {}),
        ({"rank": 1, "score": 0.5}, {}),
        ({"Doc-ID": "a", "link": "u", "text": "t", "label": 0}, {"id": "a", "url": "u", "snippet": "t", "gain": 0}),
        ({"snippet": "s", "content": "c"}, {"snippet": "s", "fields": {"content": "c"}}),
        ({"id": "a", "relevance": 0.9, "name": "n"}, {"id": "a", "fields": {"relevance": 0.9, "name": "n"}}),
        (
            {"id": "a", "author": "x", "to": ["y"], "empty": "", "fields": {"author": "z", "size": 3, "none": None}},
            {"id": "a", "fields": {"author": "z", "to": ["y"], "size": 3}},
        ),
    ],
)
def test_what_a_result_says(result: object, found: object) -> None:
    assert result_of(result) == found


def test_results_of_one_line_may_differ_in_their_keys() -> None:
    results: list[object] = [
        {"id": "a", "gain": 1},
        {"gain": 2, "id": "b"},
        {"id": "c", "title": "t"},
        {"id": "d", "author": "x"},
        {"text": "as snippet"},
        {"snippet": "s", "text": "as field"},
        {},
        9,
        "e",
    ]
    (found,) = plain([one(conversation(*results))])
    assert found["iterations"][0][0]["results"] == [result_of(result) for result in results]


def test_a_key_may_be_a_column_of_one_result_and_a_field_of_another() -> None:
    results = [{"text": "as snippet", "label": 1}, {"snippet": "s", "text": "as field"}, {"gain": 2, "label": 3}]
    (found,) = plain([one(conversation(*results))])
    assert found["iterations"][0][0]["results"] == [
        {"snippet": "as snippet", "gain": 1},
        {"snippet": "s", "fields": {"text": "as field"}},
        {"gain": 2, "fields": {"label": 3}},
    ]


def test_objects_of_as_many_but_other_keys_are_not_mixed_up() -> None:
    table = one(conversation({"id": "a", "url": "u"}, {"id": "b", "title": "t"}, {"id": "c", "author": "x"}))
    assert table.results.columns.rows() == [("a", "u", None), ("b", None, "t"), ("c", None, None)]
    assert list(table.results.fields or ()) == [None, None, {"author": "x"}]


def test_columns_that_no_result_has_are_not_there_and_the_height_is_right() -> None:
    assert one(conversation("a", "b")).results.columns.columns == ["id"]
    bare = one(conversation({}, {"gain": 3})).results
    assert (bare.columns.shape, bare.gains.tolist(), bare.fields) == ((2, 0), [-1, 3], None)


NO_INTEGER = "is not a whole number from 0 to 4 (key 'gain')."
BAD_RESULTS: list[tuple[object, str]] = [
    ({"gain": True}, f"gain true {NO_INTEGER}"),
    ({"gain": 2.5}, f"gain 2.5 {NO_INTEGER}"),
    ({"gain": "2"}, f"gain '2' {NO_INTEGER}"),
    ({"gain": 5}, f"gain 5 {NO_INTEGER}"),
    ({"gain": -1}, f"gain -1 {NO_INTEGER}"),
    ({"gain": [1]}, f"gain [1] {NO_INTEGER}"),
    ({"id": 1.5}, "key 'id' is a number, expected text or a whole number."),
    ({"id": False}, "key 'id' is true or false, expected text or a whole number."),
    ({"snippet": ["s"]}, "key 'snippet' is a list, expected text."),
    ({"title": 1984}, "key 'title' is a number, expected text."),
    ({"fields": []}, "key 'fields' is a list, expected an object."),
    (None, "is null, expected an object or an id."),
    (True, "is true or false, expected an object or an id."),
    (["a"], "is a list, expected an object or an id."),
    (1.5, "is a number, expected an object or an id."),
]


@pytest.mark.parametrize(("result", "problem"), BAD_RESULTS, ids=[str(result) for result, _ in BAD_RESULTS])
@pytest.mark.parametrize("others", [["a"], [{"id": "a", "gain": 1}]], ids=["ids", "objects"])
def test_a_bad_result_is_named_by_its_place(result: object, problem: str, others: list[object]) -> None:
    searches = [{"results": others}, {"results": [*others, result]}]
    turns = [{}, {"iterations": [{}, {"searches": [{"results": []}]}, {"searches": searches}]}]
    with pytest.raises(InputError) as raised:
        list(traces_from_records([{"conversation_id": "c1", "turns": turns}]))
    assert str(raised.value) == f"conversation 1 ('c1'): iteration 3, search 2, result 2: {problem}"


BAD_CONVERSATIONS: list[tuple[dict[str, Any], str]] = [
    ({"turns": []}, "conversation 1: no key 'conversation_id' (found turns)."),
    ({"id": "", "turns": []}, "conversation 1: key 'id' is empty, expected an id."),
    ({"id": None, "turns": []}, "conversation 1: key 'id' is null, expected an id."),
    ({"id": [1], "turns": []}, "conversation 1 ('[1]'): key 'id' is a list, expected text or a whole number."),
    (
        {"id": "c", "messages": []},
        "conversation 1 ('c'): no key 'turns' (found id, messages), expected a list of turns, [] where there was none.",
    ),
    ({"id": "c", "turns": {}}, "conversation 1 ('c'): key 'turns' is an object, expected a list."),
    ({"id": "c", "turns": ["x"]}, "conversation 1 ('c'): is text, expected an object."),
    ({"id": "c", "turns": [{}, 1]}, "conversation 1 ('c'): turn 2: is a number, expected an object."),
    (
        {"id": "c", "cluster": 1.5, "turns": []},
        "conversation 1 ('c'): key 'cluster' is a number, expected text or a whole number.",
    ),
    ({"id": "c", "turns": [{"question": 1}]}, "conversation 1 ('c'): key 'question' is a number, expected text."),
    (
        {"id": "c", "turns": [{"iterations": {}}]},
        "conversation 1 ('c'): key 'iterations' is an object, expected a list.",
    ),
    (
        {"id": "c", "turns": [{"searches": [1]}]},
        "conversation 1 ('c'): has 'searches' of its own, expected them within 'iterations'.",
    ),
    (
        {"id": "c", "turns": [{"iterations": [3]}]},
        "conversation 1 ('c'): iteration 1: is a number, expected an object.",
    ),
    (
        {"id": "c", "turns": [{"iterations": [{}, {"results": ["a"]}]}]},
        "conversation 1 ('c'): iteration 2: has 'results' of its own, expected them within 'searches'.",
    ),
    (
        {"id": "c", "turns": [{"iterations": [{"searches": "x"}]}]},
        "conversation 1 ('c'): iteration 1: key 'searches' is text, expected a list.",
    ),
    (
        {"id": "c", "turns": [{"iterations": [{"searches": [{"results": []}, "x"]}]}]},
        "conversation 1 ('c'): iteration 1, search 2: is text, expected an object.",
    ),
    (
        {"id": "c", "turns": [{"iterations": [{"searches": [{"query": "q"}]}]}]},
        "conversation 1 ('c'): iteration 1, search 1: no key 'results', expected a list: [] where nothing was found.",
    ),
    (
        {"id": "c", "turns": [{"iterations": [{"searches": [{"results": None}]}]}]},
        (
            "conversation 1 ('c'): iteration 1, search 1: key 'results' is null, expected a list: [] where nothing was "
            "found."
        ),
    ),
    (
        {"id": "c", "turns": [{"iterations": [{"searches": [{"results": ["a"], "error": "boom"}]}]}]},
        (
            "conversation 1 ('c'): iteration 1, search 1: has both an error ('boom') and 'results': did the search "
            "fail or not?"
        ),
    ),
    (
        {"id": "c", "turns": [{"iterations": [{"searches": [{"results": [], "query": 3}]}]}]},
        "conversation 1 ('c'): iteration 1, search 1: key 'query' is a number, expected text.",
    ),
    (
        {"id": "c", "error": ""},
        "conversation 1 ('c'): key 'error' is \"\", expected the reason why the system failed, or null.",
    ),
]


@pytest.mark.parametrize(("record", "message"), BAD_CONVERSATIONS, ids=[text for _, text in BAD_CONVERSATIONS])
def test_a_bad_conversation_is_told_in_one_sentence(record: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as raised:
        list(traces_from_records([record]))
    assert str(raised.value) == message


def test_a_conversation_given_twice_names_the_first(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"id": 7, "turns": []}\n\n{"id": "7", "turns": []}\n')
    with pytest.raises(FileFormatError) as raised:
        list(read_traces(path, Diagnostics(path, hint=SKIP_HINT)))
    assert str(raised.value) == f"{path}:3: conversation '7' occurs twice (first at line 1).\n  {SKIP_HINT}"


def test_bad_lines_are_counted_and_nothing_of_them_is_used(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    lines = [
        orjson.dumps(conversation("a", conversation_id="c1")),
        b"{not json",
        orjson.dumps(conversation("b", {"gain": 9}, conversation_id="c2")),
        b"[1]",
        b'{"conversation_id": "c\xe9"}',
        orjson.dumps(conversation("c", conversation_id="c2")),
    ]
    path.write_bytes(b"\n".join(lines))
    diagnostics = Diagnostics(path, keep=2)
    (table,) = read_traces(path, diagnostics)
    assert (table.conversations.to_list(), table.results.columns["id"].to_list()) == (["c1", "c2"], ["a", "c"])
    assert (diagnostics.total, [finding.line for finding in diagnostics.findings]) == (4, [2, 3])


def test_a_file_of_bad_lines_only_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"turns": []}\n{"turns": []}\n')
    with pytest.raises(FileFormatError) as raised:
        list(read_traces(path, Diagnostics(path, keep=5)))
    assert raised.value.problem == ("every conversation is bad (2); the first: no key 'conversation_id' (found turns).")


def test_python_objects_may_hold_tuples_numpy_numbers_and_other_mappings() -> None:
    result = {"id": np.int64(7), "gain": np.int8(3), "fields": OrderedDict(tags=("a", "b"))}
    (found,) = plain([one(conversation(result, conversation_id=np.int32(1)))])
    assert found["id"] == "1"
    assert found["iterations"][0][0]["results"] == [{"id": "7", "gain": 3, "fields": {"tags": ["a", "b"]}}]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("c1", "conversation 1: is a str, expected a mapping."),
        (conversation({"id": object()}), "conversation 1: holds a value that JSON cannot ("),
        (conversation("\ud800"), "conversation 1: holds a value that JSON cannot ("),
        (conversation(2**70), "conversation 1: holds a value that JSON cannot ("),
    ],
)
def test_what_is_not_json_is_refused(record: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as raised:
        list(traces_from_records([record]))
    assert str(raised.value).startswith(message)


def test_batches_are_of_about_the_size_asked_for() -> None:
    records = [conversation(*range(10), conversation_id=n) for n in range(10)]
    tables = list(traces_from_records(records, results_per_batch=25))
    # A conversation weighs 10 results + 1 search + 1: 12, 24, 36 is full; so 3 + 3 + 3 + 1.
    assert [len(table.conversations) for table in tables] == [3, 3, 3, 1]
    assert plain(tables) == plain([one(*records)])


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    def peak(count: int) -> int:
        path = tmp_path / f"{count}.jsonl"
        record = conversation(*({"id": n, "snippet": f"{n}" * 20} for n in range(50)))
        path.write_bytes(b"\n".join(orjson.dumps(record | {"conversation_id": n}) for n in range(count)))
        gc.collect()
        tracemalloc.start()
        for _ in read_traces(path, Diagnostics(path), results_per_batch=1000):
            pass
        found = tracemalloc.get_traced_memory()[1] - path.stat().st_size  # the file is one block, and read whole
        tracemalloc.stop()
        return found

    assert peak(600) < 2 * peak(100) + 200_000
