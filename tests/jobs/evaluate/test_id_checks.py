"""Runs whose ids are not those that were judged: refused, left out or without a verdict, never "worse"."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import goldproof
from goldproof.errors import IdMismatchError
from goldproof.records.entities import Document
from goldproof.records.tables import JudgmentTable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

N = 30
QRELS = {f"q{i}": {f"guide{i}": 1, f"faq{i}": 0} for i in range(N)}
QRELS_TABLE = JudgmentTable.from_dict(QRELS)
GOOD = {f"q{i}": [f"guide{i}", f"faq{i}"] for i in range(N)}


def run_of(name: Callable[[int], str]) -> dict[str, list[str]]:
    return {f"q{i}": [name(i)] for i in range(N)}


def test_a_run_without_a_shared_id_gets_no_verdict_and_the_note_shows_both_sides() -> None:
    # Before, its mean of 0 was "worse", p < .001.
    result = goldproof.evaluate(QRELS, runs={"good": GOOD, "other": run_of(lambda i: f"node{i:04x}")}, metrics="RR")
    (comparison,) = result.study.comparisons
    assert result.mean("RR", "other") == 0
    assert (comparison.verdict, comparison.reason, comparison.p_adjusted) == ("undecided", "ids", None)
    assert comparison.to_dict()["significant"] is False
    (note,) = [remark for remark in result.remarks if remark.startswith("other:")]
    assert "none of its 30 document ids occurs in the judgments, so it gets no verdict" in note
    assert "Run: 'node0000', 'node0001', 'node0002'. Judgments: 'faq0', 'faq1', 'faq10'." in note


def test_a_foreign_run_costs_the_others_no_correction() -> None:
    worse = {f"q{i}": [f"faq{i}", f"guide{i}"] for i in range(N)}
    runs = {"good": GOOD, "worse": worse, "other": run_of(lambda i: f"node{i:04x}")}
    result = goldproof.evaluate(QRELS, runs=runs, metrics="RR")
    assert [(c.pair.a, c.verdict) for c in result.study.comparisons] == [("worse", "worse"), ("other", "undecided")]
    assert result.study.family_size() == 1


@pytest.mark.parametrize(
    ("name", "without"),
    [
        (lambda i: f"docs/guide{i}", "path"),
        (lambda i: f"C:\\docs\\guide{i}", "path"),
        (lambda i: f"guide{i}.md", "file extension"),
        (lambda i: f"guide{i}#3", "chunk suffix"),
        (lambda i: f"guide{i}::12", "chunk suffix"),
        (lambda i: f"guide{i}_chunk_3", "chunk suffix"),
        (lambda i: f"guide{i} chunk 3", "chunk suffix"),
        (lambda i: f"guide{i}-0", "chunk suffix"),
        (lambda i: f"guide{i}:100-250", "chunk suffix"),
        (lambda i: f"guide{i}#L10-L20", "chunk suffix"),
        (lambda i: f"docs/guide{i}.md", "path and file extension"),
        (lambda i: f"docs/guide{i}#1", "path and chunk suffix"),
        (lambda i: f"guide{i}.md#1", "file extension and chunk suffix"),
        (lambda i: f"docs/a/guide{i}.html#part-2", "path, file extension and chunk suffix"),
    ],
)
def test_ids_that_match_without_a_part_are_refused(name: Callable[[int], str], without: str) -> None:
    with pytest.raises(IdMismatchError, match=f"but they match without the {without}\\."):
        goldproof.evaluate(QRELS, run_of(name), metrics="RR")


def test_judgments_of_chunks_and_a_run_of_whole_documents_are_refused_too() -> None:
    chunks = {f"q{i}": {f"guide{i}#{i % 3}": 1} for i in range(N)}
    with pytest.raises(IdMismatchError, match="match without the chunk suffix"):
        goldproof.evaluate(chunks, run_of(lambda i: f"guide{i}"), metrics="RR")


def test_numbered_ids_of_one_collection_are_not_chunks_of_each_other() -> None:
    # doc-1 and doc-101 are two documents: a total miss, not another spelling of the same.
    qrels = {f"q{i}": {f"doc-{i}": 1} for i in range(N)}
    result = goldproof.evaluate(qrels, run_of(lambda i: f"doc-{i + 100}"), metrics="RR")
    assert result.mean("RR") == 0


def test_a_number_behind_a_path_is_no_name() -> None:
    # 2019/7 and 2020/7 are two documents: no verdict, but not refused
    qrels = {f"q{i}": {f"2019/{i}": 1} for i in range(N)}
    assert goldproof.evaluate(qrels, run_of(lambda i: f"2020/{i}"), metrics="RR").mean("RR") == 0


def test_the_ids_shown_are_some_that_match() -> None:
    qrels = {"q": {"aaa": 1, "bbb": 1, "guide7": 1}}
    with pytest.raises(IdMismatchError, match=r"Run: 'docs/guide7'\. Judgments: 'guide7'\."):
        goldproof.evaluate(qrels, {"q": ["docs/guide7"]}, metrics="RR")


def test_a_total_miss_among_judged_documents_keeps_its_verdict() -> None:
    miss = {f"q{i}": [f"guide{(i + 1) % N}"] for i in range(N)}  # judged, for other questions
    result = goldproof.evaluate(QRELS, runs={"good": GOOD, "miss": miss}, metrics="RR", unjudged="ignore")
    assert result.study.comparisons[0].verdict == "worse"


def test_of_several_runs_the_foreign_one_is_left_out_and_named() -> None:
    runs = {"good": GOOD, "same": GOOD, "bad": run_of(lambda i: f"docs/guide{i}.md")}
    result = goldproof.evaluate(QRELS, runs=runs, metrics="RR")
    assert result.study.panel.runs == ("good", "same")
    assert list(result.left_out) == ["bad"]
    assert "Left out: run 'bad': none of its 30 document ids is judged" in str(result)
    assert result.to_dict()["left_out"] == result.left_out


def test_a_gate_on_a_run_that_was_left_out_does_not_hold() -> None:
    runs = {"good": GOOD, "bad": run_of(lambda i: f"docs/guide{i}.md")}
    gates = ["RR bad < 0.1", "RR worse", "RR < 0.1", "RR good < 0.1"]
    result = goldproof.evaluate(QRELS, runs=runs, metrics="RR").gated(gates)
    assert [gate.failures for gate in result.gates] == [("bad was left out",)] * 3 + [()]


def test_runs_whose_baseline_was_left_out_are_said_to_be_uncompared() -> None:
    runs = {"bad": run_of(lambda i: f"docs/guide{i}.md"), "good": GOOD, "same": GOOD}
    result = goldproof.evaluate(QRELS, runs=runs, metrics="RR")
    assert not result.study.comparisons
    said = "good and same: not compared, since the baseline was left out; name another with --baseline."
    assert said in result.remarks


def test_an_empty_run_is_refused_or_left_out_and_never_worse() -> None:
    with pytest.raises(IdMismatchError, match="run 'run' is empty"):
        goldproof.evaluate(QRELS, {}, metrics="RR")
    assert list(goldproof.evaluate(QRELS, runs={"good": GOOD, "empty": {}}, metrics="RR").left_out) == ["empty"]


def test_runs_that_are_all_foreign_are_refused() -> None:
    runs = {"a": run_of(lambda i: f"docs/guide{i}.md"), "b": {"other": ["guide1"]}}
    with pytest.raises(IdMismatchError, match=r"run 'a': none of its .*\n.*\nrun 'b' has none of the judged questions"):
        goldproof.evaluate(QRELS, runs=runs, metrics="RR")


def test_a_dataset_whose_documents_are_all_judged_is_no_corpus() -> None:
    judged = tuple(Document(document, "") for documents in QRELS.values() for document in documents)
    dataset = goldproof.Dataset("mined", QRELS_TABLE, documents=judged)
    assert goldproof.evaluate(dataset, run_of(lambda i: f"node{i}"), metrics="RR").mean("RR") == 0


@pytest.mark.parametrize(("known", "refused"), [(1, True), (2, False)])
def test_of_a_known_corpus_a_run_must_name_a_twentieth(known: int, refused: bool) -> None:
    # 30 ids: 1 of them is 3.3%, 2 are 6.7%
    documents = tuple(Document(f"guide{i}", "") for i in range(N)) + tuple(Document(f"extra{i}", "") for i in range(9))
    dataset = goldproof.Dataset("folder", QRELS_TABLE, documents=documents)
    run = run_of(lambda i: f"extra{i}" if i < known else f"node{i}")
    if not refused:
        assert goldproof.evaluate(dataset, run, metrics="RR").mean("RR") == 0
        return
    with pytest.raises(IdMismatchError, match=r"1 of its 30 document ids are in the corpus, fewer than 5%") as error:
        goldproof.evaluate(dataset, run, metrics="RR")
    assert "Run: 'node1', 'node10', 'node11'. Corpus: 'extra0', 'extra1', 'extra2'." in str(error.value)


def beir(folder: Path) -> Path:
    (folder / "qrels").mkdir(parents=True)
    rows = [f"{q}\t{d}\t{grade}" for q, documents in QRELS.items() for d, grade in documents.items()]
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + "\n".join(rows) + "\n")
    texts = [{"_id": f"guide{i}", "text": f"guide number {i}"} for i in range(N)] + [{"_id": "more", "text": "more"}]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(text) + "\n" for text in texts))
    questions = [{"_id": f"q{i}", "text": f"number {i}"} for i in range(N)]
    (folder / "queries.jsonl").write_text("".join(json.dumps(one) + "\n" for one in questions))
    return folder


def trec(path: Path, name: Callable[[int], str]) -> Path:
    path.write_text("".join(f"q{i} Q0 {name(i)} 1 1.0 t\n" for i in range(N)))
    return path


def test_a_folders_corpus_is_looked_at_even_where_only_run_files_are_scored(tmp_path: Path) -> None:
    run = trec(tmp_path / "run.trec", lambda i: f"faq{i}")  # judged, but not in the corpus
    with pytest.raises(IdMismatchError, match="0 of its 30 document ids are in the corpus"):
        goldproof.evaluate(beir(tmp_path / "beir"), run, metrics="RR")


def test_a_known_corpus_says_what_the_ids_lack_too(tmp_path: Path) -> None:
    run = trec(tmp_path / "run.trec", lambda i: f"docs/guide{i}.md")
    with pytest.raises(IdMismatchError, match="fewer than 5%: they match without the path and file extension"):
        goldproof.evaluate(beir(tmp_path / "beir"), run, metrics="RR")


def test_a_damaged_line_of_the_corpus_does_not_stop_scoring(tmp_path: Path) -> None:
    folder = beir(tmp_path / "beir")
    with (folder / "corpus.jsonl").open("a") as corpus:
        corpus.write("{not json\n")
    run = trec(tmp_path / "run.trec", lambda i: f"guide{i}" if i == N - 1 else f"node{i}")
    with pytest.raises(IdMismatchError, match="1 of its 30 document ids are in the corpus"):
        goldproof.evaluate(folder, run, metrics="RR")


def test_what_retrievers_searched_is_the_corpus_if_it_was_judged() -> None:
    documents = [Document(f"guide{i}", f"guide number {i}") for i in range(N)]
    questions = {f"q{i}": f"guide number {i}" for i in range(N)}

    def elsewhere(query: str, k: int) -> list[str]:
        return [f"node-{query.rsplit(maxsplit=1)[-1]}"][:k]

    runs = {"bm25": "bm25", "elsewhere": elsewhere}
    result = goldproof.evaluate(QRELS, retrievers=runs, corpus=documents, questions=questions, metrics="RR")
    assert list(result.left_out) == ["elsewhere"]
    assert "0 of its 30 document ids are in the corpus" in result.left_out["elsewhere"]


def test_a_corpus_of_other_chunks_is_refused_by_what_its_ids_lack() -> None:
    documents = [Document(f"docs/guide{i}.md", f"guide number {i}") for i in range(N)]
    questions = {f"q{i}": f"guide number {i}" for i in range(N)}
    with pytest.raises(IdMismatchError, match="match without the path and file extension"):
        goldproof.evaluate(QRELS, retrievers={"bm25": "bm25"}, corpus=documents, questions=questions, metrics="RR")
