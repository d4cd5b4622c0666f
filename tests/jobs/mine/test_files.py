"""`retrieval_dataset.yaml`, `judgments.jsonl` and the BEIR folder say the same, and are read back as they were."""

from __future__ import annotations

import json
import string
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import FileFormatError
from goldproof.io import read_dataset, read_judgments
from goldproof.io.datasets.beir import write_beir
from goldproof.jobs.mine.files import dataset_pieces, judged_question, judgment_lines
from goldproof.jobs.mine.records import Mined, MinedDocument, MinedQuestion
from goldproof.judge.judge import Evidence, Ruling
from goldproof.records.entities import Document, Question
from tests.jobs.mine.mined_examples import CORPUS, example

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.jobs.mine.records import Standing

GRADES = {
    "s:size": {"pkg.Queue": 2, "pkg.Worker": 2, "pkg.retry": 0, "pkg.clock": 0},
    "s:both": {"pkg.Worker": 1, "pkg.retry": 1, "pkg.clock": 0},
    "s:none": {"pkg.clock": 0},
}
KERNELS = {"s:size": (("pkg.Queue",), ("pkg.Worker",)), "s:both": (("pkg.Worker", "pkg.retry"),)}


def write_yaml(folder: Path, mined: Mined) -> Path:
    path = folder / "retrieval_dataset.yaml"
    path.write_bytes(b"".join(dataset_pieces(mined)))
    return path


def test_the_yaml_is_read_back_with_grades_kernels_and_unanswerables(tmp_path: Path) -> None:
    dataset = read_dataset(write_yaml(tmp_path, example()), documents=True)
    assert dataset.judgments.to_dict() == GRADES
    assert dataset.judgments.kernels == KERNELS
    assert dataset.judgments.unanswerable == {"s:none"}
    assert [q.id for q in dataset.questions] == ["s:size", "s:both", "s:none", "s:unknown"]
    first = dataset.questions[0]
    assert (first.text, first.answer, first.cluster) == ("How many tasks fit? No", "500", "s")
    assert first.metadata == {"hops": "1", "year": "01"}
    texts = {document.id: (document.title, document.text) for document in dataset.documents}
    assert texts == {d.id: (d.title, d.text) for d in CORPUS if d.id != "pkg.other"}  # which is nowhere judged


def test_the_beir_folder_says_the_same(tmp_path: Path) -> None:
    mined = example()
    write_beir(tmp_path, documents=mined.corpus, questions=lambda: map(judged_question, mined.questions))
    dataset = read_dataset(tmp_path, documents=True)
    assert dataset.judgments.to_dict() == GRADES
    assert dataset.judgments.kernels == KERNELS
    assert dataset.judgments.unanswerable == {"s:none"}
    assert [d.id for d in dataset.documents] == [d.id for d in CORPUS]  # the whole corpus
    assert dataset.questions[2].metadata == {"answerable": False}  # what was found, not what the case said


def test_every_context_has_grade_source_and_evidence(tmp_path: Path) -> None:
    pairs = yaml.safe_load(write_yaml(tmp_path, example()).read_text(encoding="utf-8"))["pairs"]
    first = pairs[0]
    assert list(first) == [
        *("id", "query", "answer", "cluster", "status", "without_context", "metadata"),
        *("positive_ctxs", "partial_ctxs", "negative_ctxs", "unjudged", "kernels"),
    ]
    assert first["positive_ctxs"][0] == {
        "fqn": "pkg.Queue",
        "grade": 2,
        "source": ["target", "bm25"],
        "evidence": [{"start": 12, "end": 15, "text": "500"}],
        "title": "Queue",
        "text": "Queue holds 500 tasks.",
    }
    assert first["unjudged"] == [{"fqn": "pkg.other", "label": "failed", "reason": "timeout", "source": ["random"]}]
    assert pairs[2]["answerable"] is False
    reason = "only seen together with others, in the search for kernels"
    never = {"fqn": "pkg.other", "label": "not judged", "reason": reason, "source": ["target"]}
    assert pairs[3]["unjudged"][1] == never


def test_evidence_in_a_title_says_so(tmp_path: Path) -> None:
    ruling = Ruling("yes", evidence=(Evidence("pkg.Queue", 0, 5, "Queue", in_title=True),))
    question = replace(example().questions[0], documents=(MinedDocument("pkg.Queue", "positive", ("dense",), ruling),))
    mined = replace(example(), questions=(question,))
    pair = yaml.safe_load(write_yaml(tmp_path, mined).read_text(encoding="utf-8"))["pairs"][0]
    span = {"start": 0, "end": 5, "text": "Queue", "in_title": True}
    assert pair["positive_ctxs"][0]["evidence"] == [span]
    assert records(mined)[0]["evidence"] == [{"document": "pkg.Queue", **span}]


def test_options_are_written_and_read_back(tmp_path: Path) -> None:
    question = replace(example().questions[0], question=Question("s:size", "?", "No", options=("No", "01")))
    path = write_yaml(tmp_path, replace(example(), questions=(question,)))
    assert read_dataset(path).questions[0].options == ("No", "01")


def test_a_question_that_its_case_calls_unanswerable_and_a_document_answers_is_answerable(tmp_path: Path) -> None:
    question = replace(example().questions[0], question=Question("s:size", "?", answerable=False))
    mined = replace(example(), questions=(question,))
    write_beir(tmp_path, documents=mined.corpus, questions=lambda: map(judged_question, mined.questions))
    assert read_dataset(tmp_path).judgments.unanswerable == frozenset()
    assert read_dataset(write_yaml(tmp_path, mined)).questions[0].answerable


def records(mined: Mined) -> list[dict[str, object]]:
    return [json.loads(line) for line in judgment_lines(mined)]


def test_every_ruling_is_a_line_with_its_provenance() -> None:
    found = records(example())
    # 5 + 3 + 1 + 1 rulings on single documents (pkg.other of the last was never judged), and 2 on sets
    assert len(found) == 12
    assert found[1] == {
        "query_id": "s:size",
        "doc_id": "pkg.Worker",
        "documents": ["pkg.Worker"],
        "grade": 2,
        "standing": "positive",
        "sources": ["random"],
        "label": "yes",
        "judge_grade": 3,
        "score": None,
        "evidence": [{"document": "pkg.Worker", "start": 2, "end": 8, "text": "Worker"}],
        "missing": "",
        "reason": "",
        "agreement": pytest.approx(2 / 3),
        "votes": [
            {"by": "m#1", "label": "yes", "grade": 3, "quotes": ["Worker"], "reason": ""},
            {"by": "m#2", "label": "yes", "grade": 3, "quotes": ["Worker"], "reason": ""},
            {"by": "m#3", "label": "no", "grade": 1, "quotes": [], "reason": ""},
        ],
        "judge": "llm:teacher#v1",
    }
    assert [(r["documents"], r["why"], r["label"]) for r in found if "why" in r] == [
        (["pkg.Worker", "pkg.retry"], "expand", "yes"),
        ([], "no context", "no"),
    ]


def test_a_reader_of_judgments_reads_single_rulings_with_the_grades_of_the_qrels(tmp_path: Path) -> None:
    path = tmp_path / "judgments.jsonl"
    lines = [r for r in records(example()) if "doc_id" in r and r["grade"] is not None]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert read_judgments(path).to_dict() == GRADES


@pytest.mark.parametrize(
    ("question", "problem"),
    [(1, r"judgments.jsonl:4: no key 'doc_id'"), (3, r"judgments.jsonl:1: grade None is not a number")],
)
def test_a_reader_of_judgments_refuses_sets_and_rulings_that_do_not_count(
    question: int, problem: str, tmp_path: Path
) -> None:
    mined = example()
    path = tmp_path / "judgments.jsonl"
    path.write_bytes(b"".join(judgment_lines(replace(mined, questions=(mined.questions[question],)))))
    with pytest.raises(FileFormatError, match=problem):
        read_judgments(path)


IDS = st.text(string.ascii_letters + string.digits + "._:#-é", min_size=1, max_size=8)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=30)


@st.composite
def minings(draw: st.DrawFn) -> Mined:
    names = draw(st.lists(IDS, min_size=3, max_size=6, unique=True))
    corpus = tuple(Document(name, draw(TEXTS), draw(TEXTS)) for name in names)
    questions = []
    for name in draw(st.lists(IDS, min_size=1, max_size=4, unique=True)):
        standings = [draw(st.sampled_from(["positive", "negative", "unjudged", None])) for _ in names]
        ruling = Ruling("yes", evidence=(Evidence(names[0], 0, 1, draw(TEXTS)),), reason=draw(TEXTS))
        documents = tuple(
            MinedDocument(document, cast("Standing", standing), ("bm25",), ruling)
            for document, standing in zip(names, standings, strict=True)
            if standing is not None
        )
        alone = tuple((one.id,) for one in documents if one.standing == "positive")
        metadata = draw(st.dictionaries(TEXTS, TEXTS, max_size=2))
        question = Question(name, draw(TEXTS), draw(TEXTS) or None, metadata=metadata)
        status = "answerable" if alone else draw(st.sampled_from(["undecided", "unanswerable here"]))
        questions.append(MinedQuestion(question, documents, alone, status=status))  # type: ignore[arg-type]
    documents_by_id = {document.id: document for document in corpus}
    return replace(example(), questions=tuple(questions), corpus=corpus, documents=documents_by_id)


@given(minings())
def test_whatever_was_mined_is_read_back(tmp_path_factory: pytest.TempPathFactory, mined: Mined) -> None:
    dataset = read_dataset(write_yaml(tmp_path_factory.getbasetemp(), mined), documents=True)
    expected = {q.question.id: judged_question(q).grades for q in mined.questions}
    assert dataset.judgments.to_dict() == {name: grades for name, grades in expected.items() if grades}
    assert dataset.judgments.kernels == {q.question.id: q.kernels for q in mined.questions if q.kernels}
    assert [(q.id, q.text, q.answer) for q in dataset.questions] == [
        (q.question.id, q.question.text, q.question.answer) for q in mined.questions
    ]
    for document in dataset.documents:
        assert (document.title, document.text) == (
            mined.documents[document.id].title,
            mined.documents[document.id].text,
        )
