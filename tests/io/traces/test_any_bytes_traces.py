"""Whatever the bytes, the reader of traces answers or raises one of our errors."""

from __future__ import annotations

import gzip
import io
from typing import TYPE_CHECKING

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldproof.errors import GoldproofError
from goldproof.io import read_labels, read_traces, traces_from_records
from goldproof.io.diagnostics import Diagnostics
from goldproof.jobs.validate import validate_file

if TYPE_CHECKING:
    from pathlib import Path

LINES = (
    b'{"conversation_id": "c1", "turns": [{"iterations": [{"searches": [{"query": "q", "results": ["a", 7]}]}]}]}\n'
    b'{"id": 2, "cluster": 3, "turns": [{"iterations": [{"searches": [{"results": [{"id": "b", "gain": 2}]}]}]}]}\n'
    b'{"id": "c3", "error": "boom"}\n'
)
FLAT = (
    b'conversation,iteration,search,id,gain,error,author\nc1,1,1,a,,,"x, y"\nc1,2,1,b,2,,\nc2,,,,,boom,\nc3,1,1,,,x,\n'
)
STEPS = (
    b'[{"idx": 0, "question": "w", "tool_call": {}, "content": '
    b'[{"search_query": "q", "web_page_info_list": [{"url": "u"}]}]}]'
)


def parquet() -> bytes:
    stream = io.BytesIO()
    pl.DataFrame({"conversation": ["a", "b"], "iteration": [1, 2], "id": [1, 2], "gain": [0, 4]}).write_parquet(stream)
    return stream.getvalue()


SAMPLES = {
    "x.jsonl": LINES,
    "x.csv": FLAT,
    "x.tsv": FLAT.replace(b",", b"\t"),
    "x.json": STEPS,
    "x.parquet": parquet(),
    "x.gz": gzip.compress(LINES),
    "labels.csv": b"doc_id,gain\na,1\nb,0\n",
    "labels.jsonl": b'{"id": "a", "gain": 3}\n',
}
quick = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
edits = st.lists(st.tuples(st.integers(0, 400), st.integers(0, 3), st.binary(max_size=4)), max_size=4)


def edited(data: bytes, changes: list[tuple[int, int, bytes]]) -> bytes:
    for at, length, new in changes:
        start = at % (len(data) + 1)
        data = data[:start] + new + data[start + length :]
    return data


def check(path: Path) -> None:
    for keep in (None, 3):
        try:
            list(read_traces(path, Diagnostics(path, keep=keep), results_per_batch=2))
        except GoldproofError as error:
            assert str(path) in str(error)  # noqa: PT017
    for read in (validate_file, read_labels):
        try:
            read(path)
        except GoldproofError as error:
            assert str(path) in str(error)  # noqa: PT017


@pytest.mark.parametrize("name", SAMPLES)
@quick
@given(changes=edits)
def test_damaged_files_raise_only_our_errors(name: str, changes: list[tuple[int, int, bytes]], tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(edited(SAMPLES[name], changes))
    check(path)


def test_a_lone_carriage_return_before_json_raises_only_our_errors(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b"\x01\r" + SAMPLES["x.json"])
    check(path)


@quick
@given(data=st.binary(max_size=200))
def test_random_bytes_raise_only_our_errors(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(data)
    check(path)


keys = st.sampled_from(["id", "turns", "iterations", "searches", "results", "error", "query", "gain", "fields", "url"])
values = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 5) | st.just(2.5) | st.text(max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(record=st.dictionaries(keys, values, max_size=5))
def test_any_json_object_is_a_conversation_or_an_error_of_ours(record: dict[str, object]) -> None:
    try:
        list(traces_from_records([{"id": "c", **record}]))
    except GoldproofError as error:
        assert str(error).startswith("conversation 1")  # noqa: PT017


@settings(max_examples=300, deadline=None)
@given(results=st.lists(values, max_size=4))
def test_any_json_value_is_a_result_or_an_error_of_ours(results: list[object]) -> None:
    turns = [{"iterations": [{"searches": [{"results": results}]}]}]
    try:
        (table,) = traces_from_records([{"id": "c", "turns": turns}])
    except GoldproofError as error:
        assert str(error).startswith("conversation 1 ('c'): iteration 1, search 1, result ")  # noqa: PT017
        return
    assert len(table.results) == len(results) == table.results.columns.height
