"""Questions from every kind of file."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import polars as pl
import pytest

from goldproof.errors import FileFormatError
from goldproof.io.datasets.questions import read_questions, stable_id
from goldproof.io.diagnostics import Diagnostics
from goldproof.records.entities import Question

if TYPE_CHECKING:
    from pathlib import Path

TWO = (Question("q1", "What is it?"), Question("q2", "Who, then?"))
BEIR = '{"_id": "q1", "text": "What is it?"}\n{"_id": "q2", "text": "Who, then?"}\n'
YAML = """pairs:
- {id: q1, query: What is it?, answerable: false}
- {id: q2, query: "Who, then?", answerable: false}
"""


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("queries.jsonl", BEIR),
        ("q.jsonl", '{"id": "q1", "question": "What is it?"}\n{"id": "q2", "question": "Who, then?"}\n'),
        ("q.jsonl", '{"query_id": "q1", "query": "What is it?"}\n{"query_id": "q2", "query": "Who, then?"}\n'),
        ("q.json", '[{"id": "q1", "text": "What is it?"}, {"id": "q2", "text": "Who, then?"}]'),
        ("q.tsv", "id\ttext\nq1\tWhat is it?\nq2\tWho, then?\n"),
        ("q.tsv", "q1\tWhat is it?\nq2\tWho, then?\n"),
        ("q.csv", 'query_id,query\nq1,What is it?\nq2,"Who, then?"\n'),
        ("q.csv", 'q1,What is it?\r\nq2,"Who, then?"\r\n'),
        ("q.csv", 'question-id,Question\nq1,What is it?\nq2,"Who, then?"\n'),
        ("retrieval_dataset.yaml", YAML),
    ],
)  # fmt: skip
def test_ids_and_texts_are_found(name: str, content: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    assert [(q.id, q.text) for q in read_questions(tmp_path / name)] == [(q.id, q.text) for q in TWO]


def test_parquet_gzip_and_folders_are_read(tmp_path: Path) -> None:
    pl.DataFrame({"qid": ["q1", "q2"], "text": [q.text for q in TWO]}).write_parquet(tmp_path / "q.parquet")
    (tmp_path / "queries.jsonl.gz").write_bytes(gzip.compress(BEIR.encode()))
    for path in (tmp_path / "q.parquet", tmp_path / "queries.jsonl.gz", tmp_path):
        assert read_questions(path) == TWO


def test_beir_fields_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "queries.jsonl"
    path.write_text(json.dumps({"_id": 1, "text": "x", "cluster": "c", "answerable": False, "metadata": {"a": 1}}))
    assert read_questions(path) == (Question("1", "x", cluster="c", answerable=False, metadata={"a": 1}),)


def test_fields_are_kept_in_an_array_as_well(tmp_path: Path) -> None:
    path = tmp_path / "q.json"
    path.write_text('[{"id": "1", "question": "x", "answerable": false, "metadata": {"a": 1}, "answer": "y"}]')
    assert read_questions(path) == (Question("1", "x", answer="y", answerable=False, metadata={"a": 1}),)
    path.write_text('[{"id": "1", "question": "x", "answerable": "no"}]')
    with pytest.raises(FileFormatError, match="answerable is 'no', expected true or false"):
        read_questions(path)


def test_other_fields_become_metadata(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_text("id,text,topic\n1,x,law\n")
    assert read_questions(path) == (Question("1", "x", metadata={"topic": "law"}),)


def test_plain_lines_are_questions_by_their_number(tmp_path: Path) -> None:
    path = tmp_path / "q.txt"
    path.write_text("What is it?\n\nWho, then?\n")
    assert read_questions(path) == (Question("1", "What is it?"), Question("3", "Who, then?"))
    path.write_text("Who, then?\nWhat is it?\n")
    assert [q.id for q in read_questions(path)] == ["1", "2"]


def test_cranfield_queries_are_read_from_the_file_and_the_folder(tmp_path: Path) -> None:
    (tmp_path / "cran.qry").write_text(".I 007\n.W\nwhat is\nit .\n")
    (tmp_path / "cranqrel").write_text("1 1 1\n")
    expected = (Question("1", "what is it .", metadata={"number": "007"}),)
    assert read_questions(tmp_path / "cran.qry") == expected
    assert read_questions(tmp_path) == expected


@pytest.mark.parametrize(
    ("name", "content", "line", "problem"),
    [
        ("q.jsonl", '{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}\n', 2, "question 'a' occurs twice"),
        ("queries.jsonl", BEIR + '{"_id": "q1", "text": "y"}\n', 3, "query 'q1' occurs twice"),
        ("queries.jsonl", BEIR + '{"_id": "q3", "text": " "}\n', 3, "question 'q3' has no text"),
        ("q.jsonl", '{"id": "a", "question": ""}\n', 1, "question 'a' has no text"),
        ("q.jsonl", '{"id": "a"}\n', 1, "no key 'text', 'query' or 'question' (found id)"),
        ("q.csv", "question,answer\na,1\nb,2\na,3\n", 4, "asks the question of line 2 again, with another answer"),
        ("q.jsonl", '{"id": "a", "text": 3}\n', 1, "key 'text' is a number"),
        ("q.tsv", "a\tx\na\ty\n", 2, "question 'a' occurs twice"),
        ("q.tsv", "a\tx\nno tab\n", 2, "has 1 column, expected two"),
        ("q.csv", "id,text\na,\n", 2, "question 'a' has no text"),
        ("q.csv", "id,text\na,b,c\n", 2, "found 3 columns, expected 2"),
    ],
)
def test_bad_lines_are_named(name: str, content: str, line: int, problem: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(FileFormatError) as raised:
        read_questions(tmp_path / name)
    assert raised.value.line == line
    assert raised.value.problem.startswith(problem)


def test_files_without_questions_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("")
    with pytest.raises(FileFormatError, match="empty"):
        read_questions(tmp_path / "empty.txt")
    with pytest.raises(FileFormatError, match=r"no queries\.jsonl"):
        read_questions(tmp_path)
    (tmp_path / "x.qrels.yaml").write_text("pairs: []\n")
    with pytest.raises(FileFormatError, match="holds no pairs"):
        read_questions(tmp_path / "x.qrels.yaml")


@pytest.mark.realdata
def test_the_real_queries_of_cranfield_are_read(realdata: Path) -> None:
    found = read_questions(realdata / "cranfield")
    assert [q.id for q in found] == [str(n) for n in range(1, 226)]
    assert found[-1].metadata["number"] == "365"


@pytest.mark.parametrize(
    ("name", "content"),
    [("q.csv", "a,b,c\n1,2,3\n"), ("q.csv", "id,utterance\nq1,hello\n"), ("q.tsv", "query_id\tlang\nq1\ten\n")],
)
def test_a_table_without_a_text_column_is_refused_and_not_taken_for_questions(
    name: str, content: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(FileFormatError, match="no column 'text', 'query' or 'question'"):
        read_questions(tmp_path / name)


def test_a_comma_in_a_text_without_quotes_is_refused(tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text('q1,"apples, pears"\nq2,apples, pears\n', encoding="utf-8")
    with pytest.raises(FileFormatError, match="has 3 columns, expected two") as raised:
        read_questions(tmp_path / "q.csv")
    assert raised.value.line == 2


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("q.csv", 'question\nWhat is it?\n"Who, then?"\n'),
        ("q.csv", 'question,answer\n"Who, then?",\nWhat  is it?,\n'),
        ("q.csv", 'Question;Topic\r\n"Who, then?";a\r\nWhat is it?;b\r\n'),
        ("q.jsonl", '{"text": "Who, then?"}\n{"text": "What is it?"}\n'),
        ("q.json", '[{"query": "What is it?"}, {"query": " Who,\\tthen? "}]'),
    ],
)
def test_a_question_without_an_id_gets_the_same_one_in_any_file_and_order(
    name: str, content: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(content)
    ids = {" ".join(question.text.split()): question.id for question in read_questions(tmp_path / name)}
    assert ids == {question.text: stable_id(question.text) for question in TWO}
    assert ids["What is it?"] == "qbd480ffe8440"


def test_rows_that_repeat_a_question_without_id_are_read_once_and_told(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_text("question\nWhat is it?\nWhat  is it?\nWhy?\n")
    diagnostics = Diagnostics(path)
    assert [question.text for question in read_questions(path, diagnostics)] == ["What is it?", "Why?"]
    (remark,) = diagnostics.remarks
    assert remark.startswith("2 questions have no id and got one made from the text, such as q")
    assert remark.endswith("1 row repeats one of them.")


def test_composed_and_decomposed_letters_are_one_question() -> None:
    assert stable_id("caf\u00e9") == stable_id("cafe\u0301") != stable_id("cafe")
