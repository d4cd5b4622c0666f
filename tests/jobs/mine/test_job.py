"""Mining with questions, documents and a judge, through the public function."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

import goldproof
from goldproof.errors import BudgetSpentError, InputError, ModelDownError
from goldproof.judge.judge import YES_NO, Ruling
from goldproof.records.entities import Document, Question

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from goldproof.jobs.mine import MiningResult
    from goldproof.llm.model import Estimate
    from goldproof.progress import Progress

DOCUMENTS = (
    Document("engine", "The engine of the boat is a diesel."),
    Document("sail", "The sail of the boat is red."),
    Document("anchor", "The anchor weighs 40 kg."),
    Document("galley", "The galley has two burners."),
)


def standings(result: MiningResult) -> dict[str, dict[str, str]]:
    return {
        mined.question.id: {document.id: document.standing for document in mined.documents}
        for mined in result.mined.questions
    }


def test_every_candidate_is_judged_and_no_other() -> None:
    asked: list[tuple[str, str]] = []

    def judge(question: Question, documents: Sequence[Document]) -> bool:
        asked.append((question.id, documents[0].id))
        return documents[0].id == "sail"

    questions = [Question("q1", "What colour is the sail?"), Question("q2", "What drives the boat?")]
    result = goldproof.mine(questions, corpus=DOCUMENTS, judge=judge, random=2, hard=1)
    found = [(one.question.id, document.id) for one in result.mined.questions for document in one.documents]
    assert sorted(asked) == sorted(found)
    assert standings(result)["q1"]["sail"] == "positive"
    for stands in standings(result).values():
        assert {one for one, how in stands.items() if how == "positive"} == {"sail"} & set(stands)


def test_what_a_judge_cannot_rule_on_is_unjudged_with_its_reason() -> None:
    def judge(_: Question, documents: Sequence[Document]) -> bool:
        if documents[0].id == "sail":
            raise RuntimeError("seasick")
        return False

    result = goldproof.mine([Question("q", "What colour is the sail?")], corpus=DOCUMENTS, judge=judge, random=4)
    assert standings(result)["q"] == {
        "sail": "unjudged",
        "engine": "negative",
        "anchor": "negative",
        "galley": "negative",
    }
    ruling = next(document.ruling for document in result.mined.questions[0].documents if document.id == "sail")
    assert ruling is not None
    assert ruling.label == "failed"
    assert "seasick" in ruling.reason


def test_kernels_with_the_answer_judge_need_all_parts_of_the_answer() -> None:
    questions = [Question("q", "What drives the boat, and how heavy is its anchor?", answer="40 kg")]
    with pytest.raises(InputError, match="last hop"):
        goldproof.mine(questions, corpus=DOCUMENTS, judge="answer", kernels=True)
    parts = {"answer_parts": ["diesel", "40 kg"]}
    questions = [Question("q", "What drives the boat, and how heavy is its anchor?", answer="40 kg", metadata=parts)]
    result = goldproof.mine(questions, corpus=DOCUMENTS, judge="answer", kernels=True)
    (mined,) = result.mined.questions
    assert mined.kernels == (("anchor", "engine"),)
    assert {one for one, how in standings(result)["q"].items() if how == "partial"} == {"anchor", "engine"}


def test_where_only_some_questions_can_have_kernels_the_others_are_named() -> None:
    parts = {"answer_parts": ["diesel", "40 kg"]}
    questions = [
        Question("both", "What drives the boat, and how heavy is its anchor?", answer="40 kg", metadata=parts),
        Question("one", "What colour is the sail?", answer="red"),
    ]
    result = goldproof.mine(questions, corpus=DOCUMENTS, judge="answer", kernels=True)
    assert [bool(mined.kernels) for mined in result.mined.questions] == [True, False]
    assert any("question one:" in remark for remark in result.mined.remarks)


def test_nothing_to_mine_is_refused() -> None:
    question = [Question("q", "What colour is the sail?")]
    with pytest.raises(InputError, match="documents: there are none"):
        goldproof.mine(question, corpus=[])
    with pytest.raises(InputError, match="expected files of cases"):
        goldproof.mine([], corpus=DOCUMENTS)
    with pytest.raises(InputError, match="corpus"):
        goldproof.mine(question)


def test_the_same_question_twice_is_refused() -> None:
    with pytest.raises(InputError, match="the same id"):
        goldproof.mine([Question("q", "a"), Question("q", "b")], corpus=DOCUMENTS)


class RaisingJudge:
    """Says no to every document, and raises an error for the question `bad`. begun: questions that were asked about."""

    key = "raising"
    scale = YES_NO
    concurrency = 2

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.begun: list[str] = []

    async def judge(self, question: Question, documents: Sequence[Document]) -> Ruling:
        self.begun.append(question.id)
        await asyncio.sleep(0.05 if question.id == "slow" else 0.01)
        if question.id == "bad":
            raise self.error
        return Ruling("no", reason=documents[0].id)

    def estimate(self, question: Question, documents: Sequence[Document]) -> Estimate:
        raise NotImplementedError

    def why_not_sets(self, question: Question) -> str | None:
        return f"{question.id}: no sets"


@pytest.mark.parametrize("error", [BudgetSpentError("spent"), ModelDownError("down")])
def test_what_ends_the_run_lets_the_others_under_way_finish(error: Exception) -> None:
    judge = RaisingJudge(error)
    questions = [Question(name, name) for name in ("slow", "bad", "never")]
    result = goldproof.mine(questions, corpus=DOCUMENTS, judge=judge, random=1, hard=0)
    assert result.stopped == str(error)
    assert [mined.question.id for mined in result.mined.questions] == ["slow"]
    assert judge.begun == ["slow", "bad"]


def test_an_error_of_another_kind_is_raised() -> None:
    with pytest.raises(InputError, match="wrong"):
        goldproof.mine(
            [Question("bad", "bad")], corpus=DOCUMENTS, judge=RaisingJudge(InputError("wrong")), random=1, hard=0
        )


def test_every_judged_candidate_and_every_finished_question_is_reported() -> None:
    reports: list[Progress] = []
    questions = [Question(name, name) for name in ("a", "b")]
    judge = RaisingJudge(InputError("never raised"))
    goldproof.mine(questions, corpus=DOCUMENTS, judge=judge, random=2, hard=0, on_progress=reports.append)
    # 2 questions of 2 candidates each: four rulings and two questions
    assert len(reports) == 6
    assert {(progress.stage, progress.total, progress.failed) for progress in reports} == {("mining", 2, 0)}
    assert (reports[0].done, reports[0].note) == (0, "0 calls, $0.0000, 1 of 4 candidates judged")
    assert (reports[-1].done, reports[-1].note) == (2, "0 calls, $0.0000, 4 of 4 candidates judged")


def test_order_and_concurrency_do_not_change_the_files(tmp_path: Path) -> None:
    questions = [Question(f"q{i}", f"What of {word}?", answer=word) for i, word in enumerate(("red", "40 kg", "two"))]
    for name in ("one", "two"):
        goldproof.mine(questions, corpus=DOCUMENTS, random=2, hard=2, seed=3).save(tmp_path / name)
    files = [path for path in sorted((tmp_path / "one").rglob("*")) if path.is_file() and path.name != "run.json"]
    assert len(files) > 6
    for path in files:
        assert path.read_bytes() == (tmp_path / "two" / path.relative_to(tmp_path / "one")).read_bytes()
