"""`goldproof.evaluate(retrievers=...)`: run and scored in one go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import goldproof
from goldproof.errors import InputError
from goldproof.jobs.evaluate.job import run_file_names
from goldproof.records.entities import Dataset, Document, Hit, Question
from goldproof.records.tables import JudgmentTable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DOCUMENTS = (
    Document("a", "red apples", metadata={"turn": 1}),
    Document("b", "green apples", metadata={"turn": 9}),
    Document("c", "blue sky", metadata={"turn": 5}),
)
QUESTIONS = (Question("q1", "apples"), Question("q2", "sky"), Question("q3", ""))
GRADES = {"q1": {"a": 1}, "q2": {"c": 1}, "q3": {"b": 1}}


def dataset(questions: tuple[Question, ...] = QUESTIONS) -> Dataset:
    return Dataset("small", JudgmentTable.from_dict(GRADES), questions=questions, documents=DOCUMENTS)


class Counting:
    def __init__(self) -> None:
        self.asked: list[str] = []

    def search(self, query: str, k: int) -> list[Hit]:
        self.asked.append(query)
        return [Hit("a", 1.0)][:k]


def test_the_documents_and_questions_of_the_dataset_are_searched_and_asked() -> None:
    result = goldproof.evaluate(dataset(), retrievers={"bm25": "bm25"}, metrics="RR")
    # q1: b before a (equal scores, greater id), q2: c first, q3 has no text and failed: (1/2 + 1) / 2
    assert result.mean("RR") == 0.75
    (failed,) = result.to_frame().filter(status="failed").rows(named=True)
    assert (failed["id"], failed["reason"]) == ("q3", "the question has no text")


def test_runs_and_retrievers_stand_side_by_side() -> None:
    ready = {"q1": {"a": 1.0}, "q2": {"a": 1.0}, "q3": {"b": 1.0}}
    result = goldproof.evaluate(dataset(), runs={"ready": ready}, retrievers={"bm25": "bm25"}, metrics="RR")
    assert result.study.panel.runs == ("ready", "bm25")
    with pytest.raises(InputError, match="both called 'ready'"):
        goldproof.evaluate(dataset(), runs={"ready": ready}, retrievers={"ready": "bm25"}, metrics="RR")


def test_another_corpus_and_texts_by_id_take_the_place_of_the_datasets() -> None:
    other = (Document("a", "the question of questions"), Document("z", "nothing"))
    result = goldproof.evaluate(
        GRADES,
        retrievers={"bm25": "bm25"},
        corpus=other,
        questions={"q1": "question", "q2": "x", "q3": "y"},
        metrics="RR",
    )
    assert result.mean("RR") == pytest.approx(1 / 3)


def test_excluded_questions_are_not_asked() -> None:
    mine = Counting()
    goldproof.evaluate(dataset(), retrievers={"mine": mine}, metrics="RR", exclude=["q2"])
    assert mine.asked == ["apples"]


@pytest.mark.parametrize(
    "wrong",
    [{"metrics": "nDCGG@10"}, {"clusters": "nofield"}, {"baseline": "nobody"}, {"queries": "all"}],
    ids=lambda wrong: next(iter(wrong)),
)
def test_what_is_wrong_is_said_before_anything_is_asked(wrong: dict[str, str]) -> None:
    mine = Counting()
    with pytest.raises(InputError):
        goldproof.evaluate(dataset(), retrievers={"mine": mine}, **({"metrics": "RR"} | wrong))  # type: ignore[arg-type]
    assert mine.asked == []


def test_judgments_without_texts_cannot_be_asked() -> None:
    with pytest.raises(InputError, match="no judged question has a text"):
        goldproof.evaluate(GRADES, retrievers={"bm25": "bm25"}, corpus=DOCUMENTS, metrics="RR")


def test_k_is_what_retrievers_are_asked_for() -> None:
    result = goldproof.evaluate(dataset(), retrievers={"bm25": "bm25"}, metrics="RR", k=1)
    assert result.retrieved is not None
    assert result.retrieved.rankings["bm25"].to_dict()["q1"].keys() == {"b"}


def test_a_saved_result_holds_its_runs_and_their_latency(tmp_path: Path) -> None:
    result = goldproof.evaluate(dataset(), retrievers={"one": "bm25", "ONE": "bm25 | top(1)"}, metrics="RR")
    result.save(tmp_path / "out")
    assert {"run.one.jsonl", "run.ONE-2.jsonl"} <= {path.name for path in (tmp_path / "out").iterdir()}
    again = goldproof.evaluate(dataset(), runs={"one": tmp_path / "out" / "run.one.jsonl"}, metrics="RR")
    assert again.mean("RR") == result.mean("RR", "one")


def test_every_run_has_a_file_of_its_own() -> None:
    names = run_file_names(["a b", "a/b", "a:b", "A_B", "///"])
    assert names == {
        "a b": "run.a_b.jsonl",
        "a/b": "run.a_b-2.jsonl",
        "a:b": "run.a_b-3.jsonl",
        "A_B": "run.A_B-4.jsonl",
        "///": "run.run.jsonl",
    }


def test_questions_are_a_part_of_the_card(tmp_path: Path) -> None:
    goldproof.evaluate(dataset(), retrievers={"bm25": "bm25"}, metrics="RR").save(tmp_path / "out")
    other = dataset((Question("q1", "red"), *QUESTIONS[1:]))
    with pytest.raises(InputError, match="questions"):
        goldproof.evaluate(other, retrievers={"bm25": "bm25"}, metrics="RR").save(tmp_path / "out")


def test_no_file_stays_open_after_the_run(open_databases: Callable[[], list[str]]) -> None:
    result = goldproof.evaluate(dataset(), retrievers={"dense": "dense(minilm)", "bm25": "bm25"}, metrics="RR")
    assert result.study.panel.runs == ("dense", "bm25")
    assert open_databases() == []


def test_run_files_are_fused_and_scored_without_texts_of_questions(tmp_path: Path) -> None:
    one, other = tmp_path / "one.trec", tmp_path / "other.trec"
    one.write_text("q1 Q0 a 1 9 x\nq1 Q0 b 2 5 x\nq2 Q0 b 1 1 x\n")
    other.write_text("q1 Q0 b 1 0.9 x\nq2 Q0 c 1 0.8 x\n")
    fused = f'hybrid(run("{one}"), run("{other}"), method=mnz) | top(5)'
    result = goldproof.evaluate({"q1": {"b": 1}, "q2": {"c": 1}}, retrievers={"fused": fused}, metrics="RR")
    # q1: a 1 * 1, b (0 + 1) * 2, so b is first; q2: b 1, c 1, tied: c first by id
    assert result.mean("RR", "fused") == 1.0


def test_a_retriever_that_searches_needs_the_texts_also_beside_run_files(tmp_path: Path) -> None:
    run = tmp_path / "run.trec"
    run.write_text("q1 Q0 a 1 9 x\n")
    with pytest.raises(InputError, match="no judged question has a text to search for"):
        goldproof.evaluate(
            {"q1": {"a": 1}}, retrievers={"a": f'run("{run}")', "b": "bm25"}, corpus=DOCUMENTS, metrics="RR"
        )
