"""Labels beside a trace: by document, or by question and document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from goldproof.errors import FileFormatError, InputError
from goldproof.io import labels_from_object, read_labels, traces_from_frame, traces_from_records
from goldproof.records.tables import JudgmentTable

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.io.datasets.labels import Labels
    from goldproof.records.traces import TraceTable


def put(folder: Path, name: str, text: str) -> Path:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    return folder / name


def trace() -> TraceTable:
    """Return q1: d1, d2, a page without an id, a result without keys; q2 (conversation c2): d1, 7."""
    first = {"iterations": [{"searches": [{"results": ["d1", {"id": "d2", "url": "http://p"}]}]}]}
    first["iterations"].append({"searches": [{"results": [{"url": "http://p"}, {}]}]})
    second = {"question_id": "q2", "iterations": [{"searches": [{"results": ["d1", 7]}]}]}
    records: list[dict[str, Any]] = [
        {"conversation_id": "q1", "turns": [first]},
        {"conversation_id": "none", "turns": []},
        {"conversation_id": "c2", "turns": [second]},
    ]
    (table,) = traces_from_records(records)
    return table


def per_question(labels: Labels) -> dict[str, dict[str, int]]:
    assert labels.per_question
    found: dict[str, dict[str, int]] = {}
    for question, document, gain in labels.frame.select("question", "document", "gain").iter_rows():
        found.setdefault(question, {})[document] = gain
    return found


def per_document(labels: Labels) -> dict[str, int]:
    assert not labels.per_question
    return dict(labels.frame.select("document", "gain").iter_rows())


BY_QUESTION = {
    "qrels": ("x.qrels", "q1 0 d1 3\nq2 0 7 -2\nq2 0 d1 0\n"),
    "three columns": ("x.txt", "q1 d1 3\nq2 7 -1\nq2 d1 0\n"),
    "CSV": ("x.csv", "question_id,doc_id,gain\nq1,d1,3\nq2,7,-1\nq2,d1,0\n"),
    "JSON lines": (
        "x.jsonl",
        '{"qid":"q1","docid":"d1","grade":3}\n{"qid":"q2","docid":7,"grade":-1}\n{"qid":"q2","docid":"d1","grade":0}\n',
    ),
}


@pytest.mark.parametrize("name", BY_QUESTION)
def test_judgments_label_by_question_and_document_and_negative_grades_are_0(name: str, tmp_path: Path) -> None:
    labels = read_labels(put(tmp_path, *BY_QUESTION[name]))
    assert per_question(labels) == {"q1": {"d1": 3}, "q2": {"7": 0, "d1": 0}}
    assert (labels.negative, len(labels)) == (1, 3)
    assert labels.gains_for(trace()).tolist() == [3, -1, -1, -1, 0, 0]


BY_DOCUMENT = {
    "CSV": ("x.csv", "doc_id,gain,who\nd1,4,me\nhttp://p,2,me\n7,-1,me\n"),
    "TSV": ("x.tsv", "id\tgrade\nd1\t4.0\nhttp://p\t2\n7\t-1\n"),
    "JSON lines": ("x.jsonl", '{"url":"d1","label":4}\n{"url":"http://p","label":2}\n{"url":7,"label":-1}\n'),
    "qrels for any question": ("x.qrels", "* 0 d1 4\n* 0 http://p 2\n* 0 7 -1\n"),
}


@pytest.mark.parametrize("name", BY_DOCUMENT)
def test_a_table_without_questions_labels_by_document(name: str, tmp_path: Path) -> None:
    labels = read_labels(put(tmp_path, *BY_DOCUMENT[name]))
    assert per_document(labels) == {"d1": 4, "http://p": 2, "7": 0}
    assert labels.negative == 1
    # d2 is not labelled, but its URL is.
    assert labels.gains_for(trace()).tolist() == [4, 2, 2, -1, 4, 0]


def test_parquet_and_folders_are_read_too(tmp_path: Path) -> None:
    pl.DataFrame({"doc_id": [1, 2], "gain": [1, 2]}).write_parquet(tmp_path / "x.parquet")
    assert per_document(read_labels(tmp_path / "x.parquet")) == {"1": 1, "2": 2}
    pl.DataFrame({"qid": ["q"], "doc_id": [1], "gain": [1]}).write_parquet(tmp_path / "y.parquet")
    assert per_question(read_labels(tmp_path / "y.parquet")) == {"q": {"1": 1}}
    put(tmp_path, "qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t2\n")
    assert per_question(read_labels(tmp_path)) == {"q1": {"d1": 2}}


def test_whole_number_ids_are_labelled_by_their_text() -> None:
    (table,) = traces_from_frame(
        pl.DataFrame({"conversation": ["c"] * 3, "iteration": [1, 1, 1], "id": [7, None, 8], "url": ["u"] * 3})
    )
    assert table.results.columns["id"].dtype == pl.Int64
    assert labels_from_object({"7": 1, "u": 3}).gains_for(table).tolist() == [1, 3, 3]


def test_a_result_is_known_by_its_id_and_otherwise_by_its_url() -> None:
    results = [{"id": "a", "url": "u"}, {"id": "b", "url": " u "}, {"id": "c", "url": "w"}, {"id": "a"}, {"url": "u"}]
    (table,) = traces_from_records([{"id": "q", "turns": [{"iterations": [{"searches": [{"results": results}]}]}]}])
    known = labels_from_object({"q": {"a": 1, "u": 2}, "r": {"b": 4, "w": 4}}).look_up(table)
    assert known.documents.to_list() == ["a", "u", None, "a", "u"]
    assert known.gains.tolist() == [1, 2, -1, 1, 2]


@pytest.mark.parametrize(
    ("given", "gains"),
    [
        ({"d1": 1, 7: np.int64(2)}, [1, -1, -1, -1, 1, 2]),
        ({"q1": {"d1": 1}, "q2": {"7": -3}}, [1, -1, -1, -1, -1, 0]),
        ({}, [-1] * 6),
        (pl.DataFrame({"id": ["d1"], "gain": [4]}), [4, -1, -1, -1, 4, -1]),
        (pl.LazyFrame({"query_id": ["q2"], "id": ["x"], "doc_id": ["d1"], "gain": [4]}), [-1, -1, -1, -1, 4, -1]),
        (pd.DataFrame({"question_id": ["q1"], "doc_id": ["d2"], "grade": [4]}), [-1, 4, -1, -1, -1, -1]),
        (JudgmentTable.from_dict({"q1": {"d1": 2}}), [2, -1, -1, -1, -1, -1]),
    ],
)
def test_labels_from_python(given: object, gains: list[int]) -> None:
    labels = labels_from_object(given)
    found = labels.gains_for(trace())
    assert found.tolist() == gains
    assert found.dtype == np.int8
    assert labels_from_object(labels) is labels


def test_labels_from_a_path_given_as_text(tmp_path: Path) -> None:
    assert per_document(labels_from_object(str(put(tmp_path, "x.csv", "doc_id,gain\nd1,1\n")))) == {"d1": 1}


def test_a_trace_without_ids_and_urls_stays_unlabelled() -> None:
    (table,) = traces_from_records([{"id": "c", "turns": [{"iterations": [{"searches": [{"results": [{}, {}]}]}]}]}])
    assert labels_from_object({"d1": 1}).gains_for(table).tolist() == [-1, -1]


@pytest.mark.parametrize(
    ("name", "text", "line", "problem"),
    [
        ("x.qrels", "q1 0 d1 1\nq1 0 d2 5\n", 2, "grade 5 of document 'd2' is above 4."),
        ("x.csv", "doc_id,gain\nd1,5\n", 2, "grade 5 of document 'd1' is above 4."),
        ("x.csv", "doc_id,gain\nd1,2.5\n", 2, "grade '2.5' is not a whole number (column 'gain')."),
        ("x.csv", "doc_id,gain\nd1,\n", 2, "grade '' is not a number (column 'gain')."),
        ("x.csv", "doc_id,gain\n,1\n", 2, "the document is empty or not text."),
        ("x.csv", "doc_id,gain\nd1,1\nd1,1\n", 3, "document 'd1' is listed twice for query '*' (first at line 2)."),
        ("x.jsonl", '{"id": "d1", "gain": true}\n', 1, "grade True is not a number (column 'gain')."),
        (
            "x.csv",
            "query_id,doc_id\nq,d\n",
            1,
            "no column for grade (grade, relevance, rel, label, ...); found query_id, doc_id.",
        ),
    ],
)
def test_a_bad_label_is_named_by_its_line(name: str, text: str, line: int, problem: str, tmp_path: Path) -> None:
    with pytest.raises(FileFormatError) as raised:
        read_labels(put(tmp_path, name, text))
    assert (raised.value.line, raised.value.problem.split(" In all")[0]) == (line, problem)


def test_a_label_beyond_the_scale_is_named_by_its_row_or_ids(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pl.DataFrame({"doc_id": ["a", "b"], "gain": [1, 9]}).write_parquet(path)
    with pytest.raises(FileFormatError) as raised:
        read_labels(path)
    assert raised.value.problem == "row 2: grade 9 of document 'b' is above 4."
    put(tmp_path, "x.yaml", "pairs:\n  - id: q\n    positive_ctxs: [{fqn: d, grade: 7}]\n")
    with pytest.raises(FileFormatError) as told:
        read_labels(tmp_path / "x.yaml")
    assert told.value.problem == "question 'q': grade 7 of document 'd' is above 4."


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (3, "labels: found a int, expected {document: gain}, {question: {document: gain}}, a frame with the columns "),
        (
            {"d": 1, "q": {"d": 1}},
            "labels: gains and mappings are mixed, expected {document: gain} or {question: {document: gain}}.",
        ),
        ({"d": 1.5}, "labels: document 'd': grade 1.5 is not a whole number."),
        ({"d": True}, "labels: document 'd': grade True is not a number."),
        ({"d": 5}, "labels: grade 5 of document 'd' is above 4.\n  Gains are 0 to 4: "),
        ({"q": {"d": 5}}, "labels: question 'q': grade 5 of document 'd' is above 4."),
        (pl.DataFrame({"id": ["a"], "gain": [6]}), "labels: row 1: grade 6 of document 'a' is above 4."),
        ({"d": 1, " d": 1}, "labels: document 'd' occurs twice, with and without blanks around it."),
        ({"*": {"d": 1}, "q": {"d": 1}}, "labels: mixes labels for any question (*) with labels by question"),
    ],
)
def test_labels_that_will_not_do_are_told_in_one_sentence(given: object, message: str) -> None:
    with pytest.raises(InputError) as raised:
        labels_from_object(given)
    assert str(raised.value).startswith(message)
