"""A ready run answers by the ids of the questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from goldproof.errors import InputError
from goldproof.records.entities import Document
from goldproof.retrieve.document_index import DocumentIndex
from goldproof.retrieve.external.run_file import RunFile
from goldproof.retrieve.stage import Request

if TYPE_CHECKING:
    from pathlib import Path

RUN = """q1 Q0 a 1 0.5 mine
q1 Q0 b 2 0.9 mine
q1 Q0 x 3 0.5 mine
q2 Q0 c 1 1.0 mine
"""


@pytest.fixture
def documents() -> DocumentIndex:
    return DocumentIndex([Document("a"), Document("b"), Document("c")])


@pytest.fixture
def stage(tmp_path: Path, documents: DocumentIndex) -> RunFile:
    (tmp_path / "mine.trec").write_text(RUN)
    made = RunFile(str(tmp_path / "mine.trec"))
    made.index(documents)
    return made


def test_rankings_are_found_by_id_and_ordered_by_score_not_by_rank(stage: RunFile, documents: DocumentIndex) -> None:
    found = stage.find(Request(("one", "two"), 10, ids=("q1", "q2")))
    # 0.9, then 0.5 twice: the higher id first.
    assert documents.ids(found.documents) == ["b", "x", "a", "c"]
    assert found.scores.tolist() == [0.9, 0.5, 0.5, 1.0]
    assert found.starts.tolist() == [0, 3, 4]


def test_without_ids_the_text_is_the_id(stage: RunFile, documents: DocumentIndex) -> None:
    assert documents.ids(stage.find(Request(("q2",), 10)).documents) == ["c"]


def test_the_cut_at_k_comes_after_the_filters(stage: RunFile, documents: DocumentIndex) -> None:
    assert documents.ids(stage.find(Request(("q1",), 1)).documents) == ["b"]
    allowed = np.asarray([True, False, True])
    assert documents.ids(stage.find(Request(("q1",), 1, allowed=allowed)).documents) == ["a"]


def test_a_query_that_the_run_lacks_has_no_results_and_is_counted(stage: RunFile) -> None:
    found = stage.find(Request(("q1", "q9"), 1))
    assert not found.failed
    assert found.starts.tolist() == [0, 1, 1]
    assert stage.remarks[-1].endswith("1 of 2 queries are not in the file and have no results.")


def test_equal_scores_stay_equal(tmp_path: Path, documents: DocumentIndex) -> None:
    (tmp_path / "tied.trec").write_text("q Q0 a 1 1.0 t\nq Q0 b 2 1.0 t\n")
    stage = RunFile(str(tmp_path / "tied.trec"))
    stage.index(documents)
    found = stage.find(Request(("q",), 5))
    assert documents.ids(found.documents) == ["b", "a"]
    assert found.scores.tolist() == [1.0, 1.0]
    assert stage.remarks == ()


def test_a_query_that_failed_in_the_file_is_failed(tmp_path: Path, documents: DocumentIndex) -> None:
    lines = (
        '{"query_id": "q1", "error": "TimeoutError"}\n{"query_id": "q2", "results": [{"doc_id": "a", "score": 1.0}]}\n'
    )
    (tmp_path / "run.jsonl").write_text(lines)
    stage = RunFile(str(tmp_path / "run.jsonl"))
    stage.index(documents)
    found = stage.find(Request(("q1", "q2"), 5))
    assert found.failed == {0: "TimeoutError"}
    assert documents.ids(found.documents) == ["a"]


def test_a_missing_file_is_an_input_error_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing\.trec"):
        RunFile(str(tmp_path / "nothing.trec"))


def test_the_card_knows_the_file_by_its_hash(stage: RunFile) -> None:
    assert stage.facts["file"] == "mine.trec"
    assert len(str(stage.facts["sha256"])) == 64


def test_comments_of_the_file_are_counted(tmp_path: Path, documents: DocumentIndex) -> None:
    (tmp_path / "x.trec").write_text("# mine\n" + RUN)
    made = RunFile(str(tmp_path / "x.trec"))
    made.index(documents)
    assert made.remarks == (f"run({tmp_path}/x.trec): 1 line that begins with # is skipped as a comment: line 1.",)
