"""The same traces, in whatever format and order of rows, give the same tables."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import orjson
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldproof.io.diagnostics import Diagnostics
from goldproof.io.traces import read_traces, traces_from_frame, traces_from_records
from tests.io.traces.trace_samples import csv_text, expected, flat_frame, flat_rows, plain, traces

if TYPE_CHECKING:
    from pathlib import Path

    from tests.io.traces.trace_samples import Record

quick = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None, max_examples=25
)
sizes = st.sampled_from([2, 50_000])


def read(path: Path, size: int) -> list[Record]:
    return plain(read_traces(path, Diagnostics(path), results_per_batch=size))


@quick
@given(conversations=traces(), size=sizes)
def test_json_lines_parquet_and_csv_of_the_same_traces_are_equal(
    conversations: list[Record], size: int, tmp_path: Path
) -> None:
    wanted = expected(conversations)
    lines = tmp_path / "x.jsonl"
    lines.write_bytes(b"\n".join(orjson.dumps(c) for c in conversations))
    assert read(lines, size) == wanted
    flat_frame(conversations).write_parquet(tmp_path / "x.parquet")
    assert read(tmp_path / "x.parquet", size) == wanted
    (tmp_path / "x.csv").write_text(csv_text(flat_rows(conversations)))
    assert read(tmp_path / "x.csv", size) == wanted
    flat_frame(conversations).write_csv(tmp_path / "x.tsv", separator="\t", quote_style="never")
    assert read(tmp_path / "x.tsv", size) == wanted


@quick
@given(conversations=traces())
def test_objects_and_frames_are_read_as_files_are(conversations: list[Record]) -> None:
    wanted = expected(conversations)
    frame = flat_frame(conversations)
    assert plain(traces_from_records(conversations)) == wanted
    assert plain(traces_from_frame(frame)) == wanted
    assert plain(traces_from_frame(frame.lazy())) == wanted


def test_ids_are_stripped_and_one_of_blanks_alone_is_none_in_every_format(tmp_path: Path) -> None:
    results = [{"id": " a\t", "title": "t"}, {"id": "b", "title": "t"}, {"id": "  ", "title": "t"}]
    conversations = [
        {"conversation_id": "c", "turns": [{"iterations": [{"searches": [{"query": "q", "results": results}]}]}]}
    ]
    wanted: list[str | None] = ["a", "b", None]
    flat_frame(conversations).write_parquet(tmp_path / "x.parquet")
    (tmp_path / "x.csv").write_text(csv_text(flat_rows(conversations)))
    (tmp_path / "x.jsonl").write_bytes(orjson.dumps(conversations[0]))
    span = {"openinference.span.kind": "RETRIEVER", "retrieval.documents": results}
    spans = {"trace_id": "a1", "span_id": "01", "start_time": 1, "attributes": span}
    (tmp_path / "spans.jsonl").write_bytes(orjson.dumps(spans))
    step = {"question": "q", "tool_call": {}, "content": [{"search_query": "q", "web_page_info_list": results}]}
    (tmp_path / "x.json").write_bytes(orjson.dumps([step]))
    for name in ("x.parquet", "x.csv", "x.jsonl", "spans.jsonl", "x.json"):
        (table,) = read_traces(tmp_path / name, Diagnostics(tmp_path / name))
        assert table.results.columns["id"].to_list() == wanted, name


@quick
@given(conversations=traces(), seed=st.integers(0, 999), size=sizes)
def test_rows_may_stand_in_any_order_within_a_conversation(
    conversations: list[Record], seed: int, size: int, tmp_path: Path
) -> None:
    order = random.Random(seed)
    parts = [flat_rows([conversation]) for conversation in conversations]
    shuffled = [row for rows in parts for row in order.sample(rows, len(rows))]
    path = tmp_path / "x.csv"
    path.write_text(csv_text(shuffled))
    assert read(path, size) == expected(conversations)
