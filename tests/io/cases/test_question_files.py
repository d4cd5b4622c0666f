"""Cases from datasets, builds, JSON lines and tables: ids as they are, gold documents as targets."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from goldproof.errors import FileFormatError
from goldproof.io.cases import read_cases
from goldproof.io.datasets.beir import JudgedQuestion, write_beir
from goldproof.jobs.build import build
from goldproof.jobs.build.output.files import sample_line
from goldproof.jobs.build.recipe_file import quick_recipe
from goldproof.jobs.build.records import Sample
from goldproof.records.entities import Document, Question

if TYPE_CHECKING:
    from pathlib import Path

DOCUMENTS = tuple(Document(name, text=f"text of {name}") for name in ("d1", "d2", "d3"))
JUDGED = (
    JudgedQuestion(
        Question("q1", "Who?", answer="Ada", cluster="c", metadata={"answer_aliases": ["Ada G."], "hops": 2}),
        {"d1": 2, "d2": 1, "d3": 0},
        (("d1", "d2"),),
    ),
    JudgedQuestion(Question("q2", "Where?", answerable=False), {"d3": 0}),
)
SAMPLE = Sample(
    id="s:1",
    question="What was revenue?",
    ground_truth="12.5",
    contexts=("Revenue was 12.5.",),
    context_ids=("t1",),
    doc_type="table",
    question_type="numeric",
    difficulty="D1",
    source_dataset="tatqa",
    original_id="a1",
    gold_documents=("t1",),
    kernels=(("t1",),),
    metadata={"answer_aliases": ["12.50"]},
)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def beir(folder: Path) -> Path:
    write_beir(folder, documents=DOCUMENTS, questions=lambda: JUDGED)
    return folder


@pytest.mark.parametrize("below", ["", "beir"])
def test_a_beir_folder_or_a_build_gives_gold_documents_and_kernels(tmp_path: Path, below: str) -> None:
    beir(tmp_path / "multihop" / below)
    first, second = read_cases([tmp_path / "multihop"]).cases
    assert (first.id, first.kind, first.suite) == ("q1", "question", "multihop")
    assert first.targets == ("d1", "d2")
    assert first.gold_kernels == (("d1", "d2"),)
    assert first.question.answer == "Ada"
    assert first.question.cluster == "c"
    assert first.question.metadata == {
        "kind": "question",
        "suite": "multihop",
        "file": "multihop",
        "answer_aliases": ["Ada G."],
        "hops": 2,
        "gold_kernels": [["d1", "d2"]],
    }
    assert (second.question.answerable, second.targets, second.gold_kernels) == (False, (), ())


def test_the_files_of_a_folder_are_those_that_decide_its_questions(tmp_path: Path) -> None:
    assert list(read_cases([beir(tmp_path)]).files) == ["test.tsv", "queries.jsonl", "kernels.jsonl"]


def test_of_several_splits_one_is_read(tmp_path: Path) -> None:
    write(tmp_path / "queries.jsonl", "".join(f'{{"_id": "q{n}", "text": "Who?"}}\n' for n in (1, 2, 3)))
    write(tmp_path / "qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    assert [case.id for case in read_cases([tmp_path]).cases] == ["q1", "q2", "q3"]
    write(tmp_path / "qrels/dev.tsv", "query-id\tcorpus-id\tscore\nq2\td1\t1\n")
    assert [case.id for case in read_cases([tmp_path]).cases] == ["q1"]
    assert [case.id for case in read_cases([tmp_path], split="dev").cases] == ["q2"]


def test_a_folder_of_queries_alone_is_read(tmp_path: Path) -> None:
    write(tmp_path / "queries.jsonl", '{"_id": "q1", "text": "Who?"}\n')
    assert [case.id for case in read_cases([tmp_path]).cases] == ["q1"]


def test_a_retrieval_dataset_gives_positives_as_targets(tmp_path: Path) -> None:
    text = """pairs:
- id: "fix:01"
  query: How?
  answer: So.
  positive_ctxs: [{fqn: a.b, text: x}]
  negative_ctxs: [{fqn: a.c, text: y}]
  kernels: [[a.b, a.d]]
"""
    (case,) = read_cases([write(tmp_path / "retrieval_dataset.yaml", text)]).cases
    assert (case.id, case.targets, case.gold_kernels) == ("fix:01", ("a.b", "a.d"), (("a.b", "a.d"),))
    assert case.question.answer == "So."


def test_samples_of_a_build_give_the_same_as_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "small.jsonl"
    path.write_bytes(sample_line(SAMPLE))
    (case,) = read_cases([path]).cases
    assert (case.id, case.suite, case.targets, case.gold_kernels) == ("s:1", "small", ("t1",), (("t1",),))
    assert case.question.answer == "12.5"
    assert case.question.metadata["answer_aliases"] == ["12.50"]
    assert case.question.metadata["question_type"] == "numeric"
    assert case.where == f"{path}:1"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("q.jsonl", '{"id": "q1", "question": "Who?", "answer": "Ada"}\n'),
        ("q.json", '[{"id": "q1", "question": "Who?", "answer": "Ada"}]'),
        ("q.csv", "id,question,answer\nq1,Who?,Ada\n"),
        ("q.tsv", "id\tquestion\tanswer\nq1\tWho?\tAda\n"),
    ],
)
def test_questions_of_plain_files_keep_their_ids(tmp_path: Path, name: str, text: str) -> None:
    (case,) = read_cases([write(tmp_path / name, text)]).cases
    assert (case.id, case.kind, case.question.text, case.question.answer) == ("q1", "question", "Who?", "Ada")
    assert case.targets == ()


@pytest.mark.parametrize("name", ["q.jsonl", "q.json"])
def test_a_list_of_answers_is_an_answer_with_aliases_and_no_registry(tmp_path: Path, name: str) -> None:
    record = {"id": "q1", "question": "Who?", "answers": ["Ada", "A. G.", "Ada"]}
    text = json.dumps(record) + "\n" if name == "q.jsonl" else json.dumps([record])
    (case,) = read_cases([write(tmp_path / name, text)]).cases
    assert (case.id, case.kind, case.question.answer) == ("q1", "question", "Ada")
    assert case.question.metadata["answer_aliases"] == ["A. G."]


def test_sub_questions_and_answer_parts_are_kept(tmp_path: Path) -> None:
    more = {"sub_questions": [{"question": "x?", "document": "d1"}], "answer_parts": ["a", "b"]}
    line = {"_id": "q1", "text": "Who?", "metadata": more}
    (case,) = read_cases([write(tmp_path / "queries.jsonl", json.dumps(line) + "\n")]).cases
    assert {key: case.question.metadata[key] for key in more} == more


def test_a_bad_line_is_said_and_the_rest_go_on(tmp_path: Path) -> None:
    lines = '{"id": "q1", "question": "Who?"}\nnot json\n{"id": "q2"}\n{"id": "q3", "question": "Why?"}\n'
    path = write(tmp_path / "q.jsonl", lines)
    found = read_cases([path])
    assert [case.id for case in found.cases] == ["q1", "q3"]
    assert [problem.partition(": ")[0] for problem in found.problems] == [f"{path}:2", f"{path}:3"]


@pytest.mark.parametrize("key", ["_id", "id"])
def test_a_question_without_text_and_a_repeated_id_are_said_with_their_lines(tmp_path: Path, key: str) -> None:
    lines = "".join(f'{{"{key}": "{name}", "text": "{text}"}}\n' for name, text in (("a", ""), ("b", "x"), ("b", "y")))
    path = write(tmp_path / "queries.jsonl", "\n" + lines)
    found = read_cases([path])
    assert [(case.id, case.question.text) for case in found.cases] == [("b", "x")]
    assert sorted(problem.partition(": ")[0] for problem in found.problems) == [f"{path}:2", f"{path}:4"]


def test_ids_are_prefixed_only_where_two_files_share_one(tmp_path: Path) -> None:
    one = write(tmp_path / "one.jsonl", '{"id": "q1", "question": "Who?"}\n')
    two = write(tmp_path / "two.jsonl", '{"id": "q1", "question": "Why?"}\n{"id": "q2", "question": "How?"}\n')
    three = write(tmp_path / "three.jsonl", '{"id": "q3", "question": "When?"}\n')
    found = read_cases([one, two, three])
    assert [case.id for case in found.cases] == ["one:q1", "two:q1", "two:q2", "q3"]


def test_a_question_that_is_called_as_a_case_of_a_registry_is_prefixed(tmp_path: Path) -> None:
    registry = write(tmp_path / "quiz.yaml", "- {id: 1, question: q, answers: [a]}")
    questions = write(tmp_path / "other.jsonl", '{"id": "quiz:1", "question": "Who?"}\n')
    assert [case.id for case in read_cases([registry, questions]).cases] == ["quiz:1", "other:quiz:1"]


def test_judgments_without_questions_are_nothing_to_ask(tmp_path: Path) -> None:
    write(tmp_path / "qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    with pytest.raises(FileFormatError, match="no texts of questions"):
        read_cases([tmp_path])


def test_a_folder_of_nothing_says_what_was_expected(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"Expected queries\.jsonl"):
        read_cases([tmp_path])


@pytest.mark.realdata
def test_a_real_build_of_musique_is_read_from_its_folder_and_from_its_samples(realdata: Path, tmp_path: Path) -> None:
    recipe = quick_recipe(sources=[f"musique={realdata}/multihop"], quotas=["clean_text=30"], unanswerable="10%")
    folder = build(recipe).save(tmp_path / "out")
    from_folder = {case.id: case for case in read_cases([folder]).cases}
    from_samples = {case.id: case for case in read_cases([next(folder.glob("*.jsonl"))]).cases}
    assert len(from_folder) == 30
    assert list(from_folder) == list(from_samples)
    for name, case in from_folder.items():
        assert case.targets == from_samples[name].targets
        assert case.question.answer == from_samples[name].question.answer
        assert bool(case.targets) == case.question.answerable
        if case.question.answerable:
            assert len(case.targets) >= 2
            assert case.gold_kernels == from_samples[name].gold_kernels
