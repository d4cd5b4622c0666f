"""Writing BEIR folders: read back as they went in; files are whole or absent; contradictions are refused."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import InputError
from goldproof.io import read_dataset
from goldproof.io.datasets.beir import JudgedQuestion, write_beir
from goldproof.jobs.validate import validate_file
from goldproof.records.entities import Document, Question
from tests.jobs.build.samples import ids, json_values, text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from goldproof.records.tables import JudgmentTable

DOCUMENTS = (Document("d1", "one", "First", {"page": 1}), Document("d2", "two"), Document("d 3", "", "Named only"))
QUESTIONS = (
    JudgedQuestion(Question("q1", "Who?", "Ada", metadata={"doc_type": "table"}), {"d1": 1}),
    JudgedQuestion(Question("q2", "Which?", "x", cluster="c"), {"d1": 1, "d2": 2}, (("d1", "d2"), ("d2", "d 3"))),
    JudgedQuestion(Question("q3", "When?", answerable=False, metadata={"answer": "none", "cluster": 4})),
)


def write(
    folder: Path, *, documents: Sequence[Document] = DOCUMENTS, questions: Sequence[JudgedQuestion] = QUESTIONS
) -> dict[str, str]:
    return write_beir(folder, documents=iter(documents), questions=lambda: iter(questions))


def grades(table: JudgmentTable) -> dict[str, dict[str, int]]:
    names = table.questions.to_list()
    rows = [slice(int(table.starts[i]), int(table.starts[i + 1])) for i in range(len(names))]
    return {
        name: dict(zip(table.documents[row].to_list(), table.grades[row].tolist(), strict=True))
        for name, row in zip(names, rows, strict=True)
    }


def check_read_back(folder: Path, documents: Sequence[Document], questions: Sequence[JudgedQuestion]) -> None:
    dataset = read_dataset(folder, documents=True)
    assert dataset.documents == tuple(documents)
    assert dataset.questions == tuple(judged.question for judged in questions)
    assert grades(dataset.judgments) == {j.question.id: dict(j.grades) for j in questions if j.grades}
    assert dataset.judgments.kernels == {j.question.id: j.kernels for j in questions if j.kernels}
    assert dataset.judgments.unanswerable == {j.question.id for j in questions if not j.question.answerable}


def test_what_went_in_is_read_back(tmp_path: Path) -> None:
    write(tmp_path)
    check_read_back(tmp_path, DOCUMENTS, QUESTIONS)


def test_the_folder_is_well_formed_unanswerable_questions_included(tmp_path: Path) -> None:
    write(tmp_path)
    found = validate_file(tmp_path)
    assert found.ok, found.findings
    assert (found.counts["unanswerable"], found.counts["documents"], found.counts["kernels"]) == (1, 3, 2)


def test_the_files_are_as_beir_has_them(tmp_path: Path) -> None:
    write(tmp_path)
    assert (tmp_path / "qrels/test.tsv").read_text() == "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td1\t1\nq2\td2\t2\n"
    first, second, third = map(orjson.loads, (tmp_path / "queries.jsonl").read_bytes().splitlines())
    assert first == {"_id": "q1", "text": "Who?", "answer": "Ada", "metadata": {"doc_type": "table"}}
    assert "answerable" not in second
    assert third["answerable"] is False
    document = orjson.loads((tmp_path / "corpus.jsonl").read_bytes().splitlines()[0])
    assert document == {"_id": "d1", "title": "First", "text": "one", "metadata": {"page": 1}}


def test_the_hashes_are_those_of_the_files(tmp_path: Path) -> None:
    written = write(tmp_path)
    found = {str(p.relative_to(tmp_path)): hashlib.sha256(p.read_bytes()).hexdigest() for p in tmp_path.rglob("*.*")}
    assert written == found


def test_clusters_are_found_by_a_field_of_the_metadata(tmp_path: Path) -> None:
    write(tmp_path)
    assert read_dataset(tmp_path).clusters("doc_type") == {"q1": "table"}


def test_kernels_of_an_earlier_benchmark_do_not_stay(tmp_path: Path) -> None:
    write(tmp_path)
    assert "kernels.jsonl" not in write(tmp_path, questions=QUESTIONS[:1])
    assert not (tmp_path / "kernels.jsonl").exists()


def test_a_document_that_comes_again_is_written_once(tmp_path: Path) -> None:
    write(tmp_path, documents=[*DOCUMENTS, Document("d1", "one", "First", {"page": 2})])
    assert read_dataset(tmp_path, documents=True).documents == DOCUMENTS


@pytest.mark.parametrize("other", [Document("d1", "other", "First"), Document("d1", "one", "Other")])
def test_one_id_for_two_texts_is_refused_and_nothing_is_left(tmp_path: Path, other: Document) -> None:
    with pytest.raises(InputError, match="document 'd1' has two different texts"):
        write(tmp_path / "new", documents=[*DOCUMENTS, other])
    assert list((tmp_path / "new").iterdir()) == []


def test_a_failure_leaves_the_old_file_as_it_was(tmp_path: Path) -> None:
    write(tmp_path)
    before = (tmp_path / "queries.jsonl").read_bytes()
    with pytest.raises(InputError, match="question 'q1' occurs twice"):
        write(tmp_path, questions=[QUESTIONS[1], QUESTIONS[0], QUESTIONS[0]])
    assert (tmp_path / "queries.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("judged", "problem"),
    [
        (JudgedQuestion(Question("q", answerable=False), {"d1": 1}), "is unanswerable, but has a relevant document"),
        (JudgedQuestion(Question("q", answerable=False), {}, (("d1",),)), "is unanswerable, but has a relevant"),
        (JudgedQuestion(Question("q", metadata={"answerable": False})), "its metadata contradict"),
        (JudgedQuestion(Question("q\t1")), r"question id 'q\\t1' cannot be written to qrels"),
        (JudgedQuestion(Question("")), "question id '' cannot be written to qrels"),
        (JudgedQuestion(Question("q"), {"d1 ": 1}), "document id 'd1 ' cannot be written to qrels"),
        (
            JudgedQuestion(Question("q", metadata={"x": float("nan")})),
            "question 'q': metadata.x is not a finite number",
        ),
    ],
)
def test_what_the_reader_would_refuse_is_not_written(tmp_path: Path, judged: JudgedQuestion, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        write(tmp_path, questions=[judged])


metadata = st.dictionaries(text.filter(lambda key: key != "answerable"), json_values, max_size=3)


@st.composite
def folders(draw: st.DrawFn) -> tuple[list[Document], list[JudgedQuestion]]:
    names = draw(st.lists(ids, unique=True, min_size=1, max_size=5))
    documents = [Document(name, draw(text), draw(text), draw(metadata)) for name in names]
    return documents, list(questions(draw, names))


def questions(draw: st.DrawFn, names: list[str]) -> Iterator[JudgedQuestion]:
    sets = st.lists(st.sampled_from(names), unique=True, min_size=1).map(tuple)
    for number, name in enumerate(draw(st.lists(ids, unique=True, min_size=1, max_size=4))):
        answerable = number == 0 or draw(st.booleans())  # qrels without a row are no qrels
        question = Question(
            name, draw(text), draw(st.none() | text), (), draw(st.none() | text), answerable, draw(metadata)
        )
        kernels = tuple(draw(st.lists(sets, max_size=2))) if answerable else ()
        relevant = draw(sets) if answerable else ()
        yield JudgedQuestion(question, dict.fromkeys([*relevant, *(d for k in kernels for d in k)], 1), kernels)


@given(folders())
def test_anything_that_can_be_written_is_read_back(given: tuple[list[Document], list[JudgedQuestion]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), documents=given[0], questions=given[1])
        # A text of metadata `split` is taken for the name of a split, which changes nothing in a folder with one.
        check_read_back(Path(folder), *given)
        assert validate_file(folder).ok
