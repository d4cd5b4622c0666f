"""The real files: trec_eval's, Cranfield's, CodeSearchNet's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import pytrec_eval

from goldproof.errors import FileFormatError
from goldproof.io import read_judgments, read_ranking
from goldproof.jobs.validate import validate_file

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.realdata


@pytest.mark.parametrize("name", ["qrels.test", "qrels-302.test", "qrels.rel_level"])
def test_trec_qrels_are_read_as_pytrec_eval_reads_them(name: str, realdata: Path) -> None:
    path = realdata / "trec_eval" / name
    with path.open() as stream:
        assert read_judgments(path).to_dict() == pytrec_eval.parse_qrel(stream)


@pytest.mark.parametrize("name", ["results.test", "results-302.test"])
def test_trec_runs_are_read_as_pytrec_eval_reads_them(name: str, realdata: Path) -> None:
    path = realdata / "trec_eval" / name
    with path.open() as stream:
        assert read_ranking(path).to_dict() == pytrec_eval.parse_run(stream)


def test_cranfield_has_three_columns_and_one_undefined_row_per_query(realdata: Path) -> None:
    found = validate_file(realdata / "cranfield" / "cranqrel")
    assert (found.kind, found.n_findings) == ("judgments", 0)
    assert (found.counts["queries"], found.counts["negative_grades"]) == (225, 225)


def test_a_table_under_other_names_says_which_column_is_missing(realdata: Path) -> None:
    with pytest.raises(FileFormatError) as raised:
        read_judgments(realdata / "codesearchnet" / "annotationStore.csv")
    assert raised.value.problem == (
        "no column for document (doc_id, docid, docno, document_id, ...); "
        "found Language, Query, GitHubUrl, Relevance, Notes."
    )


@pytest.mark.parametrize("name", ["finqa/train_100.json", "cranfield/cran.qry", "codesearchnet/queries.csv"])
def test_files_of_other_kinds_are_refused(name: str, realdata: Path) -> None:
    with pytest.raises(FileFormatError):
        read_ranking(realdata / name)
