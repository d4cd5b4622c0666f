"""Score tables and small files of ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldproof.errors import FileFormatError, UnknownNameError
from goldproof.io import read_clusters, read_ids, read_scores, write_scores
from goldproof.records.entities import Score
from goldproof.records.tables import SCORE_SCHEMA, ScoreTable

if TYPE_CHECKING:
    from pathlib import Path

EXPECTED = [
    Score("x", "q1", "AP", 0.5),
    Score("x", "q2", "AP", None, "undefined", "no relevant document", "c1"),
]
FILES = {
    "csv": (
        "x.csv",
        "id,metric,value,status,reason,cluster\nq1,AP,0.5,,,\nq2,AP,,undefined,no relevant document,c1\n",
    ),
    "tsv": (
        "x.tsv",
        (
            "query_id\tmeasure\tscore\tstatus\treason\tcluster\nq1\tAP\t0.5\t\t\t\n"
            "q2\tAP\t\tundefined\tno relevant document\tc1\n"
        ),
    ),
    "jsonl": (
        "x.jsonl",
        (
            '{"id":"q1","metric":"AP","value":0.5}\n'
            '{"id":"q2","metric":"AP","value":null,"status":"undefined",'
            '"reason":"no relevant document","cluster":"c1"}\n'
        ),
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_scores_are_read_from(name: str, tmp_path: Path) -> None:
    file, text = FILES[name]
    (tmp_path / file).write_text(text)
    assert read_scores(tmp_path / file).to_records() == EXPECTED


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1).filter(str.strip)
scores = st.builds(
    lambda run, name, metric, value, cluster: Score(
        run.strip(),
        name.strip(),
        metric.strip(),
        value,
        "failed" if value is None else "scored",
        "crash" if value is None else None,
        cluster and cluster.strip(),
    ),
    texts,
    texts,
    texts,
    st.none() | st.floats(allow_nan=False, allow_infinity=False),
    st.none() | texts,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50)
@given(records=st.lists(scores, min_size=1, unique_by=lambda s: (s.run, s.question, s.metric)))
def test_written_scores_read_back_and_have_the_same_bytes(records: list[Score], tmp_path: Path) -> None:
    write_scores(tmp_path / "a.parquet", ScoreTable.from_records(records))
    write_scores(tmp_path / "b.parquet", ScoreTable.from_records(records))
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    assert read_scores(tmp_path / "a.parquet").to_records() == records


def test_the_bytes_do_not_depend_on_how_the_table_was_put_together(tmp_path: Path) -> None:
    parts = [ScoreTable.from_records([Score("r", f"q{i}", "AP", i / 7)]).frame for i in range(500)]
    write_scores(tmp_path / "a.parquet", ScoreTable(pl.concat(parts, rechunk=False)))
    write_scores(tmp_path / "b.parquet", ScoreTable(pl.concat(parts, rechunk=True)))
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_a_run_can_be_picked(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("run,id,metric,value\na,q1,AP,1\nb,q1,AP,0\n")
    assert [s.value for s in read_scores(tmp_path / "x.csv", run="b").to_records()] == [0.0]
    with pytest.raises(UnknownNameError) as raised:
        read_scores(tmp_path / "x.csv", run="c")
    assert str(raised.value) == f"unknown run in {tmp_path}/x.csv 'c'; known: a, b."


BAD = {
    "value is a word": ("id,metric,value\nq1,AP,x\n", 2, "value 'x' is not a number."),
    "value is NaN": ("id,metric,value\nq1,AP,nan\n", 2, "value 'nan' is not finite."),
    "id is empty": ("id,metric,value\n,AP,1\n", 2, "id is empty."),
    "metric is empty": ("id,metric,value\nq1,,1\n", 2, "metric is empty."),
    "unknown status": (
        "id,metric,value,status\nq1,AP,1,ok\n",
        2,
        "status 'ok' is not one of scored, undefined, failed.",
    ),
    "failed with a value": ("id,metric,value,status\nq1,AP,0,failed\n", 2, "status is 'failed', but the value is '0'."),
    "scored without a value": (
        "id,metric,value,status\nq1,AP,,scored\n",
        2,
        "status is 'scored', but the value is ''.",
    ),
    "twice": (
        "id,metric,value\nq1,AP,1\nq1,AP,1\n",
        3,
        "metric 'AP' of id 'q1' occurs twice for run 'x' (first at line 2).",
    ),
    "no metric": ("id,value\nq1,1\n", 1, "no column for metric (metric, measure, ...); found id, value."),
    "short line": ("id,metric,value\nq1,AP\n", 2, "found 2 columns, expected 3 (id, metric, value)."),
    "header only": ("id,metric,value\n", None, "holds no rows."),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_scores_are_refused(name: str, tmp_path: Path) -> None:
    text, line, problem = BAD[name]
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(FileFormatError) as raised:
        read_scores(tmp_path / "x.csv")
    assert (raised.value.line, raised.value.problem) == (line, problem)


def test_parquet_scores_name_the_row(tmp_path: Path) -> None:
    frame = pl.DataFrame({"id": ["q1", "q2"], "metric": ["AP", "AP"], "value": [1.0, None]})
    frame.write_parquet(tmp_path / "x.parquet")
    with pytest.raises(FileFormatError) as raised:
        read_scores(tmp_path / "x.parquet")
    assert raised.value.problem == (
        "row 2: value is empty, expected a number, or 'undefined' or 'failed' in a status column."
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("c.csv", "id,cluster\nq1,a\nq2,b\nq1,a\n"),
        ("c.tsv", "query_id\tcluster\nq1\ta\nq2\tb\n"),
        ("c.jsonl", '{"id":"q1","cluster":"a"}\n{"id":"q2","cluster":"b"}\n'),
    ],
)
def test_clusters_are_read(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    assert read_clusters(tmp_path / name) == {"q1": "a", "q2": "b"}


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("id,cluster\nq1,a\nq1,b\n", 3, "id 'q1' is in cluster 'b', but was in 'a' before."),
        ("id,cluster\nq1,\n", 2, "the cluster is empty."),
        ("id,cluster\n,a\n", 2, "the id is empty."),
    ],
)
def test_bad_clusters_are_refused(text: str, line: int, problem: str, tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text(text)
    with pytest.raises(FileFormatError) as raised:
        read_clusters(tmp_path / "c.csv")
    assert (raised.value.line, raised.value.problem) == (line, problem)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("q1\n  q 2 \n\nq1\n", {"q1", "q 2"}),
        ('["q1", 7]', {"q1", "7"}),
        ('[\n  "q1",\n  {"id": "q2"}\n]\n', {"q1", "q2"}),
        ('{"id": "q1", "verdict": "Broken"}\n{"id": 7}\n', {"q1", "7"}),
        ("[]", set()),
        ("", set()),
        ('id,reason\nq1,"wrong, twice"\nq2,\n', {"q1", "q2"}),
        ("note\tquery_id\nx\tq1\n", {"q1"}),
        ("id\nq1\n", {"q1"}),
        ('{"_id": "q1", "text": ["not", "text"]}\n', {"q1"}),
        ('{"_id": "x", "qid": "q1"}\n', {"q1"}),
        ("q1,a\nq2,b\n", {"q1,a", "q2,b"}),  # no header: an id may hold a comma
    ],
)
def test_ids_are_read(text: str, expected: set[str], tmp_path: Path) -> None:
    (tmp_path / "ids").write_text(text)
    assert read_ids(tmp_path / "ids") == expected


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('["q1", null]', "element 2: key 'id' is null, expected text."),
        ('["q1"', "is not JSON (unexpected end of data)."),
        ('{"id": "a"}\n{"name": "b"}\n', "no key 'id' and no 'question' (found name)."),
        ("id,reason\nq1\n", "found 1 column, expected 2 (id, reason)."),
        ("id,reason\n,x\n", "key 'id' is empty."),
        ("id,reason,ID\na,b,c\n", "column 'id' occurs twice."),
        ('{\n"id": "a"}\n', "is a JSON document other than a list, expected a list of ids."),
    ],
)
def test_bad_id_lists_are_refused(text: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "ids").write_text(text)
    with pytest.raises(FileFormatError) as raised:
        read_ids(tmp_path / "ids")
    assert raised.value.problem == problem


OWN = {"run": "r", "id": "q", "metric": "AP", "value": 1.0, "status": "scored", "reason": None, "cluster": None}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"value": None}, "row 2: status is 'scored', but the value is None."),
        ({"value": float("inf")}, "row 2: value inf is not finite."),
        ({"status": "failed"}, "row 2: status is 'failed', but the value is 1.0."),
        ({"status": "good"}, "row 2: status 'good' is not one of scored, undefined, failed."),
        ({"id": " "}, "row 2: id is empty."),
        ({"metric": None}, "row 2: metric is empty."),
        ({"id": "q0"}, "row 2: metric 'AP' of id 'q0' occurs twice for run 'r' (first at row 1)."),
    ],
)
def test_a_table_as_we_write_it_is_checked_like_any_other(
    change: dict[str, object], problem: str, tmp_path: Path
) -> None:
    frame = pl.DataFrame([OWN | {"id": "q0"}, OWN | change], schema=SCORE_SCHEMA)
    frame.write_parquet(tmp_path / "x.parquet")
    with pytest.raises(FileFormatError) as raised:
        read_scores(tmp_path / "x.parquet")
    assert raised.value.problem == problem
