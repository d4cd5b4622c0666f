"""Bad input of each kind gives one clear sentence, with its line; or, left out, is counted and spoils nothing else."""

from __future__ import annotations

import contextlib
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldproof.errors import FileFormatError, GoldproofError
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.traces import read_traces
from goldproof.io.traces.spans import read_span_traces
from tests.io.traces.span_exports import (
    SHAPES,
    Json,
    Made,
    ids,
    lines,
    llm,
    otlp,
    plain,
    read_text,
    root,
    sdk,
    search,
    shown,
    tool,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

GOOD = lines([root(1, trace=7), search(2, 5, ["good"], trace=7)])


def skipping(folder: Path, text: str) -> tuple[list[Any], Diagnostics]:
    path = folder / "spans.jsonl"
    path.write_text(text, encoding="utf-8")
    diagnostics = Diagnostics(path, keep=20)
    tables = list(read_span_traces(path, diagnostics))
    return [found for table in tables for found in ids(table)], diagnostics


def with_keys(span: Json, **keys: object) -> str:
    return json.dumps({**span, **keys}) + "\n"


def bad_documents(**attributes: object) -> Made:
    return Made(2, 1, 5, attributes={"openinference.span.kind": "RETRIEVER", **attributes})


CASES = {
    "is not JSON": "{not json}\n",
    "is a list, expected a JSON object": "[1, 2]\n",
    "is no span: neither resourceSpans nor a trace id (found query_id, results)": '{"query_id": 1, "results": []}\n',
    "is no span: neither resourceSpans nor a trace id (found no key)": "{}\n",
    "'resourceSpans' is text, expected a list": '{"resourceSpans": "x"}\n',
    "'spans' holds a number, expected objects": '{"resourceSpans": [{"scopeSpans": [{"spans": [3]}]}]}\n',
    "the span 'span' has no trace id": with_keys(plain(search(2, 5, ["a"])), trace_id=None),
    "the span 'span' has no span id": with_keys(plain(search(2, 5, ["a"])), span_id="0000"),
    "the time of the span is 'noon', expected ISO 8601 or a number": with_keys(sdk(search(2, 5)), start_time="noon"),
    "the search (span '0000000000000df1') has no start time": with_keys(plain(search(2, 5)), start_time=None),
    "the call of a model (span '0000000000000df1') has no start time": lines([search(3, 5)], plain)
    + with_keys(plain(llm(2, 5)), start_time=None),
    "the documents of the search are the text 'three', expected a list": lines(
        [bad_documents(**{"retrieval.documents": "three"})]
    ),
    "document 2 is a number, expected an object or text": lines([bad_documents(**{"retrieval.documents": ["a", 3]})]),
    "document 1: gain 7 is not a whole number from 0 to 4": lines(
        [search(2, 5, [{"id": "a", "metadata": {"gain": 7}}])]
    ),
    "span '0000000000000df1' occurs twice and differs (first at line 3)": lines(
        [search(2, 5, ["a"]), search(2, 5, ["b"])]
    ),
}


@pytest.mark.parametrize(("said", "bad"), CASES.items(), ids=list(CASES))
def test_what_is_bad_is_said_with_its_line(tmp_path: Path, said: str, bad: str) -> None:
    with pytest.raises(FileFormatError) as caught:
        read_text(tmp_path, GOOD + bad)
    assert said in str(caught.value)
    assert caught.value.line == 2 + bad.count("\n")
    assert caught.value.hint


@pytest.mark.parametrize("bad", CASES.values(), ids=list(CASES))
def test_what_is_bad_can_be_left_out_and_is_counted(tmp_path: Path, bad: str) -> None:
    found, diagnostics = skipping(tmp_path, GOOD + bad)
    assert found == [[[["good"]]]]
    assert diagnostics.total == 1


def test_a_conversation_with_a_bad_span_in_its_last_turn_is_left_out_whole(tmp_path: Path) -> None:
    # Half a turn would give a wrong number, and so would the turn before it.
    session = {"session.id": "s"}
    first = [root(1, attributes=session), search(2, 5, ["a"])]
    last = [root(1, trace=2, at=100, attributes=session), search(2, 105, ["b"], trace=2)]
    broken = search(3, 110, [{"id": "c", "metadata": {"gain": 9}}], trace=2)
    found, diagnostics = skipping(tmp_path, GOOD + lines([*first, *last, broken]))
    assert found == [[[["good"]]]]
    assert diagnostics.total == 1


def test_a_bad_span_in_an_earlier_turn_does_no_harm(tmp_path: Path) -> None:
    session = {"session.id": "s"}
    first = [root(1, attributes=session), search(2, 5, [{"id": "c", "metadata": {"gain": 9}}])]
    last = [root(1, trace=2, at=100, attributes=session), search(2, 105, ["b"], trace=2)]
    found, diagnostics = skipping(tmp_path, lines([*first, *last]))
    assert found == [[[["b"]]]]
    assert diagnostics.total == 1


def test_a_bad_span_in_a_line_of_many_leaves_the_others(tmp_path: Path) -> None:
    line: Json = {"resourceSpans": []}
    for span in [search(2, 5, ["a"], trace=1), search(2, 6, [{"gain": 9}], trace=2), search(2, 7, ["c"], trace=3)]:
        line["resourceSpans"] += otlp(span)["resourceSpans"]
    found, diagnostics = skipping(tmp_path, json.dumps(line) + "\n")
    assert found == [[[["a"]]], [[["c"]]]]
    assert [finding.line for finding in diagnostics.findings] == [1]


def test_a_trace_without_any_time_has_no_place_in_a_conversation_of_several(tmp_path: Path) -> None:
    session = {"session.id": "s"}
    timeless = with_keys(plain(root(1, trace=2, attributes=session)), start_time=None, end_time=None)
    text = GOOD + lines([search(2, 5, ["a"], attributes=session)]) + timeless
    with pytest.raises(FileFormatError, match="has no start time, so its place in the conversation is not known"):
        read_text(tmp_path, text)
    found, diagnostics = skipping(tmp_path, text)
    assert (found, diagnostics.total) == ([[[["good"]]]], 1)


def test_a_bad_time_is_reported_once(tmp_path: Path) -> None:
    session = {"session.id": "s"}
    noon = with_keys(plain(root(1, trace=2, attributes=session)), start_time="noon")
    found, diagnostics = skipping(tmp_path, GOOD + lines([search(2, 5, ["a"], attributes=session)]) + noon)
    assert (found, diagnostics.total) == ([[[["good"]]]], 1)


def test_a_start_time_is_needed_only_where_something_depends_on_it(tmp_path: Path) -> None:
    spans: Iterable[Made] = [root(), tool(3, 0, {"temperature": 3}), Made(4, 1, attributes={"http.route": "/"})]
    text = "".join(with_keys(plain(span), start_time=None) for span in spans) + lines([search(2, 5, ["a"])], plain)
    (table,) = read_text(tmp_path, text)
    assert ids(table) == [[[["a"]]]]


@pytest.mark.parametrize("order", [1, -1])
def test_which_of_two_spans_that_differ_comes_first_does_not_matter(tmp_path: Path, order: int) -> None:
    # Trace 2 was before or after trace 1, so nobody knows which turn was the last.
    session = {"session.id": "s"}
    twice = [root(1, trace=2, at=0, attributes=session), root(1, trace=2, at=100, attributes=session)]
    spans = [search(2, 50, ["a"], attributes=session), *twice[::order]]
    found, diagnostics = skipping(tmp_path, GOOD + lines(spans))
    assert (found, diagnostics.total) == ([[[["good"]]]], 1)


@pytest.mark.parametrize("order", [1, -1])
def test_a_bad_copy_of_a_span_spoils_it_wherever_it_stands(tmp_path: Path, order: int) -> None:
    copies = [with_keys(plain(root()), start_time=None, end_time=time) for time in (None, "noon")]
    found, diagnostics = skipping(tmp_path, GOOD + "".join(copies[::order]) + lines([search(2, 5, ["a"])], plain))
    assert (found, diagnostics.total) == ([[[["good"]]]], 1)


def test_parents_in_a_circle_do_no_harm(tmp_path: Path) -> None:
    spans = [search(2, 5, ["a"], parent=3), search(3, 6, None, parent=2), search(4, 7, ["c"], parent=4), llm(5, 9, 5)]
    (table,) = read_text(tmp_path, lines(spans))
    assert ids(table) == [[[["a"], ["c"]]]]


def test_a_span_that_differs_only_in_what_nobody_reads_is_the_same(tmp_path: Path) -> None:
    spans = [search(2, 5, ["a"]), search(2, 5, ["a"], attributes={"llm.model_name": "x"})]
    (table,) = read_text(tmp_path, lines(spans))
    assert ids(table) == [[[["a"]]]]


def test_without_any_search_the_kinds_that_were_found_are_said(tmp_path: Path) -> None:
    spans = [root(), llm(2, 1), llm(3, 2), tool(4, 5, {"temperature": 3}), Made(5, 1, attributes={"http.route": "/"})]
    with pytest.raises(FileFormatError) as caught:
        read_text(tmp_path, lines(spans))
    assert caught.value.problem == "no span is a search (found 5 spans: LLM 2, AGENT 1, execute_tool 1, no kind 1)."
    assert caught.value.hint.startswith("Expected spans with openinference.span.kind RETRIEVER")


def test_without_any_span_that_is_said(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"no span is a search \(found no span\)"):
        read_text(tmp_path, '{"resourceSpans": []}\n')


def test_where_everything_is_bad_the_first_is_said(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"no conversation is left .*\(2\); the first: is a list"):
        skipping(tmp_path, "[1]\n{}\n")


def test_where_every_search_is_bad_the_first_is_said(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"no conversation is left .*\(1\); the first: span .*gain 9"):
        skipping(tmp_path, lines([root(), search(2, 5, [{"gain": 9}])]))


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("listed", [False, True])
def test_json_that_is_not_one_span_per_line_is_told_apart(tmp_path: Path, indent: int | None, listed: bool) -> None:
    path = tmp_path / "x.json"
    span = sdk(search(2, 5))
    path.write_text(json.dumps([span] if listed else span, indent=indent))
    if indent is None and not listed:
        assert len(list(read_traces(path, Diagnostics(path)))) == 1
        return
    with pytest.raises(FileFormatError, match=r"expected one conversation or span per line\.\n.*jq -c"):
        list(read_traces(path, Diagnostics(path)))


def test_an_empty_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="the file is empty"):
        read_text(tmp_path, "")


# Anything at all

words = st.one_of(
    st.sampled_from(
        [
            *(
                "",
                "0",
                "x",
                "[]",
                "{}",
                "[{}]",
                '{"query": 1}',
                "RETRIEVER",
                "LLM",
                "TOOL",
                "retrieval",
                "execute_tool",
            ),
            *(
                "AAAAAAAAAAA=",
                "2023-11-14T22:13:20Z",
                "9999-12-31T23:59:59-23:59",
                '[["user", 3]]',
                '"',
                '[{"role": 1}]',
            ),
        ]
    ),
    st.text(max_size=3),
)
scalars = st.one_of(st.none(), st.booleans(), st.integers(-(2**63), 2**64 - 1), st.floats(allow_nan=False), words)
keys = st.sampled_from(
    [
        *("resourceSpans", "resource", "scopeSpans", "spans", "attributes", "key", "value", "values", "context"),
        *(
            "trace_id",
            "span_id",
            "parent_id",
            "start_time",
            "end_time",
            "status",
            "code",
            "message",
            "name",
            "span_kind",
        ),
        *("traceId", "spanId", "startTimeUnixNano", "stringValue", "intValue", "arrayValue", "kvlistValue"),
        *("openinference.span.kind", "gen_ai.operation.name", "input.value", "output.value", "session.id"),
        *(
            "retrieval.documents",
            "retrieval.documents.0.document.id",
            "retrieval.documents.1",
            "retrieval",
            "documents",
        ),
        *("gen_ai.retrieval.documents", "gen_ai.tool.call.result", "document", "metadata", "gain", "id", "content"),
        *("messages", "role", "kwargs", "type", "text", "results", "0", "1", "goldproof.cluster", "error.type"),
    ]
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=5), max_leaves=12
)


def read_anything(found: list[object]) -> None:
    text = "".join(json.dumps(value) + "\n" for value in found)
    for keep in (None, 5):
        with tempfile.TemporaryDirectory() as folder:
            try:
                for table in read_text(Path(folder), text, keep=keep):
                    shown(table)
            except GoldproofError:
                pass


@settings(max_examples=120, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(values, max_size=3))
def test_any_json_gives_tables_or_one_of_our_errors(found: list[object]) -> None:
    read_anything(found)


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from(sorted(SHAPES)),
    st.dictionaries(keys, values, max_size=4),
    st.dictionaries(keys, values, max_size=3),
)
def test_any_value_in_a_span_gives_tables_or_one_of_our_errors(shape: str, attributes: Json, outer: Json) -> None:
    spans = [SHAPES[shape](span) for span in (root(), llm(2, 1), search(3, 5, ["a"]), tool(4, 9, [{"url": "u"}]))]
    broken = {**plain(search(5, 7, ["b"])), **outer}
    broken["attributes"] = {"openinference.span.kind": "RETRIEVER", **attributes}
    read_anything([*spans, broken])


@pytest.mark.parametrize("kind", ["RETRIEVER", "TOOL", "AGENT"])
@pytest.mark.parametrize("name", ["retrieval.documents", "output.value", "input.value"])
@pytest.mark.parametrize("key", [None, "document", "content", "gain", "results", "messages", "arrayValue", "metadata"])
def test_depth_does_no_harm(kind: str, name: str, key: str | None) -> None:
    depth = 1000  # as deep as JSON is parsed, and deeper than Python may call itself
    opening, closing = ("[", "]") if key is None else (f'{{"{key}":', "}")
    deep = opening * depth + "1" + closing * depth
    span = json.dumps(plain(Made(2, None, attributes={"openinference.span.kind": kind, name: "DEEP"})))
    tags = f'{{"traceId": "1", "spanId": "2", "attributes": [{{"key": "{name}", "value": {deep}}}]}}'
    text = "\n".join([span.replace('"DEEP"', deep), span.replace("DEEP", deep.replace('"', '\\"')), tags, GOOD])
    with tempfile.TemporaryDirectory() as folder:
        for keep in (None, 5):
            with contextlib.suppress(GoldproofError):
                read_text(Path(folder), text, keep=keep)
