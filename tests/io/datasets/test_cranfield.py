"""The Cranfield collection, with the oddities of its files."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from goldproof.corpus.corpus import open_corpus
from goldproof.errors import FileFormatError, InputError
from goldproof.io import dataset_files, read_dataset
from goldproof.io.datasets.cranfield import cranfield_facts, read_cranfield
from goldproof.io.datasets.dataset import locate_dataset
from goldproof.jobs.validate import validate_file
from goldproof.records.entities import Document, Question

DOCUMENTS = """.I 1
.T
flow past a
plate .
.A
li,t.
.B
j. ae. 1958.
.W
flow past  a
plate.
  the flow is slow .
.I 2
.T
.A
.B
.W
.I 3
.T
heat
.A
.W
heated bodies are warm .
.W
they cool .
"""
QUERIES = ".I 001\n.W\nwhat is\nflow .\n.I 004\n.W\nwhat is heat .\n"
QRELS = "1 1 1 \n1 3 4 \n1 2 -1 \n2 3 2\n2 1 5\n2 2 -1"


def collection(folder: Path, *, documents: str = DOCUMENTS, queries: str = QUERIES, qrels: str = QRELS) -> Path:
    for name, text in (("cran.all.1400", documents), ("cran.qry", queries), ("cranqrel", qrels)):
        (folder / name).write_bytes(text.replace("\n", "\r\n").encode())
    return folder


def test_queries_are_known_by_their_position_and_not_by_their_number(tmp_path: Path) -> None:
    assert read_cranfield(collection(tmp_path)).questions == (
        Question("1", "what is flow .", metadata={"number": "001"}),
        Question("2", "what is heat .", metadata={"number": "004"}),
    )


def test_the_gain_is_5_less_the_grade_and_undefined_rows_are_left_out(tmp_path: Path) -> None:
    judgments = read_cranfield(collection(tmp_path)).judgments
    # 5 - 1 = 4, 5 - 4 = 1; 5 - 2 = 3, 5 - 5 = 0
    assert judgments.to_dict() == {"1": {"1": 4, "3": 1}, "2": {"3": 3, "1": 0}}


def test_the_title_is_taken_off_the_text_that_repeats_it(tmp_path: Path) -> None:
    first, second, third = read_cranfield(collection(tmp_path)).documents
    about = {"author": "li,t.", "bibliography": "j. ae. 1958."}
    assert first == Document("1", "the flow is slow .", "flow past a plate .", about)
    assert second == Document("2")
    # "heat" begins "heated", but not as a word; a field that stands twice goes on.
    assert third == Document("3", "heated bodies are warm .\nthey cool .", "heat")


def test_what_is_odd_is_counted(tmp_path: Path) -> None:
    assert cranfield_facts(collection(tmp_path)) == {
        "questions": 2,
        "judgments": 4,
        "undefined_rows": 2,
        "documents": 3,
        "documents_without_text": 1,
        "titles_taken_off_texts": 1,
        "fields_twice": 1,
    }


def test_a_folder_of_these_files_is_a_dataset_and_a_corpus(tmp_path: Path) -> None:
    folder = collection(tmp_path)
    assert locate_dataset(folder) == ("cranfield", folder)
    assert [path.name for path in dataset_files(folder)] == ["cranqrel", "cran.qry"]
    assert read_dataset(folder).documents == ()
    assert len(read_dataset(folder, documents=True).documents) == 3
    found = validate_file(folder)
    assert (found.ok, found.counts["queries"], found.counts["judgments"]) == (True, 2, 4)
    corpus = open_corpus(folder)
    assert (corpus.facts["kind"], corpus.facts["documents_without_text"]) == ("cranfield", 1)
    assert corpus.remarks == ("1 document has no text (2).",)


def test_the_files_may_be_gzipped_and_the_documents_called_cran_all(tmp_path: Path) -> None:
    collection(tmp_path)
    (tmp_path / "cran.all.gz").write_bytes(gzip.compress((tmp_path / "cran.all.1400").read_bytes()))
    (tmp_path / "cran.all.1400").unlink()
    assert len(read_cranfield(tmp_path).documents) == 3


def test_there_are_no_splits(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the Cranfield collection has no splits"):
        read_dataset(collection(tmp_path), split="test")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    (collection(tmp_path) / "cran.qry").unlink()
    with pytest.raises(FileFormatError, match=r"holds no cran\.qry"):
        read_dataset(tmp_path)


@pytest.mark.parametrize(
    ("qrels", "line", "problem"),
    [
        ("1 1 1\n1 3\n", 2, "found 2 columns, expected 3"),
        ("1 1 1\n3 1 1\n", 2, "query '3' is not the position of a query, 1 to 2"),
        ("001 1 x\n", 1, "grade 'x' is not a number"),
        ("1 1 6\n", 1, "grade 6 is unknown, expected 1 (best) to 5"),
        ("1 1 1\n\n1 1 2\n", 3, "query 1, document 1 is judged twice"),
    ],
)
def test_bad_judgments_are_named_with_their_line(qrels: str, line: int, problem: str, tmp_path: Path) -> None:
    with pytest.raises(FileFormatError) as raised:
        read_cranfield(collection(tmp_path, qrels=qrels))
    assert raised.value.line == line
    assert raised.value.problem.startswith(problem)
    assert Path(raised.value.path).name == "cranqrel"


@pytest.mark.parametrize(
    ("documents", "line", "problem"),
    [
        ("text\n.I 1\n", 1, "does not begin with .I"),
        (".I 1\ntext\n", 2, "text of 1 comes before any field"),
        (".I 1\n.W\nx\n.I 1\n.W\ny\n", 4, "document '1' occurs twice"),
    ],
)
def test_bad_documents_are_named_with_their_line(documents: str, line: int, problem: str, tmp_path: Path) -> None:
    with pytest.raises(FileFormatError) as raised:
        read_cranfield(collection(tmp_path, documents=documents))
    assert raised.value.line == line
    assert raised.value.problem.startswith(problem)


def test_a_query_without_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"query 001 has no text"):
        read_cranfield(collection(tmp_path, queries=".I 001\n.W\n.I 002\n.W\nx\n"))


@pytest.mark.realdata
def test_the_real_collection_has_its_known_sizes(realdata: Path) -> None:
    facts = cranfield_facts(realdata / "cranfield")
    assert (facts["questions"], facts["documents"], facts["undefined_rows"]) == (225, 1400, 225)
    found = read_cranfield(realdata / "cranfield")
    assert {d.id for d in found.documents if not d.text} == {"471", "995"}
    assert set(found.judgments.grades.tolist()) == {1, 2, 3, 4}
    assert len(found.judgments.documents) == facts["judgments"]
    # Of 1398 documents with a text one spells a word of its title otherwise.
    assert facts["titles_taken_off_texts"] == 1397
    assert all(not d.text.startswith(d.title) for d in found.documents if d.text)
