"""Labels that `goldproof mine` made: eval names the judge, and qualifies what an automated score decided."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

import goldproof
from goldproof import Document, Question

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.jobs.evaluate import EvaluationResult

DOCUMENTS = [
    Document("retry", "a failed call is tried again with a retry plugin"),
    Document("runner", "the runner gives back an event stream"),
    Document("tool", "a tool wraps a function"),
]
QUESTIONS = [
    Question("q1", "failed call tried again", answer="retry plugin"),
    Question("q2", "runner event stream", answer="event stream"),
]


def mined(folder: Path, judge: str) -> Path:
    return goldproof.mine(QUESTIONS, corpus=DOCUMENTS, judge=judge).save(folder)


def compared(judgments: Path) -> EvaluationResult:
    return goldproof.evaluate(judgments, retrievers={"words": "bm25", "two": "bm25 | top(2)"}, metrics="RR")


def test_the_conclusion_and_the_first_note_name_an_automated_score_and_whom_it_favours(tmp_path: Path) -> None:
    result = compared(mined(tmp_path / "mined", "keyword") / "beir")
    assert result.conclusion.endswith(" (labels: keyword judge, an automated score that favours words and two).")
    assert result.notes[0].kind == "limits"
    assert result.notes[0].text.startswith(
        "Labels come from the judge `keyword`, an automated score of shared words: it favours retrievers by words, "
        "here words, two. Check it on labels of people (goldproof judge calibrate)"
    )
    # once, and in JSON too
    assert sum("Labels come from" in note.text for note in result.notes) == 1
    assert json.dumps(result.to_dict()).count("Labels come from the judge `keyword`") == 1
    assert result.gated("RR < 0.1").broken_down(None).conclusion == result.conclusion


@pytest.mark.parametrize("part", [".", "beir", "retrieval_dataset.yaml"])
def test_every_way_into_a_mined_folder_knows_the_judge(tmp_path: Path, part: str) -> None:
    assert "keyword judge" in compared(mined(tmp_path, "keyword") / part).conclusion


def test_a_copy_of_the_beir_folder_and_its_qrels_alone_know_the_judge(tmp_path: Path) -> None:
    copy = shutil.copytree(mined(tmp_path / "mined", "keyword") / "beir", tmp_path / "elsewhere" / "copy")
    assert "keyword judge" in compared(copy).conclusion
    run = {"q1": ["retry"], "q2": ["tool", "runner"]}
    of_file = goldproof.evaluate(copy / "qrels" / "test.tsv", run, metrics="RR")
    # how a run that was given ranks is not known
    assert of_file.conclusion.endswith(" (labels: keyword judge, an automated score).")
    assert "it favours retrievers by words such as bm25." in of_file.notes[0].text


def test_a_judge_that_is_no_score_is_named_without_a_limit(tmp_path: Path) -> None:
    result = compared(mined(tmp_path, "answer"))
    assert "judge" not in result.conclusion
    assert ("Labels come from the judge `answer`.", "data") in result.notes


def test_labels_of_ones_own_beside_a_mined_dataset_are_not_the_judges(tmp_path: Path) -> None:
    own = mined(tmp_path, "keyword") / "beir" / "qrels" / "people.tsv"
    own.write_text("query-id\tcorpus-id\tscore\nq1\tretry\t1\n")
    result = goldproof.evaluate(own, {"q1": ["retry"]}, metrics="RR")
    assert not any("Labels come from" in note.text for note in result.notes)


def test_a_card_of_another_tool_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "card.json").write_text("[]")
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\tretry\t1\n")
    assert goldproof.evaluate(tmp_path / "qrels.tsv", {"q1": ["retry"]}, metrics="RR").labels is None
