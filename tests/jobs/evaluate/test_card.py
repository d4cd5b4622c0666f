"""What tells two evaluations apart is on the card."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof import evaluate
from goldproof.errors import ConflictError, InputError
from goldproof.records.entities import Document

if TYPE_CHECKING:
    from pathlib import Path

CORPUS = [Document("d1", "a text")]
RUN = {"q1": ["d1", "d3"]}


@pytest.fixture
def qrels(tmp_path: Path) -> Path:
    path = tmp_path / "q.qrels"
    path.write_text("q1 0 d1 1\nq1 0 d2 1\n")
    return path


def test_files_are_named_by_their_sha256_and_objects_by_their_content(qrels: Path) -> None:
    of_file = evaluate(qrels, RUN, metrics="RR@10").card().inputs
    assert sorted(of_file) == ["judgments q.qrels", "run run"]
    of_objects = evaluate({"q1": {"d1": 1, "d2": 1}}, RUN, metrics="RR@10").card().inputs
    assert sorted(of_objects) == ["judgments", "run run"]
    assert of_file["run run"] == of_objects["run run"]


def test_other_kernels_beside_a_file_are_another_evaluation(qrels: Path, tmp_path: Path) -> None:
    one = evaluate(qrels, RUN, kernels={"q1": [["d1"]]}, metrics="SetSuccess@2")
    other = evaluate(qrels, RUN, kernels={"q1": [["d1", "d2"]]}, metrics="SetSuccess@2")
    assert (one.mean("SetSuccess@2"), other.mean("SetSuccess@2")) == (1.0, 0.0)
    one.save(tmp_path / "out")
    with pytest.raises(ConflictError, match=r"settings\.judgments"):
        other.save(tmp_path / "out")


def test_a_gate_that_nothing_could_trip_is_refused_before_a_retriever_is_asked(qrels: Path) -> None:
    asked: list[str] = []

    def search(query: str, k: int) -> list[str]:
        asked.append(query)
        return ["d1"][:k]

    with pytest.raises(InputError, match="nothing is compared there"):
        evaluate(qrels, retrievers={"one": search}, questions={"q1": "text"}, corpus=CORPUS, fail_if="RR@10 worse")
    assert asked == []


@pytest.mark.parametrize("k", [0, -1, True, 1.5, "3"])
def test_k_is_a_whole_number_above_0(qrels: Path, k: object) -> None:
    with pytest.raises(InputError, match="expected a whole number above 0"):
        evaluate(qrels, retrievers={"one": "bm25"}, questions={"q1": "text"}, corpus=CORPUS, k=k)  # type: ignore[arg-type]


def test_what_has_no_effect_with_spans_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="have no effect with spans"):
        evaluate(spans=tmp_path / "gold.jsonl", retrievers={"a": "bm25"}, corpus=CORPUS, kernels={"q1": [["d1"]]})
