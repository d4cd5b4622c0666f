"""One rule for the name of what came without one: the file's name less the endings that formats have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.io import read_dataset, read_scores
from goldproof.io.text_files import file_stem

if TYPE_CHECKING:
    from pathlib import Path

NAMES = {
    "bm25.csv": "bm25",
    "bm25.v2.csv": "bm25.v2",
    "bm25.trec.gz": "bm25",
    "bm25.run.txt": "bm25",
    "BM25.CSV": "BM25",
    "qrels.test": "qrels.test",
    "retrieval_dataset.yaml": "retrieval_dataset",
    "plain": "plain",
    ".csv": ".csv",
    "run.run": "run",
}


@pytest.mark.parametrize("name", NAMES)
def test_known_endings_are_dropped_and_nothing_else(name: str) -> None:
    assert file_stem(name) == file_stem(f"some.csv/{name}") == NAMES[name]


@pytest.mark.parametrize("name", ["bm25.v2.csv", "bm25.csv", "a.b.c"])
def test_scores_without_a_run_are_named_by_the_rule(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("id,metric,value\nq1,AP,0.5\n")
    assert read_scores(tmp_path / name).frame["run"].to_list() == [file_stem(name)]


@pytest.mark.parametrize("name", ["qrels.v2.txt", "qrels.test"])
def test_a_dataset_of_judgments_is_named_by_the_rule(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("q1 0 a 1\n")
    assert read_dataset(tmp_path / name).name == file_stem(name)


def test_a_yaml_dataset_is_named_by_the_rule_in_a_folder_too(tmp_path: Path) -> None:
    (tmp_path / "retrieval_dataset.yaml").write_text("pairs:\n  - id: a\n    positive_ctxs: [{fqn: x}]\n")
    assert read_dataset(tmp_path).name == "retrieval_dataset"
    assert read_dataset(tmp_path / "retrieval_dataset.yaml").name == "retrieval_dataset"
