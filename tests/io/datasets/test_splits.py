"""Splits of a BEIR folder share queries and kernels, and must not leak into each other."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest

from goldproof.errors import FileFormatError
from goldproof.io import dataset_files, read_dataset
from goldproof.jobs.validate import validate_file

if TYPE_CHECKING:
    from pathlib import Path

KERNELS = '{"query_id": "q1", "kernels": [["d1"]]}\n{"query_id": "t1", "kernels": [["d9"], ["d8"]]}\n'


def folder(path: Path, *queries: dict[str, object], test: str = "", train: str | None = "", kernels: str = "") -> Path:
    """Write a folder whose `test` holds q1 and whose `train` (unless None) holds t1."""
    (path / "qrels").mkdir()
    (path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n" + test)
    if train is not None:
        (path / "qrels" / "train.tsv").write_text("query-id\tcorpus-id\tscore\nt1\td9\t1\n" + train)
    if queries:
        (path / "queries.jsonl").write_text("".join(json.dumps({"text": "?"} | q) + "\n" for q in queries))
    if kernels:
        (path / "kernels.jsonl").write_text(kernels)
    return path


def no_answer(name: str, **fields: object) -> dict[str, object]:
    return {"_id": name, "answerable": False} | fields


def unanswerable(path: Path, split: str) -> set[str]:
    return set(read_dataset(path, split=split).judgments.unanswerable)


def test_kernels_are_those_of_the_questions_in_the_chosen_qrels(tmp_path: Path) -> None:
    path = folder(tmp_path, kernels=KERNELS)
    assert read_dataset(path, split="test").judgments.kernels == {"q1": (("d1",),)}
    assert read_dataset(path, split="train").judgments.kernels == {"t1": (("d9",), ("d8",))}


def test_the_only_split_keeps_all_kernels_and_unanswerable_questions(tmp_path: Path) -> None:
    path = folder(tmp_path, no_answer("u1"), no_answer("u2", split="train"), {"_id": "t1"}, kernels=KERNELS, train=None)
    judgments = read_dataset(path).judgments
    assert set(judgments.kernels) == {"q1", "t1"}
    assert judgments.unanswerable == {"u1", "u2"}


def test_an_unanswerable_question_belongs_to_the_qrels_that_list_it_with_grade_0(tmp_path: Path) -> None:
    path = folder(tmp_path, no_answer("u1"), no_answer("u2"), test="u1\td1\t0\n", train="u2\td9\t0\n")
    assert unanswerable(path, "test") == {"u1"}
    assert unanswerable(path, "train") == {"u2"}


def test_an_unanswerable_question_belongs_to_the_split_its_record_names(tmp_path: Path) -> None:
    queries = no_answer("u1", split="test"), no_answer("u2", metadata={"split": "train"})
    path = folder(tmp_path, *queries)
    assert unanswerable(path, "test") == {"u1"}
    assert unanswerable(path, "train") == {"u2"}


def test_a_split_at_the_top_wins_over_metadata_and_is_kept_there(tmp_path: Path) -> None:
    path = folder(tmp_path, no_answer("u1", split="train", metadata={"split": "test", "source": "book"}))
    assert unanswerable(path, "test") == set()
    assert read_dataset(path).questions[0].metadata == {"split": "train", "source": "book"}


def test_a_question_may_belong_to_several_splits(tmp_path: Path) -> None:
    path = folder(tmp_path, no_answer("u1", split="test"), train="u1\td9\t0\n")
    assert unanswerable(path, "test") == unanswerable(path, "train") == {"u1"}


def test_unanswerable_questions_of_no_split_are_refused_and_not_dropped(tmp_path: Path) -> None:
    path = folder(tmp_path, no_answer("u1"), no_answer("u2", split="test"), no_answer("u3"))
    with pytest.raises(FileFormatError) as raised:
        read_dataset(path, split="train")
    assert str(raised.value) == (
        f"{tmp_path}/queries.jsonl: 2 unanswerable questions are in none of the splits test, train (such as 'u1').\n"
        '  Add "split": "train" (or another) to such a query, or list it in the qrels with score 0.'
    )


@pytest.mark.parametrize("named", ["tset", 3, None, ["test"]])
def test_a_split_that_the_folder_lacks_is_no_split(named: object, tmp_path: Path) -> None:
    path = folder(tmp_path, no_answer("u1", metadata={"split": named}))
    with pytest.raises(FileFormatError) as raised:
        read_dataset(path)
    assert raised.value.problem == "1 unanswerable question is in none of the splits test, train (such as 'u1')."


def test_answerable_questions_need_no_split(tmp_path: Path) -> None:
    dataset = read_dataset(folder(tmp_path, {"_id": "q1"}, {"_id": "t1"}, {"_id": "x"}))
    assert [question.id for question in dataset.questions] == ["q1", "t1", "x"]
    assert list(dataset.judgments.questions) == ["q1"]


def test_bad_lines_of_another_split_do_not_stop_this_one(tmp_path: Path) -> None:
    path = folder(tmp_path, no_answer("u1"), train="u1\td9\t0\nu1\td9\tx\n")
    assert unanswerable(path, "test") == set()
    with pytest.raises(FileFormatError, match=r"train\.tsv:4: grade 'x' is not a number"):
        read_dataset(path, split="train")


def test_a_card_names_the_files_that_decide_the_split(tmp_path: Path) -> None:
    path = folder(tmp_path, {"_id": "q1"}, kernels=KERNELS)
    names = [file.relative_to(path).as_posix() for file in dataset_files(path, split="train")]
    assert names == ["qrels/train.tsv", "queries.jsonl", "kernels.jsonl"]


def test_the_qrels_of_a_split_may_be_gzipped_and_have_points_in_their_name(tmp_path: Path) -> None:
    path = folder(tmp_path, train=None)
    (path / "qrels" / "dev.v2.csv.gz").write_bytes(gzip.compress(b"query_id,doc_id,grade\nq7,d7,1\n"))
    assert list(read_dataset(path, split="dev.v2").judgments.questions) == ["q7"]


def test_validation_checks_every_split(tmp_path: Path) -> None:
    queries = no_answer("t1", split="train"), no_answer("u1")
    found = validate_file(folder(tmp_path, *queries, train="t2\td9\tx\n"))
    assert [finding.problem.removeprefix(f"{tmp_path}/") for finding in found.findings] == [
        "queries.jsonl: 1 unanswerable question is in none of the splits test, train (such as 'u1').",
        "qrels/train.tsv: query 't1' is marked unanswerable, but the judgments hold a relevant document for it.",
        "qrels/train.tsv: grade 'x' is not a number ('score', column 3 of 3).",
    ]
    assert found.counts["splits"] == 2
    assert found.counts["queries"] == 1


def test_validation_needs_no_split_called_test(tmp_path: Path) -> None:
    path = folder(tmp_path)
    (path / "qrels" / "test.tsv").rename(path / "qrels" / "dev.tsv")
    assert validate_file(path).ok
