"""Every shape of export of the same spans gives the same tables, whatever the order of the lines."""

from __future__ import annotations

import base64
import gzip
import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldproof.io.diagnostics import Diagnostics
from goldproof.io.json_files import BadRecordError
from goldproof.io.traces.span_export import is_span_line
from goldproof.io.traces.span_values import parse_span_id, parse_time, untagged
from goldproof.io.traces.spans import read_span_traces
from tests.io.traces.span_exports import (
    SHAPES,
    Json,
    Made,
    lines,
    llm,
    otlp,
    phoenix_rest,
    plain,
    read_text,
    root,
    sdk,
    search,
    shown,
    together,
    tool,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

texts = st.sampled_from(["a", "b", "Ünï", 'with "quotes"', "https://a.org/x?y=1", "7"])
documents = st.fixed_dictionaries(
    {"id": texts},
    optional={
        "content": texts,
        "score": st.sampled_from([0.5, 1.25]),
        "metadata": st.fixed_dictionaries(
            {}, optional={"url": texts, "title": texts, "gain": st.integers(0, 4), "page": st.integers(0, 9)}
        ),
    },
)
labels = st.fixed_dictionaries({}, optional={"session.id": st.sampled_from(["s1", "s2"]), "goldproof.cluster": texts})


@st.composite
def exports(draw: st.DrawFn) -> list[Made]:
    """Spans of some traces: any tree, any times, some errors."""
    spans: list[Made] = []
    for trace in range(1, draw(st.integers(1, 4)) + 1):
        begin = draw(st.integers(0, 50))
        resource = draw(st.sampled_from([{}, {"session.id": "r"}]))
        spans.append(root(1, draw(texts), trace=trace, at=begin, attributes=draw(labels), resource=resource))
        for number in range(2, draw(st.integers(2, 7)) + 1):
            parent = draw(st.integers(1, number - 1))
            at, took = begin + draw(st.integers(0, 30)), draw(st.integers(0, 20))
            error = draw(st.sampled_from([None, None, None, "timeout"]))
            match draw(st.sampled_from(["llm", "search", "search", "tool"])):
                case "llm":
                    spans.append(llm(number, at, parent, took=took, trace=trace, attributes=draw(labels)))
                case "search":
                    found = draw(st.lists(documents, max_size=3))
                    spans.append(search(number, at, found, parent, took=took, trace=trace, error=error))
                case _:
                    result = draw(st.sampled_from([[{"title": "A", "url": "https://a.org"}], [], {"temperature": 2}]))
                    spans.append(tool(number, at, result, parent, took=took, trace=trace, error=error))
    return [search(1, 0, ["always"], None, trace=9), *spans]


def tables(text: str, *, keep: int | None = None) -> list[Json]:
    with tempfile.TemporaryDirectory() as folder:
        return [found for table in read_text(Path(folder), text, keep=keep) for found in shown(table)]


@settings(max_examples=40)
@given(exports(), st.randoms(use_true_random=False))
def test_every_shape_in_every_order_of_lines_gives_the_same_tables(spans: list[Made], random: Random) -> None:
    expected = tables(lines(spans, otlp))
    assert expected
    for shape in SHAPES.values():
        shuffled = list(spans)
        random.shuffle(shuffled)
        assert tables(lines(shuffled, shape)) == expected, shape.__name__


@settings(max_examples=20)
@given(exports())
def test_many_spans_on_a_line_or_one_each_is_the_same(spans: list[Made]) -> None:
    assert tables(json.dumps(together(spans)) + "\n") == tables(lines(spans, otlp))


@settings(max_examples=20)
@given(exports(), st.integers(0, 100))
def test_a_span_that_was_exported_twice_counts_once(spans: list[Made], which: int) -> None:
    again = spans[which % len(spans)]
    assert tables(lines([*spans, again])) == tables(lines(spans))


@settings(max_examples=20)
@given(exports(), st.integers(1, 5))
def test_the_size_of_tables_changes_nothing_in_them(spans: list[Made], size: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        cut = read_text(Path(folder), lines(spans), results_per_batch=size)
    assert [found for table in cut for found in shown(table)] == tables(lines(spans))


@settings(max_examples=40)
@given(
    exports(),
    st.lists(st.tuples(st.integers(0, 100), st.sampled_from(["gain", "documents", "other", "same"]))),
    st.randoms(use_true_random=False),
)
def test_what_is_left_out_as_bad_does_not_depend_on_the_order_of_lines(
    spans: list[Made], changes: list[tuple[int, str]], random: Random
) -> None:
    broken = list(spans)
    for which, change in changes:
        span = spans[1 + which % (len(spans) - 1)] if len(spans) > 1 else spans[0]
        match change:
            case "gain":
                span = replace(span, documents=[{"id": "a", "metadata": {"gain": 9}}])
            case "documents":
                span = replace(span, documents=None, attributes={**span.attributes, "retrieval.documents": "none"})
            case "other":
                span = replace(span, at=span.at + 7)
        broken.append(span)
    expected = tables(lines(broken), keep=1000)
    random.shuffle(broken)
    assert tables(lines(broken), keep=1000) == expected


def test_a_file_of_spans_is_known_by_its_first_line() -> None:
    for shape in SHAPES.values():
        assert is_span_line(shape(search(2, 5)))
    assert is_span_line({"resourceMetrics": []})
    assert not is_span_line({"conversation_id": "c", "turns": []})
    assert not is_span_line({"trace_id": "1", "results": []})


def test_shapes_may_be_mixed_in_one_file() -> None:
    spans = [root(), llm(2, 1), search(3, 5, ["a"]), llm(4, 20), search(5, 25, ["b"])]
    mixed = "".join(lines([span], shape) for span, shape in zip(spans, SHAPES.values(), strict=False))
    assert tables(mixed) == tables(lines(spans))


def test_gzip_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    text = lines([root(), search(2, 5, ["a"])])
    path = tmp_path / "spans.jsonl.gz"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbf" + text.encode()))
    assert [found for t in read_span_traces(path, Diagnostics(path)) for found in shown(t)] == tables(text)


def test_lines_with_metrics_and_logs_hold_no_spans() -> None:
    spans = [root(), search(2, 5, ["a"])]
    others = '{"resourceMetrics": []}\n{"resourceLogs": [{"scopeLogs": []}]}\n{"resourceSpans": []}\n'
    assert tables(others + lines(spans)) == tables(lines(spans))


@pytest.mark.parametrize(
    "wrapped",
    [
        lambda line: {"resource_spans": line["resourceSpans"]},
        lambda line: {"batches": line["resourceSpans"]},
        lambda line: line["resourceSpans"][0],
    ],
)
def test_relatives_of_otlp_are_read(wrapped: Callable[[Json], Json]) -> None:
    spans = [root(), search(2, 5, ["a"])]
    assert tables("".join(json.dumps(wrapped(otlp(span))) + "\n" for span in spans)) == tables(lines(spans))


def test_the_kind_may_stand_in_a_column_of_its_own() -> None:
    spans = [root(), llm(2, 1), search(3, 5, ["a"]), llm(4, 20), search(5, 25, ["b"])]

    def without(span: Made) -> Json:
        line = phoenix_rest(span)
        return {**line, "attributes": {k: v for k, v in line["attributes"].items() if k != "openinference.span.kind"}}

    assert tables(lines(spans, without)) == tables(lines(spans))


def test_attributes_may_be_json_text() -> None:
    spans = [root(), search(2, 5, ["a"])]
    text = "".join(
        json.dumps({**(s := plain(span)), "attributes": json.dumps(s["attributes"])}) + "\n" for span in spans
    )
    assert tables(text) == tables(lines(spans))


def test_javascript_times_are_read() -> None:
    spans = [root(), llm(2, 1), search(3, 5, ["a"]), llm(4, 20), search(5, 25, ["b"])]

    def script(span: Made) -> Json:
        found = sdk(span)
        nano = (1_700_000_000_000 + span.at) * 10**6
        return {**found, "start_time": None, "startTime": [nano // 10**9, nano % 10**9], "end_time": None}

    assert tables(lines(spans, script)) == tables(lines(spans))


# Values


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("5B8EFFF798038103D269B633813FC60C", "5b8efff798038103d269b633813fc60c"),
        ("0x5b8efff798038103", "5b8efff798038103"),
        (base64.b64encode(bytes(range(16))).decode(), bytes(range(16)).hex()),
        (base64.b64encode(bytes(range(1, 9))).decode(), bytes(range(1, 9)).hex()),
        ("3f2504e0-4f89-11d3-9a0c-0305e82c3301", "3f2504e0-4f89-11d3-9a0c-0305e82c3301"),
        ("Run-A", "Run-A"),
        (17, "17"),
        ("0000000000000000", None),
        ("AAAAAAAAAAA=", None),
        ("", None),
        (" ", None),
        (None, None),
        (0, None),
        (True, None),
        ([], None),
    ],
)
def test_ids_are_hexadecimal_whatever_the_exporter_wrote(value: object, expected: str | None) -> None:
    assert parse_span_id(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2023-11-14T22:13:20.000001Z", 1_700_000_000_000_001_000),
        ("2023-11-14T22:13:20.123456789Z", 1_700_000_000_123_456_789),
        ("2023-11-14 23:13:20+01:00", 1_700_000_000_000_000_000),
        ("2023-11-14T22:13:20", 1_700_000_000_000_000_000),
        ("2023-11-14 22:13:20.5 UTC", 1_700_000_000_500_000_000),
        (1_700_000_000, 1_700_000_000_000_000_000),
        (1_700_000_000.25, 1_700_000_000_250_000_000),
        (1_700_000_000_250, 1_700_000_000_250_000_000),
        (1_700_000_000_250_001, 1_700_000_000_250_001_000),
        (1_700_000_000_250_001_003, 1_700_000_000_250_001_003),
        ("1700000000250001003", 1_700_000_000_250_001_003),
        ([1_700_000_000, 5], 1_700_000_000_000_000_005),
        *((nothing, None) for nothing in (None, "", 0, "0")),
    ],
)
def test_times_are_nanoseconds_whatever_the_unit(value: object, expected: int | None) -> None:
    assert parse_time(value, nanoseconds=False) == expected


def test_a_time_named_nano_is_in_nanoseconds_however_small() -> None:
    assert parse_time("5000", nanoseconds=True) == 5000


@pytest.mark.parametrize("value", ["yesterday", True, [1], [1, 2, 3], {}, 1e300, "9" * 29, "2023-13-01T00:00:00Z"])
def test_what_is_no_time_is_refused(value: object) -> None:
    with pytest.raises(BadRecordError, match="expected ISO 8601 or a number"):
        parse_time(value, nanoseconds=False)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"stringValue": "a"}, "a"),
        ({"intValue": "-3"}, -3),
        ({"intValue": 3}, 3),
        ({"doubleValue": 0.5}, 0.5),
        ({"boolValue": False}, False),
        ({"arrayValue": {"values": [{"stringValue": "a"}, {"intValue": "2"}]}}, ["a", 2]),
        ({"arrayValue": {}}, []),
        ({"kvlistValue": {"values": [{"key": "k", "value": {"boolValue": True}}]}}, {"k": True}),
        ({"kvlist_value": {"values": [{"key": "k", "value": {"int_value": 2}}]}}, {"k": 2}),
        *((nothing, None) for nothing in ({}, {"intValue": "x"}, {"doubleValue": "NaN"}, {"bytesValue": "AA=="}, None)),
    ],
)
def test_tagged_values_become_plain(value: object, expected: object) -> None:
    assert untagged(value) == expected
