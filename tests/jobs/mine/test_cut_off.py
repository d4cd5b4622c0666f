"""The cut-off of the similarity judge: chosen on labels, given, or a guess that is said to be one."""

from __future__ import annotations

import csv
import json
import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

import goldproof
from goldproof.errors import InputError
from goldproof.io import sha256_file
from goldproof.judge import SimilarityJudge, open_judge
from goldproof.records.entities import Document, Question

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy.typing as npt

    from goldproof.embed import Purpose

# Twelve pairs that are relevant at 0 to 55 degrees, twelve that are not at 60 to 115: the best cut-off lies between.
ANGLES = [5 * number for number in range(24)]
QUESTIONS = [Question(f"q{angle}", "0") for angle in ANGLES]
DOCUMENTS = [Document(f"d{angle}", str(angle)) for angle in ANGLES]
BETWEEN = round((math.cos(math.radians(55)) + math.cos(math.radians(60))) / 2, 4)  # (0.57358 + 0.5) / 2 = 0.5368


class Angles:
    """Embeds a text of digits at that angle, in degrees."""

    key = "angles-1"

    def embed(self, texts: Sequence[str], purpose: Purpose) -> npt.NDArray[np.float32]:  # noqa: ARG002
        angles = np.radians([float(text) for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def labels(path: Path, *, angles: Sequence[int] = ANGLES) -> str:
    rows = [(f"q{angle}", f"d{angle}", "?", "", str(angle), 2 if angle < 60 else angle % 2) for angle in angles]
    with path.open("w", encoding="utf-8-sig", newline="") as stream:
        csv.writer(stream, delimiter=";").writerows(
            [("query_id", "doc_id", "question", "title", "text", "grade"), *rows]
        )
    return str(path)


def mined(judge: SimilarityJudge) -> goldproof.MiningResult:
    return goldproof.mine(QUESTIONS, corpus=DOCUMENTS, judge=judge, random=2, hard=0)


def test_labels_of_people_choose_the_cut_off_halfway_between_the_kinds(tmp_path: Path) -> None:
    result = mined(SimilarityJudge(Angles(), labels=labels(tmp_path / "sheet.csv")))
    cut_off = result.card().settings["cut_off"]
    assert isinstance(cut_off, dict)
    assert cut_off["value"] == BETWEEN == 0.5368
    assert (cut_off["chosen"], cut_off["relevant"], cut_off["not_relevant"]) == ("people's labels", 12, 12)
    # Without the fold of 55 degrees the cut-off is at 50 or above, so that 55 is missed; 60 never gets through.
    assert cut_off["precision"] == 1.0
    assert 0.5 < cut_off["recall"] < 1.0
    assert "least=0.5368" in result.mined.judge
    assert result.card().inputs["labels"] == sha256_file(tmp_path / "sheet.csv")
    assert any(remark.startswith("similarity: the cut-off 0.5368 was chosen on 24 labels") for remark in result.remarks)
    labelled = {(q.question.id, d.id): d.standing for q in result.mined.questions for d in q.documents}
    for (_, document), standing in labelled.items():
        assert standing == ("positive" if int(document[1:]) < 60 else "negative")


def test_gold_documents_of_the_cases_choose_it_where_no_labels_are_given(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    samples = [
        {"id": f"s{number}", "question": "0", "ground_truth": "x", "gold_documents": [f"d{number}"]}
        for number in range(12)
    ]
    path.write_text("".join(json.dumps(sample) + "\n" for sample in samples))
    near = [Document(f"d{number}", str(number)) for number in range(12)]
    far = [Document(f"e{number}", str(90 + number)) for number in range(12)]
    result = goldproof.mine(path, corpus=near + far, judge=SimilarityJudge(Angles()), random=24, hard=0)
    cut_off = result.card().settings["cut_off"]
    assert isinstance(cut_off, dict)
    assert str(cut_off["chosen"]).startswith("gold documents of the cases")
    # every question has one gold document and 23 others
    assert (cut_off["relevant"], cut_off["not_relevant"]) == (12, 276)


def test_without_labels_or_with_few_it_is_said_to_be_a_guess(tmp_path: Path) -> None:
    result = mined(SimilarityJudge(Angles()))
    assert result.card().settings["cut_off"] == {"value": 0.7, "chosen": "guess", "relevant": 0, "not_relevant": 0}
    (remark,) = [remark for remark in result.remarks if "cut-off" in remark]
    assert remark.startswith("similarity: the cut-off 0.7 is a guess: there is no label to choose it by. Have people")
    few = mined(SimilarityJudge(Angles(), labels=labels(tmp_path / "sheet.csv", angles=[0, 5, 60])))
    (remark,) = [remark for remark in few.remarks if "cut-off" in remark]
    assert "2 relevant and 1 other pairs (people's labels) are too few, 10 of each are needed" in remark


def test_a_cut_off_that_is_given_stays() -> None:
    result = mined(SimilarityJudge(Angles(), least=0.9))
    assert result.card().settings["cut_off"] == {"value": 0.9, "chosen": "given"}
    assert not any("cut-off" in remark for remark in result.remarks)


def test_a_cut_off_and_labels_to_choose_it_are_not_given_together() -> None:
    with pytest.raises(InputError, match="give one of them"):
        open_judge("similarity#least=0.5,labels=sheet.csv")


def test_the_chosen_cut_off_is_the_one_with_which_a_folder_is_extended(tmp_path: Path) -> None:
    path = labels(tmp_path / "sheet.csv")
    texts = [
        Document(f"d{angle}", f"the number {angle} of {'right' if angle < 60 else 'wrong'} things") for angle in ANGLES
    ]
    asked = [Question(f"q{angle}", "What are right things?") for angle in ANGLES]
    result = goldproof.mine(asked, corpus=texts, judge=f"similarity#labels={path}", random=2, hard=0)
    spec = result.mined.judge_spec
    assert spec is not None
    assert spec.startswith("similarity#least=")
    assert open_judge(spec).key == result.mined.judge
