"""Labels of pairs from every kind of file, as the judge of people and the calibration of judges read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pytest

from goldproof.errors import FileFormatError
from goldproof.io.datasets.pair_labels import read_label_records, says_yes
from goldproof.jobs.calibrate.label_file import read_label_file
from goldproof.judge.human_judge import read_annotations

if TYPE_CHECKING:
    from pathlib import Path

ROWS = [("q", "d", 2), ("q", "e", 0), ("p", "d", 1)]
GRADES = {(question, document): grade for question, document, grade in ROWS}


def write(folder: Path, name: str) -> Path:
    frame = pl.DataFrame(ROWS, schema=["query_id", "doc_id", "grade"], orient="row")
    path = folder / name
    if path.suffix == ".parquet":
        frame.write_parquet(path)
    elif path.suffix == ".jsonl":
        frame.write_ndjson(path)
    elif path.suffix in (".csv", ".tsv"):
        frame.write_csv(path, separator="," if path.suffix == ".csv" else "\t")
    else:
        path.write_text("".join(f"{question} 0 {document} {grade}\n" for question, document, grade in ROWS))
    return path


@pytest.mark.parametrize("name", ["l.jsonl", "l.csv", "l.tsv", "l.parquet", "l.qrels"])
def test_every_file_gives_both_readers_the_same_grades(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, name)
    assert {label.pair: label.value.grade for label in read_label_file(path).labels} == GRADES
    assert {pair: labels[0].value for pair, labels in read_annotations(path).pairs.items()} == GRADES


@pytest.mark.parametrize(
    ("name", "place"),
    [("l.jsonl", "record 2"), ("l.csv", "record 3"), ("l.parquet", "record 2"), ("l.qrels", "line 2")],
)
def test_a_label_knows_its_place(tmp_path: Path, name: str, place: str) -> None:
    assert [one.place for one in read_label_records(write(tmp_path, name)).records][1] == place


def test_the_scores_of_a_run_are_labels_where_they_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "run"
    path.write_text("q Q0 d 1 2 t\nq Q0 e 2 1 t\n")
    assert [one.record for one in read_label_records(path, runs=True).records] == [
        {"query_id": "q", "doc_id": "d", "score": 2.0},
        {"query_id": "q", "doc_id": "e", "score": 1.0},
    ]
    with pytest.raises(FileFormatError, match="run"):
        read_annotations(path)


def test_comments_of_qrels_are_remarks(tmp_path: Path) -> None:
    path = write(tmp_path, "l.qrels")
    path.write_text("# by two people\n" + path.read_text())
    (remark,) = read_label_records(path).remarks
    assert remark == f"{path}: 1 line that begins with # is skipped as a comment: line 1."


def test_a_folder_is_no_file_of_people(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="is a folder, expected a file"):
        read_annotations(tmp_path)


@pytest.mark.parametrize(
    ("word", "yes"),
    [
        *[(True, True), ("Yes", True), (" y ", True), ("NOT_relevant", False), ("not  relevant", False), ("n", False)],
        *[("maybe", None), ("", None), (1, None), (None, None)],
    ],
)
def test_yes_and_no_have_their_usual_words(word: object, yes: bool | None) -> None:
    assert says_yes(word) is yes
