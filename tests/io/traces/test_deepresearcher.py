"""DeepResearcher's steps: those of one question are the iterations of one conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
import pytest

from goldproof.errors import FileFormatError
from goldproof.io import read_traces
from goldproof.io.diagnostics import Diagnostics
from goldproof.jobs.validate import validate_file
from tests.io.traces.trace_samples import plain

if TYPE_CHECKING:
    from pathlib import Path


def step(index: int, *queries: str, question: str = "why") -> dict[str, Any]:
    pages = [{"url": "u", "title": "t", "quick_summary": "s"}]
    content = [{"search_query": query, "web_page_info_list": pages} for query in queries]
    return {"idx": index, "question": question, "think": "", "tool_call": {}, "content": content, "total_number": 2}


def put(folder: Path, steps: list[Any], name: str = "x.json") -> Path:
    lines = name.endswith(".jsonl")
    (folder / name).write_bytes(b"\n".join(map(orjson.dumps, steps)) if lines else orjson.dumps(steps))
    return folder / name


@pytest.mark.realdata
def test_the_real_step_is_one_iteration_of_three_searches(realdata: Path) -> None:
    path = realdata / "search_traces" / "deepresearcher_search.json"
    (found,) = plain(read_traces(path, Diagnostics(path)))
    assert found["id"] == "0: what happened to ray lake of the real thing"
    assert found["text"] == found["question"] == "what happened to ray lake of the real thing"
    ((*searches,),) = found["iterations"]
    assert [search["query"] for search in searches] == [
        "Ray Lake The Real Thing",
        "Ray Lake update",
        "what happened to Ray Lake",
    ]
    assert [len(search["results"]) for search in searches] == [10, 10, 9]
    first = searches[0]["results"][0]
    assert first["url"] == "https://en.wikipedia.org/wiki/The_Real_Thing_(British_band)"
    assert set(first) == {"url", "title", "snippet"}
    assert validate_file(path).counts == {
        "conversations": 1,
        "iterations": 1,
        "searches": 3,
        "results": 29,
        "labelled": 0,
        "failed": 0,
        "failed_searches": 0,
    }


@pytest.mark.parametrize("name", ["x.json", "x.jsonl"])
def test_steps_of_one_index_and_question_are_iterations_even_where_questions_take_turns(
    name: str, tmp_path: Path
) -> None:
    opened = {**step(0), "content": [{"page": "opened, not searched"}]}
    steps = [step(0, "p"), step(1, "q"), step(0, "r", "s"), step(0, "t", question="how"), opened]
    path = put(tmp_path, steps, name)
    found = plain(read_traces(path, Diagnostics(path)))
    assert {each["id"]: [[s["query"] for s in i] for i in each["iterations"]] for each in found} == {
        "0: why": [["p"], ["r", "s"]],
        "1: why": [["q"]],
        "0: how": [["t"]],
    }
    assert found[0]["iterations"][0][0]["results"] == [{"url": "u", "title": "t", "snippet": "s"}]


def called(asked: object, *answered: str) -> dict[str, Any]:
    return {**step(0, *answered), "tool_call": {"name": "web_search", "arguments": {"query": asked}}}


@pytest.mark.parametrize("name", ["x.json", "x.jsonl"])
@pytest.mark.parametrize(
    ("made", "searches"),
    [
        (called(["p", "q"]), [("p", 0), ("q", 0)]),
        (called(["p", "q"], "q"), [("q", 1), ("p", 0)]),
        (called(["p", "q"], "p", "q"), [("p", 1), ("q", 1)]),
        (called(["p"], "P, as it was sent"), [("P, as it was sent", 1)]),
        (called("p"), [("p", 0)]),
        (called([]), [(None, 0)]),
        ({**step(0), "tool_call": {"name": "web_search"}}, [(None, 0)]),
    ],
)
def test_a_search_that_found_nothing_is_one_by_its_tool_call(
    made: dict[str, Any], searches: list[tuple[str | None, int]], name: str, tmp_path: Path
) -> None:
    opened = {**step(0), "tool_call": {"name": "browse_webpage", "arguments": {"url_list": ["u"]}}}
    path = put(tmp_path, [made, opened], name)
    (found,) = plain(read_traces(path, Diagnostics(path)))
    assert [[(s["query"], len(s["results"])) for s in i] for i in found["iterations"]] == [searches]


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (3, "step 2: is a number, expected an object."),
        ({**step(0), "question": ""}, "step 2: key 'question' is empty, expected text."),
        ({**step(0), "content": "none"}, "step 2: key 'content' is text, expected a list of searches."),
        (
            {**called(["p"]), "content": ["blocked"]},
            "step 2: key 'content' holds something without 'web_page_info_list', expected [] where nothing was found.",
        ),
        (called([3]), "step 1: iteration 2, search 1: key 'query' is a number, expected text."),
        (
            {**step(0), "content": [{"web_page_info_list": "x"}]},
            "step 2: key 'web_page_info_list' is text, expected a list of pages.",
        ),
    ],
)
def test_a_bad_step_is_named_and_spoils_its_conversation(bad: object, problem: str, tmp_path: Path) -> None:
    path = put(tmp_path, [step(0, "p"), bad, step(1, "q")])
    with pytest.raises(FileFormatError) as raised:
        list(read_traces(path, Diagnostics(path)))
    assert raised.value.problem == problem
    (table,) = read_traces(path, Diagnostics(path, keep=1))
    known = isinstance(bad, dict) and bad["question"]
    assert table.conversations.to_list() == (["1: why"] if known else ["0: why", "1: why"])
