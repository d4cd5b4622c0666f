"""The content of a trace file says what it is; `goldproof validate` counts what it holds; other files are refused."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import orjson
import polars as pl
import pytest

from goldproof.errors import FileFormatError
from goldproof.io import Diagnostic, read_traces
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.file_layout import Sniffed
from goldproof.io.traces.trace_files import READABLE, trace_format
from goldproof.jobs.validate import validate_file

if TYPE_CHECKING:
    from pathlib import Path

CONVERSATIONS = (
    '{"session_id": "c1", "turns": [{"iterations": [{"searches": [{"results": ["a", {"id": "b", "gain": 2}]}]}]}]}\n'
    '{"conversation_id": "c2", "error": "boom"}\n'
    '{"conversation_id": "c3", "turns": [{"iterations": [{"searches": [{"error": "x"}]}]}]}\n'
)
FLAT = "conversation,iteration,id,gain,error\nc1,1,a,,\nc1,1,b,2,\nc2,,,,boom\nc3,1,,,x\n"
COUNTS = {
    "conversations": 3,
    "iterations": 2,
    "searches": 2,
    "results": 2,
    "labelled": 1,
    "failed": 1,
    "failed_searches": 1,
}


def put(folder: Path, name: str, data: str | bytes) -> Path:
    (folder / name).write_bytes(data.encode() if isinstance(data, str) else data)
    return folder / name


FILES: dict[str, str | bytes] = {
    "x.jsonl": CONVERSATIONS,
    "no suffix": CONVERSATIONS,
    "x.jsonl.gz": gzip.compress(CONVERSATIONS.encode()),
    "bom.jsonl": "\ufeff" + CONVERSATIONS.replace("\n", "\r\n"),
    "x.csv": FLAT,
    "x.tsv": FLAT.replace(",", "\t"),
    "x.csv.gz": gzip.compress(FLAT.encode()),
    "failed first.jsonl": "".join(reversed(CONVERSATIONS.splitlines(keepends=True))),
}


@pytest.mark.parametrize("name", FILES)
def test_traces_are_recognised_and_counted(name: str, tmp_path: Path) -> None:
    found = validate_file(put(tmp_path, name, FILES[name]))
    assert (found.kind, found.counts, found.findings, found.unused) == ("traces", COUNTS, (), ())


def test_a_flat_parquet_file_is_recognised_by_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pl.read_csv(put(tmp_path, "x.csv", FLAT)).write_parquet(path)
    found = validate_file(path)
    assert (found.kind, found.counts) == ("traces", COUNTS)


def test_validate_lists_every_bad_line(tmp_path: Path) -> None:
    bad = '{"turns": []}\n' + CONVERSATIONS + '{"id": "c4", "turns": 3}\n'
    found = validate_file(put(tmp_path, "x.jsonl", bad))
    assert found.findings == (
        Diagnostic(1, "no key 'conversation_id' (found turns).", "Fix the line."),
        Diagnostic(5, "key 'turns' is a number, expected a list.", "Fix the line."),
    )
    assert found.counts == COUNTS


def test_a_ranking_that_names_its_sessions_stays_a_ranking(tmp_path: Path) -> None:
    path = put(tmp_path, "x.jsonl", '{"session_id": "s", "query_id": "q", "doc_id": "d", "score": 1}\n')
    assert validate_file(path).kind == "ranking"


JQ = (
    "Write each object on a line of its own: "
    """jq -c 'if type == "array" then .[] else . end' x.json > x.jsonl"""
)


@pytest.mark.parametrize(
    ("name", "data", "problem", "hint"),
    [
        (
            "x.json",
            '[{"conversation_id": "c1", "turns": []}]',
            "is one JSON document, expected one conversation or span per line.",
            JQ,
        ),
        (
            "x.json",
            '[\n{"conversation_id": "c1"}\n]',
            "is one JSON document, expected one conversation or span per line.",
            JQ,
        ),
        (
            "x.json",
            '{\n "conversation_id": "c1"\n}',
            "is one JSON document, expected one conversation or span per line.",
            JQ,
        ),
        (
            "x.json",
            '[{"role": "tool", "type": "tool_call", "content": "x"}]',
            "is one JSON document, expected one conversation or span per line.",
            JQ,
        ),
        ("x.jsonl", '{"a": 1, "b": 2}\n', "holds neither conversations nor spans (found a, b).", READABLE),
        ("x.jsonl", "{}\n", "holds neither conversations nor spans (found no key).", READABLE),
        ("x.txt", "hello world\n", "is not recognised as traces (it begins 'hello world').", READABLE),
        ("x.yaml", "pairs:\n", "is not recognised as traces (it begins 'pairs:').", READABLE),
        ("x.run", "q Q0 d 1 2.5 t\n", "is not recognised as traces (it begins 'q Q0 d 1 2.5 t').", READABLE),
        ("x.jsonl", "", "the file is empty.", "Was it cut off, or never written?"),
        ("x.parquet", "PAR1", "is not a readable Parquet file", "Copy or write the file again."),
    ],
)
def test_what_is_no_trace_is_told_so_in_one_sentence(
    name: str, data: str, problem: str, hint: str, tmp_path: Path
) -> None:
    path = put(tmp_path, name, data)
    with pytest.raises(FileFormatError) as raised:
        list(read_traces(path, Diagnostics(path)))
    assert (raised.value.problem[: len(problem)], raised.value.hint) == (problem, hint)


def test_a_missing_file_and_a_folder_are_told_so(tmp_path: Path) -> None:
    for path, problem in ((tmp_path / "x.jsonl", "no such file."), (tmp_path, "is a folder, expected a file.")):
        with pytest.raises(FileFormatError) as raised:
            list(read_traces(path, Diagnostics(path)))
        assert raised.value.problem == problem


def test_a_parquet_file_that_breaks_off_is_told_so(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    frame = pl.DataFrame({"conversation": [f"c{n}" for n in range(5000)], "iteration": [1] * 5000, "id": range(5000)})
    frame.write_parquet(path, compression="uncompressed", row_group_size=1000)
    data = bytearray(path.read_bytes())
    data[3000:9000] = b"\xff" * 6000
    path.write_bytes(bytes(data))
    with pytest.raises(FileFormatError) as raised:
        list(read_traces(path, Diagnostics(path)))
    assert raised.value.problem.startswith("is not a readable Parquet file (")


def test_reading_may_stop_half_way(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    frame = pl.DataFrame({"conversation": [f"c{n}" for n in range(5000)], "iteration": [1] * 5000, "url": ["u"] * 5000})
    frame.write_parquet(path, row_group_size=100)
    tables = read_traces(path, Diagnostics(path), results_per_batch=50)
    first = next(tables)
    tables.close()  # type: ignore[attr-defined]
    assert first.conversations[0] == "c0"


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ('{"id": "c", "turns": []}', "conversations"),
        ('{"conversation_id": "c", "error": "x"}', "conversations"),
        ('{"resourceSpans": []}', "spans"),
        ('{"traceId": "a1", "spanId": "b1", "attributes": []}', "spans"),
        ('{"context": {"trace_id": "0xa1", "span_id": "0xb1"}, "attributes": {}}', "spans"),
        ('{"context.trace_id": "a1", "context.span_id": "b1"}', "spans"),
        ('{"trace_id": "a1", "attributes": {"session.id": "s"}}', "spans"),
        ('{"idx": 0, "question": "q", "tool_call": {}, "content": []}', "steps"),
        ('{"query_id": "q", "results": []}', None),
        ('{"session_id": "s", "query_id": "q", "results": []}', None),
        ("not json", "conversations"),
    ],
)
def test_the_first_object_says_what_a_file_holds(line: str, kind: str | None, tmp_path: Path) -> None:
    path = put(tmp_path, "x.jsonl", line)
    assert trace_format(path, Sniffed("jsonl", line)) == kind


def test_spans_are_left_to_their_own_reader(tmp_path: Path) -> None:
    attributes = {"openinference.span.kind": "RETRIEVER", "session.id": "s1", "input.value": "q"}
    span = {"trace_id": "a" * 32, "span_id": "b" * 16, "start_time": "2026-01-01T00:00:00Z", "attributes": attributes}
    path = put(tmp_path, "x.jsonl", orjson.dumps(span))
    (table,) = read_traces(path, Diagnostics(path))
    assert (table.conversations.to_list(), table.queries.to_list()) == (["s1"], ["q"])
    assert validate_file(path).kind == "traces"
