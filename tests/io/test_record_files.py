"""Records of any data file: what they become, and what is said of those that cannot be read."""

from __future__ import annotations

import csv
import gzip
import io
import json
import tracemalloc
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path

import orjson
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import FileFormatError
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.json_files import NumberedRecord
from goldproof.io.record_files import read_records, read_text_table

ROWS: list[dict[str, object]] = [{"id": "a", "n": 1}, {"id": "b", "n": None}, {"id": "ü\n", "n": [{"x": 2.5}]}]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    def writer(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return writer


Write = Callable[[str, str | bytes], Path]


def records(path: Path) -> list[dict[str, object]]:
    return [found.record for found in read_records(path)]


def problems(path: Path) -> list[tuple[int | None, str]]:
    diagnostics = Diagnostics(path, keep=10)
    list(read_records(path, diagnostics))
    return [(finding.line, finding.problem) for finding in diagnostics.findings]


LAYOUTS = {
    "lines.jsonl": "\n".join(json.dumps(row) for row in ROWS) + "\n",
    "lines_without_the_suffix.json": "\n".join(json.dumps(row) for row in ROWS),
    "array.json": json.dumps(ROWS),
    "printed.json": json.dumps(ROWS, indent=4),
    "array_of_lines.json": "[\n" + ",\n".join(json.dumps(row) for row in ROWS) + "\n]\n",
    "wrapped.json": json.dumps({"version": "1.1", "data": ROWS, "meta": {"by": "x"}}),
    "wrapped_printed.json": json.dumps({"data": ROWS}, indent=2),
    "crlf.jsonl": "\r\n".join(json.dumps(row) for row in ROWS) + "\r\n",
    "blank_lines.jsonl": "\n\n".join(json.dumps(row) for row in ROWS) + "\n \n",
}


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"], ids=["plain", "bom"])
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_every_layout_of_json_gives_the_same_records(write: Write, name: str, bom: bytes, packed: bool) -> None:
    content = bom + LAYOUTS[name].encode()
    path = write(f"{name}.gz", gzip.compress(content)) if packed else write(name, content)
    assert records(path) == ROWS


def test_numbers_are_lines_in_json_lines_and_positions_in_arrays(write: Write) -> None:
    lines = write("a.jsonl", '{"a": 1}\n\n{"a": 2}\n')
    assert list(read_records(lines)) == [NumberedRecord(1, {"a": 1}), NumberedRecord(3, {"a": 2})]
    array = write("a.json", '[\n\n{"a": 1},\n\n{"a": 2}\n]')
    assert list(read_records(array)) == [NumberedRecord(1, {"a": 1}), NumberedRecord(2, {"a": 2})]


@pytest.mark.parametrize(
    "record",
    [
        {"question": "q", "documents": ["d1", "d2"]},
        {"context": [["t", ["s"]]], "supporting_facts": [["t", 0]]},
        {"paragraphs": [{"idx": 0}], "aliases": []},
        {"a": 1},
        {},
    ],
    ids=["a list of texts", "two lists", "a list of objects and another", "no list", "nothing"],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_an_object_that_wraps_no_records_is_one_record(
    write: Write, record: dict[str, object], indent: int | None
) -> None:
    assert records(write("one.json", json.dumps(record, indent=indent))) == [record]


def test_a_single_json_line_is_never_taken_apart(write: Write) -> None:
    record = {"question": "q", "documents": [{"text": "t"}]}
    assert records(write("one.jsonl", json.dumps(record))) == [record]
    assert records(write("one.json", json.dumps(record))) == [{"text": "t"}]


def test_nan_in_json_is_read_as_null(write: Write) -> None:
    assert records(write("a.jsonl", '{"a": NaN, "b": [-Infinity, 1]}')) == [{"a": None, "b": [None, 1]}]
    inside = '{"a": NaN, "b": "NaN \\" Infinity", "c": {"NaN": "\\\\"}}'
    assert records(write("b.jsonl", inside)) == [{"a": None, "b": 'NaN " Infinity', "c": {"NaN": "\\"}}]


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ('"\\ud800"', "is not JSON (no low surrogate in string, column "),
        ("1e400", "holds a number beyond double precision (column "),
        ('"\\"NaN', "is not JSON (unexpected end of data, column "),
    ],
)
def test_what_is_no_json_is_damaged_beside_nan_as_well(write: Write, value: str, problem: str) -> None:
    for other in ("1", "NaN"):
        path = write("a.jsonl", f'{{"a": {other}, "b": {value}}}\n{{"a": 2}}\n')
        ((line, found),) = problems(path)
        assert (line, found[: len(problem)]) == (1, problem)


def test_a_large_number_is_the_same_beside_nan(write: Write) -> None:
    alone, beside = records(write("a.jsonl", "".join(f'{{"a": {a}, "b": {10**30}}}\n' for a in ("null", "NaN"))))
    assert alone == beside == {"a": None, "b": 1e30}


def test_a_cut_off_string_full_of_quotes_is_read_in_no_time(write: Write) -> None:
    # Looked at from each quote anew it would take 10**11 steps.
    assert len(problems(write("a.jsonl", '{"a": NaN, "b": "' + '\\"' * 300_000))) == 1


@pytest.mark.parametrize("suffix", ["json", "jsonl"])
def test_a_damaged_line_stops_reading_unless_complaints_are_kept(write: Write, suffix: str) -> None:
    path = write(f"a.{suffix}", '{"a": 1}\n{"a": }\n[1]\n{"a": 2}\n')
    with pytest.raises(FileFormatError, match=rf"a\.{suffix}:2: is not JSON \(.*, column 7\)\.\n  Fix the line\."):
        list(read_records(path))
    assert [line for line, _ in problems(path)] == [2, 3]
    assert problems(path)[1] == (3, "is a list, expected a JSON object.")
    assert list(read_records(path, Diagnostics(path, keep=0))) == [
        NumberedRecord(1, {"a": 1}),
        NumberedRecord(4, {"a": 2}),
    ]


def test_a_damaged_first_line_does_not_hide_that_it_is_json_lines(write: Write) -> None:
    path = write("a.json", '{"a": [1\n{"a": 2}\n{"a": 3}\n')
    assert [found.number for found in read_records(path, Diagnostics(path, keep=0))] == [2, 3]


def test_a_first_line_that_is_no_json_at_all_costs_no_other_line(write: Write) -> None:
    path = write("a.jsonl", 'oops, this\n{"a": 2}\n')
    assert [found.number for found in read_records(path, Diagnostics(path, keep=0))] == [2]


def test_text_in_a_json_file_is_not_taken_for_a_table(write: Write) -> None:
    with pytest.raises(FileFormatError, match="is not a file of records"):
        read_records(write("a.json", '"one, two"\n"three, four"\n'))


def test_damaged_elements_are_named_by_number_and_line_and_cost_no_other(write: Write) -> None:
    path = write("a.json", b'[{"a": 1},\n{"a": tru},\n7,\n{"a": "\xff"},\n{"a": [}},\n"x", {"a": 2}\n]')
    found = problems(path)
    assert [line for line, _ in found] == [2, 2, 4, 5, 5]
    assert found[0][1].startswith("element 2 of the array is not JSON (")
    assert found[1][1] == "element 3 of the array is a number, expected a JSON object."
    assert found[2][1] == "element 4 of the array byte 8 (0xFF) is not UTF-8."
    assert found[4][1] == "element 6 of the array is text, expected a JSON object."
    assert [found.number for found in read_records(path, Diagnostics(path, keep=0))] == [1, 7]
    with pytest.raises(FileFormatError, match=r"a\.json:2: element 2 .*\n  Fix the element\."):
        list(read_records(path))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"a": 1}, {"a": ', "the JSON array is cut off: the file ends after 1 elements"),
        ('{"data": [{"a": 1}, {"a": ', "the JSON object is cut off: no bracket closes it"),
        ("", "the file is empty"),
        ("just some prose", "is not a file of records: it begins with 'just some prose'"),
        ("name: x\nother: [1, 2]\n", "is not a file of records"),
        (" \n\n", "the file is empty"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_a_reason(write: Write, text: str, message: str) -> None:
    path = write("a.json" if text.startswith(("[", "{")) else "a.yaml", text)
    with pytest.raises(FileFormatError, match=message):
        list(read_records(path, Diagnostics(path, keep=10)))


def test_gzip_data_that_is_cut_off_is_refused(write: Write) -> None:
    packed = gzip.compress(json.dumps([{"a": str(number) * 9} for number in range(9999)]).encode())
    with pytest.raises(FileFormatError, match="the gzip data is cut off"):
        list(read_records(write("a.json.gz", packed[: len(packed) // 2])))


cells = st.text(
    alphabet=st.one_of(st.sampled_from('",\t \n1x'), st.characters(codec="utf-8", exclude_characters="\0\r"))
)


@given(st.lists(st.tuples(cells, cells), max_size=5), st.sampled_from([",", "\t"]))
def test_csv_and_tsv_keep_every_cell_as_the_text_it_is(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]], separator: str
) -> None:
    rows = [row for row in rows if any(row)]  # an empty row is a blank line
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=separator, lineterminator="\n")
    writer.writerows([("question", "answer"), *rows])
    path = tmp_path_factory.mktemp("csv") / "a.txt"
    path.write_bytes(stream.getvalue().encode())
    assert records(path) == [{"question": question, "answer": answer} for question, answer in rows]


def test_a_csv_record_over_several_lines_keeps_its_blank_lines_and_is_known_by_its_last(write: Write) -> None:
    path = write("a.csv", b'id,text\r\n1,"one\n\ntwo"\r\n2,001\r\n')
    assert list(read_records(path)) == [
        NumberedRecord(4, {"id": "1", "text": "one\n\ntwo"}),
        NumberedRecord(5, {"id": "2", "text": "001"}),
    ]


def test_a_cell_of_a_csv_table_keeps_its_line_breaks_and_blank_lines(write: Write) -> None:
    path = write("a.csv", b'conversation_id,query\r\n \r\n1, two \r\n2,"one\r\n\r\n two"\r\n')
    table = read_text_table(path, Diagnostics(path))
    assert [(row.line, row.fields) for row in table.rows] == [(3, ["1", "two"]), (6, ["2", "one\r\n\r\n two"])]


def test_bad_csv_lines_are_complaints(write: Write) -> None:
    path = write("a.csv", b'id,text\n1\n2,"a"b\n3,\xff\n4,d\n')
    assert problems(path) == [
        (2, "found 1 column, expected 2 (id, text)."),
        (3, "is not well-formed CSV (',' expected after '\"')."),
        (4, "byte 3 of the line (0xFF) is not UTF-8."),
    ]
    assert [found.record["id"] for found in read_records(path, Diagnostics(path, keep=0))] == ["4"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            'id,text\n1,"a\n2,b\n',
            r"a\.csv:2: is not well-formed CSV \(the quote opened here runs to line 3",
        ),
        ("id,id\n1,2\n", r"a\.csv:1: column 'id' occurs twice"),
    ],
)
def test_csv_that_cannot_be_read_on_is_refused(write: Write, text: str, message: str) -> None:
    path = write("a.csv", text)
    with pytest.raises(FileFormatError, match=message):
        list(read_records(path, Diagnostics(path, keep=10)))


def test_parquet_rows_become_plain_json_values(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "text": ["a", None],
            "whole": [1, 2],
            "real": [1.5, float("nan")],
            "moment": [datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), None],
            "day": [date(2026, 1, 2), None],
            "clock": [time(1, 2, 3), None],
            "span": [timedelta(minutes=1), None],
            "money": pl.Series([Decimal("12.50"), None], dtype=pl.Decimal(38, 2)),
            "long": pl.Series([Decimal("12345678901234567890.12"), None], dtype=pl.Decimal(38, 2)),
            "bytes": [b"abc", b"\xff"],
            "nested": [{"titles": ["t"], "scores": [1.0, float("inf")]}, {"titles": [], "scores": None}],
            "kind": pl.Series(["x", "y"], dtype=pl.Categorical),
            "fixed": pl.Series([[1.0, float("nan")], [2.0, 3.0]], dtype=pl.Array(pl.Float64, 2)),
        }
    )
    path = tmp_path / "a.parquet"
    frame.write_parquet(path)
    first, second = records(path)
    assert first == {
        "text": "a",
        "whole": 1,
        "real": 1.5,
        "moment": "2026-01-02T03:04:05+00:00",
        "day": "2026-01-02",
        "clock": "01:02:03",
        "span": 60.0,
        "money": 12.5,
        "long": "12345678901234567890.12",
        "bytes": "abc",
        "nested": {"titles": ["t"], "scores": [1.0, None]},
        "kind": "x",
        "fixed": [1.0, None],
    }
    assert (second["real"], second["bytes"]) == (None, None)
    assert orjson.loads(orjson.dumps([first, second])) == [first, second]


def test_parquet_rows_keep_their_order_over_batches_and_row_groups(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pl.DataFrame({"n": range(10_000)}).write_parquet(path, row_group_size=700)
    assert [(found.number, found.record["n"]) for found in read_records(path)] == [(n + 1, n) for n in range(10_000)]


def test_a_parquet_file_cut_off_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pl.DataFrame({"n": range(1000)}).write_parquet(path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(FileFormatError, match="is not a readable Parquet file"):
        list(read_records(path))


@pytest.mark.parametrize("shape", ["array", "wrapped"])
def test_an_array_is_read_with_flat_memory(tmp_path: Path, shape: str) -> None:
    # 24 MB on one line, of which never more than a few pieces of 256 kB are held.
    path = tmp_path / "a.json"
    record = orjson.dumps({"context": [["title", ["sentence " * 20] * 5]] * 10, "question": "q?"})
    with path.open("wb") as stream:
        stream.write(b"[" if shape == "array" else b'{"data": [')
        stream.write(b",".join([record] * 2600))
        stream.write(b"]" if shape == "array" else b"]}")
    tracemalloc.start()
    try:
        count = sum(1 for _ in read_records(path))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (count, path.stat().st_size > 23_000_000) == (2600, True)
    assert peak < 8_000_000


@pytest.mark.realdata
def test_real_files_give_what_a_json_parser_gives(realdata: Path) -> None:
    for name in ("multihop/hotpotqa_train.json", "multihop/musique_train.json", "tatqa/tatqa_dataset_dev.json"):
        path = realdata / name
        assert records(path) == orjson.loads(path.read_bytes())


@pytest.mark.realdata
def test_real_parquet_files_have_their_rows(realdata: Path) -> None:
    counts = [len(records(realdata / "t2_ragbench" / name)) for name in ("FinQA_dev.parquet", "TAT-DQA_dev.parquet")]
    assert counts == [883, 1142]
