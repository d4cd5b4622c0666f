"""BEIR folders: splits, queries, kernels, unanswerable questions, the corpus on demand."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from karat.core.errors import FileFormatError, UnknownNameError
from karat.io import read_dataset, read_documents, read_judgments

if TYPE_CHECKING:
    from pathlib import Path

QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\n"
QUERIES = """\
{"_id": "q1", "text": "What is a kernel?", "metadata": {"cluster": "maths", "source": "book"}}
{"_id": "q2", "text": "Who was it?", "answerable": false, "cluster": "people"}
{"_id": "q3", "text": "When?", "metadata": {"answerable": false}}
"""


def folder(path: Path, **files: str) -> Path:
    for name, text in ({"qrels/test.tsv": QRELS} | {k.replace("__", "/"): v for k, v in files.items()}).items():
        target = path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return path


def refusal(path: Path, *, documents: bool = False) -> FileFormatError:
    with pytest.raises(FileFormatError) as raised:
        read_dataset(path, documents=documents)
    return raised.value


def test_a_folder_of_qrels_alone_is_a_dataset(tmp_path: Path) -> None:
    dataset = read_dataset(folder(tmp_path / "tiny"))
    assert dataset.name == "tiny"
    assert dataset.judgments.to_dict() == {"q1": {"d1": 2, "d2": 0}}
    assert (dataset.questions, dataset.documents) == ((), ())


def test_queries_carry_clusters_metadata_and_the_mark_of_the_unanswerable(tmp_path: Path) -> None:
    dataset = read_dataset(folder(tmp_path, **{"queries.jsonl": QUERIES}))
    assert [q.id for q in dataset.questions] == ["q1", "q2", "q3"]
    assert dataset.judgments.unanswerable == {"q2", "q3"}
    assert dataset.clusters() == {"q1": "maths", "q2": "people"}
    assert dataset.clusters("source") == {"q1": "book"}


def test_kernels_are_alternatives_of_sets(tmp_path: Path) -> None:
    line = '{"query_id": "q1", "kernels": [["d1"], ["d2", "d3"]]}\n'
    dataset = read_dataset(folder(tmp_path, **{"kernels.jsonl": line}))
    assert dataset.judgments.kernels == {"q1": (("d1",), ("d2", "d3"))}


def test_the_corpus_is_read_only_on_demand(tmp_path: Path) -> None:
    path = folder(tmp_path, **{"corpus.jsonl": "this is not JSON\n"})
    assert read_dataset(path).documents == ()
    assert refusal(path, documents=True).line == 1


def test_documents_may_be_gzipped_and_lack_a_title(tmp_path: Path) -> None:
    path = folder(tmp_path)
    lines = '{"_id": "d1", "title": "One", "text": "eins"}\n{"_id": 2, "text": "zwei", "title": null}\n'
    (path / "corpus.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    documents = read_dataset(path, documents=True).documents
    assert [(d.id, d.title, d.text) for d in documents] == [("d1", "One", "eins"), ("2", "", "zwei")]
    assert tuple(read_documents(path / "corpus.jsonl.gz")) == documents


def test_a_folder_without_corpus_says_so_when_texts_are_asked_for(tmp_path: Path) -> None:
    error = refusal(folder(tmp_path), documents=True)
    assert error.problem == "holds no corpus.jsonl, so it has no texts of documents."


def test_the_only_split_is_taken_whatever_its_name(tmp_path: Path) -> None:
    folder(tmp_path)
    (tmp_path / "qrels" / "test.tsv").rename(tmp_path / "qrels" / "dev.tsv")
    assert read_judgments(tmp_path).to_dict() == {"q1": {"d1": 2, "d2": 0}}


def test_of_several_splits_test_is_taken_unless_one_is_named(tmp_path: Path) -> None:
    folder(tmp_path, **{"qrels/dev.tsv": "q9\td9\t1\n"})
    assert list(read_judgments(tmp_path).questions) == ["q1"]
    assert list(read_judgments(tmp_path, split="dev").questions) == ["q9"]


def test_several_splits_without_test_must_be_picked_from(tmp_path: Path) -> None:
    folder(tmp_path, **{"qrels/dev.tsv": QRELS, "qrels/train.tsv": QRELS})
    (tmp_path / "qrels" / "test.tsv").unlink()
    assert str(refusal(tmp_path)) == (
        f"{tmp_path}: has several splits (dev, train), none of them 'test'.\n  Pick one with --split."
    )


def test_an_unknown_split_is_refused_with_near_names(tmp_path: Path) -> None:
    folder(tmp_path, **{"qrels/train.tsv": QRELS})
    with pytest.raises(UnknownNameError) as raised:
        read_dataset(tmp_path, split="tset")
    assert str(raised.value) == f"unknown split in {tmp_path} 'tset'; did you mean 'test'?"


BAD_PARTS = {
    "query without id": ("queries.jsonl", '{"text": "x"}\n', "no key '_id'."),
    "query twice": ("queries.jsonl", '{"_id": "a"}\n{"_id": "a"}\n', "query 'a' occurs twice."),
    "answerable is a word": (
        "queries.jsonl",
        '{"_id": "a", "answerable": "no"}\n',
        "answerable is 'no', expected true or false.",
    ),
    "text is a number": ("queries.jsonl", '{"_id": "a", "text": 3}\n', "key 'text' is not text."),
    "metadata is a list": ("queries.jsonl", '{"_id": "a", "metadata": []}\n', "key 'metadata' is not an object."),
    "unanswerable with a relevant document": (
        "queries.jsonl",
        '{"_id": "q1", "answerable": false}\n',
        "query 'q1' is marked unanswerable, but the judgments hold a relevant document for it.",
    ),
    "kernels missing": (
        "kernels.jsonl",
        '{"query_id": "q1"}\n',
        "key 'kernels' is missing or not a list, expected [[doc_id, ...], ...].",
    ),
    "kernel is flat": (
        "kernels.jsonl",
        '{"query_id": "q1", "kernels": ["d1"]}\n',
        "kernel 1 is not a list of document ids.",
    ),
    "kernel is empty": (
        "kernels.jsonl",
        '{"query_id": "q1", "kernels": [["a"], []]}\n',
        "kernel 2 is not a list of document ids.",
    ),
    "kernel repeats": (
        "kernels.jsonl",
        '{"query_id": "q1", "kernels": [["a", "a"]]}\n',
        "kernel 1 names a document twice.",
    ),
    "kernels twice": (
        "kernels.jsonl",
        '{"query_id": "q1", "kernels": [["a"]]}\n{"query_id": "q1", "kernels": [["b"]]}\n',
        "query 'q1' occurs twice.",
    ),
}


@pytest.mark.parametrize("name", BAD_PARTS)
def test_bad_parts_are_refused_by_name(name: str, tmp_path: Path) -> None:
    file, text, problem = BAD_PARTS[name]
    error = refusal(folder(tmp_path, **{file: text}))
    assert (error.path, error.problem) == (str(tmp_path / file), problem)
