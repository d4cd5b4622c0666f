"""The questions that cost most: the same scores as the evaluation, ordered, with the document that was missed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import goldproof
from goldproof.errors import InputError, UnknownNameError
from goldproof.jobs.evaluate import explain_losses, explain_question
from goldproof.report import render

if TYPE_CHECKING:
    from pathlib import Path

DOCUMENTS = {
    "d1": ("Sails", "A sail is " + "red " * 60),
    "d2": ("Engines", "The engine is a diesel."),
    "d3": ("", "An anchor weighs 40 kg."),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A BEIR folder: q1 has d1 (grade 2) and d2 (1), q2 has d3, q3 has nothing relevant, q4 has d1."""
    rows = [{"_id": name, "title": title, "text": text} for name, (title, text) in DOCUMENTS.items()]
    (tmp_path / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    asked = {"q1": "What colour is the sail?", "q2": "How heavy?", "q3": "Who?", "q4": "And the sail of the boat?"}
    (tmp_path / "queries.jsonl").write_text(
        "".join(json.dumps({"_id": name, "text": text}) + "\n" for name, text in asked.items())
    )
    (tmp_path / "qrels").mkdir()
    judged = "q1\td1\t2\nq1\td2\t1\nq2\td3\t1\nq3\td1\t0\nq4\td1\t1\n"
    (tmp_path / "qrels" / "test.tsv").write_text(f"query-id\tcorpus-id\tscore\n{judged}")
    return tmp_path


BASE = {
    "q1": {"d1": 3.0, "d2": 2.0, "d3": 1.0},
    "q2": {"d1": 2.0, "d3": 1.0},
    "q3": {"d1": 1.0},
    "q4": {"d1": 1.0},
}
NEW = {
    "q1": {"d3": 3.0, "d2": 2.0},  # d1 is missed
    "q2": {"d3": 2.0, "d1": 1.0},  # better
    "q3": {"d2": 1.0},
    "q4": {"d2": 2.0, "d1": 1.0},  # d1 falls from rank 1 to 2
}


def test_questions_are_ordered_by_what_they_cost_and_name_the_document_that_was_missed(folder: Path) -> None:
    found = explain_losses(folder, runs={"base": BASE, "new": NEW}, metrics="RR@10", losses=5)
    (run,) = found.runs
    # RR: base 1, 1/2, -, 1; new 1/2, 1, -, 1/2. q1 and q4 lose 0.5 each: 2 * 0.5 / 3 scored questions = 0.3333.
    assert [(loss.question, loss.baseline, loss.score) for loss in run.losses] == [("q1", 1.0, 0.5), ("q4", 1.0, 0.5)]
    assert [loss.missed for loss in run.losses] == [("d1", 2, None, 1), ("d1", 1, 2, 1)]
    assert (run.questions, run.lower, run.higher, run.not_scored) == (3, 2, 1, 1)
    assert run.cost == pytest.approx(1 / 3)
    assert found.conclusion == (
        "new is below base on 2 of 3 questions (above on 1, equal on 0) by RR@10; these 2 cost 0.3333 of its mean."
    )


def test_differences_are_those_of_the_evaluation(folder: Path) -> None:
    scored = goldproof.evaluate(folder, runs={"base": BASE, "new": NEW}, metrics="nDCG@10").study.panel
    values = {run: scored.columns[run, "nDCG@10"].value for run in ("base", "new")}
    difference = dict(zip(scored.ids.to_list(), values["new"] - values["base"], strict=True))
    (run,) = explain_losses(folder, runs={"base": BASE, "new": NEW}).runs
    assert {loss.question: loss.difference for loss in run.losses} == {
        question: pytest.approx(value) for question, value in difference.items() if value < 0
    }


def test_a_metric_that_sees_two_results_has_missed_what_stands_third(folder: Path) -> None:
    deep = {**BASE, "q1": {"d3": 3.0, "d2": 2.0, "d1": 1.0}}
    (run,) = explain_losses(folder, runs={"base": BASE, "deep": deep}, metrics="R@2").runs
    assert [loss.missed for loss in run.losses] == [("d1", 2, 3, 1)]


def test_a_single_run_is_shown_by_its_lowest_scores(folder: Path) -> None:
    found = explain_losses(folder, runs={"new": {**NEW, "q2": {"d1": 1.0}}}, metrics="RR@10", losses=2)
    (run,) = found.runs
    assert [(loss.question, loss.score, loss.difference) for loss in run.losses] == [
        ("q2", 0.0, None),
        ("q1", 0.5, None),
    ]
    assert [loss.missed and loss.missed.document for loss in run.losses] == ["d3", "d1"]
    assert found.conclusion == "new scores 0 on 1 of 3 questions by RR@10; these are its lowest."


def test_each_other_run_has_a_table_against_the_baseline_that_is_named(folder: Path) -> None:
    found = explain_losses(folder, runs={"new": NEW, "base": BASE, "same": BASE}, metrics="RR@10", baseline="base")
    assert [(run.run, len(run.losses)) for run in found.runs] == [("new", 2), ("same", 0)]
    assert found.conclusion.endswith("same is below base on 0 of 3 questions (above on 0, equal on 3) by RR@10.")


def test_what_cannot_be_meant_is_refused_in_one_sentence(folder: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"unknown run 'bas'; did you mean 'base'\?"):
        explain_losses(folder, runs={"base": BASE, "new": NEW}, baseline="bas")
    with pytest.raises(InputError, match="give another run to compare with it"):
        explain_losses(folder, runs={"base": BASE}, baseline="base")
    with pytest.raises(InputError, match=r"by one metric; found 2: RR@10, R@5\."):
        explain_losses(folder, runs={"base": BASE}, metrics="RR@10,R@5")


def test_tables_fit_a_terminal_and_cut_texts_but_no_ids(folder: Path) -> None:
    found = explain_losses(folder, runs={"a-rather-long-name": BASE, "another-long-name": NEW}, metrics="RR@10")
    text = render(found.tables()[0])
    assert max(map(len, text.splitlines())) <= 100
    assert "And the sail" in text
    assert "And the sail of the ship" not in text
    explained = explain_question(folder, "q1", runs={"base": BASE, "new": NEW}, metrics="RR@10")
    tables = [explained.judgments_table(), explained.results_table("base"), explained.results_table("new")]
    assert max(len(line) for table in tables for line in render(table).splitlines()) <= 100
    # 100 - (15 + 5 + 12 + 11 and 2 between each) = 49 characters are left for the text
    assert tables[0].rows[0] == ("d1", "2", "1", "–", "Sails: A sail is red red red red red red red r...")


def test_a_question_is_explained_with_titles_and_what_each_run_found(folder: Path) -> None:
    explained = explain_question(folder, "q1", runs={"base": BASE, "new": NEW}, metrics="RR@10")
    assert explained.conclusion == (
        "base found 2 of 2 relevant documents in its first 10, at ranks 1 and 2; new found 1 of 2, at rank 2."
    )
    assert explained.to_dict()["documents"] == {
        "d1": {"title": "Sails", "snippet": f"{DOCUMENTS['d1'][1][:197]}..."},
        "d2": {"title": "Engines", "snippet": "The engine is a diesel."},
        "d3": {"title": "", "snippet": "An anchor weighs 40 kg."},
    }
    nothing = explain_question(folder, "q3", runs={"base": BASE}, metrics="RR@10")
    assert nothing.conclusion == "No document is judged relevant, so that no run can find one."
    far = explain_question(folder, "q2", runs={"far": {"q2": {f"x{i}": 20.0 - i for i in range(11)} | {"d3": 1.0}}})
    assert far.conclusion == ("far found none of 1 relevant document in its first 10 (the first stands at rank 12).")


def test_texts_of_bare_qrels_come_from_a_corpus_and_a_file_of_questions(folder: Path) -> None:
    qrels = folder / "qrels" / "test.tsv"
    bare = explain_question(qrels, "q1", runs={"base": BASE}, metrics="RR@10")
    assert [heading.name for heading in bare.results_table("base").headings] == ["rank", "document", "score", "grade"]
    known = explain_question(
        qrels,
        "q1",
        runs={"base": BASE},
        metrics="RR@10",
        corpus=f"jsonl:{folder / 'corpus.jsonl'}",
        questions=folder / "queries.jsonl",
    )
    assert known.text == "What colour is the sail?"
    assert known.results_table("base").rows[1][-1] == "Engines: The engine is a diesel."


def test_a_folder_without_documents_is_explained_without_titles(folder: Path) -> None:
    (folder / "corpus.jsonl").unlink()
    explained = explain_question(folder, "q1", runs={"base": BASE}, metrics="RR@10")
    assert [heading.name for heading in explained.results_table("base").headings][-1] == "grade"
    assert any("titles and snippets are not shown" in remark for remark in explained.remarks)


@pytest.mark.parametrize("metric", ["FalseSurface@5", "NumRet"])
def test_a_metric_of_which_more_is_not_better_orders_no_losses(folder: Path, metric: str) -> None:
    with pytest.raises(InputError, match="of which more is better"):
        explain_losses(folder, runs={"base": BASE, "new": NEW}, metrics=metric)
