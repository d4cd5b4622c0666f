"""BEIR folders: splits, queries, kernels, unanswerable questions, the corpus on demand."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from goldproof.errors import FileFormatError, UnknownNameError
from goldproof.io import read_dataset, read_documents, read_judgments
from goldproof.jobs.validate import validate_file

if TYPE_CHECKING:
    from pathlib import Path

QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\n"
GRADE_0 = "but has grade 0 in the judgments, expected 1 or more."
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
    line = '{"query_id": "q1", "kernels": [["d1"], ["d3", "d4"]]}\n'
    dataset = read_dataset(folder(tmp_path, **{"kernels.jsonl": line}))
    assert dataset.judgments.kernels == {"q1": (("d1",), ("d3", "d4"))}


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
    "answerable and not": (
        "queries.jsonl",
        '{"_id": "a", "answerable": true, "metadata": {"answerable": false}}\n',
        "answerable is true at the top but false in 'metadata'.",
    ),
    "kernel document of grade 0": (
        "kernels.jsonl",
        '{"query_id": "q1", "kernels": [["d1"], ["d3", "d2"]]}\n',
        "document 'd2' is in a kernel of query 'q1', but has grade 0 in the judgments, expected 1 or more.",
    ),
    "kernels of a question that nobody asks": (
        "kernels.jsonl",
        '{"query_id": "q7", "kernels": [["d1"]]}\n',
        "query 'q7' has kernels, but is neither in queries.jsonl nor in any qrels.",
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


def test_an_unanswerable_question_has_no_kernel(tmp_path: Path) -> None:
    kernels = '{"query_id": "q1", "kernels": [["d1"]]}\n{"query_id": "q2", "kernels": [["d1"]]}\n'
    error = refusal(folder(tmp_path, **{"queries.jsonl": QUERIES, "kernels.jsonl": kernels}))
    assert str(error) == (
        f"{tmp_path}/kernels.jsonl:2: query 'q2' is marked unanswerable, but has a kernel."
        "\n  Correct the mark in queries.jsonl, or remove the kernel."
    )


def test_kernels_of_unjudged_questions_and_of_other_splits_are_no_strangers(tmp_path: Path) -> None:
    lines = [f'{{"query_id": "{name}", "kernels": [["d1"]]}}\n' for name in ("q1", "asked", "elsewhere")]
    parts = {"queries.jsonl": '{"_id": "asked"}\n', "qrels/dev.tsv": "elsewhere\td1\t1\n"}
    path = folder(tmp_path, **{"kernels.jsonl": "".join(lines)}, **parts)
    assert set(read_dataset(path).judgments.kernels) == {"q1"}
    assert validate_file(path).ok


def test_validate_lists_the_contradictions_of_all_splits(tmp_path: Path) -> None:
    queries = (
        '{"_id": "q1", "answerable": true, "metadata": {"answerable": false}}\n{"_id": "q2", "answerable": false}\n'
    )
    kernels = [("q1", "d2"), ("q7", "d1"), ("q9", "d9"), ("q2", "d1")]
    parts = {
        "queries.jsonl": queries,
        "qrels/dev.tsv": "q9\td9\t0\nq2\td1\t0\n",
        "kernels.jsonl": "".join(f'{{"query_id": "{q}", "kernels": [["{d}"]]}}\n' for q, d in kernels),
    }
    found = validate_file(folder(tmp_path, **parts))
    assert [(f.line, f.problem.removeprefix(f"{tmp_path}/")) for f in found.findings] == [
        (1, "queries.jsonl: answerable is true at the top but false in 'metadata'."),
        (1, f"kernels.jsonl: document 'd2' is in a kernel of query 'q1', {GRADE_0}"),
        (2, "kernels.jsonl: query 'q7' has kernels, but is neither in queries.jsonl nor in any qrels."),
        (3, f"kernels.jsonl: document 'd9' is in a kernel of query 'q9', {GRADE_0}"),
        (4, "kernels.jsonl: query 'q2' is marked unanswerable, but has a kernel."),
        (4, f"kernels.jsonl: document 'd1' is in a kernel of query 'q2', {GRADE_0}"),
    ]


def test_a_document_occurs_once_in_the_corpus(tmp_path: Path) -> None:
    path = folder(tmp_path, **{"corpus.jsonl": '{"_id": "d1"}\n{"_id": "d2"}\n{"_id": "d1"}\n'})
    assert (refusal(path, documents=True).line, refusal(path, documents=True).problem) == (
        3,
        "document 'd1' occurs twice.",
    )
    found = validate_file(path)
    assert [(f.line, f.problem) for f in found.findings] == [(3, f"{path}/corpus.jsonl: document 'd1' occurs twice.")]
    assert found.counts["documents"] == 2
