"""`goldproof memory run --judge`: what a model's grades become."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof import run_memory
from goldproof.errors import ModelFailedError
from goldproof.io.scenarios.scenario import Query
from goldproof.jobs.memory.scoring import open_grader
from goldproof.judge import GRADES_10, YES_NO, LlmJudge
from goldproof.llm.model import open_model
from tests.jobs.memory.scripted import one_query

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.jobs.memory.result import MemoryResult
    from goldproof.judge import Scale

QUERY = Query("q", "Where do I live?", "follow_up", {"m0": 2})


def graded(answer: Callable[[str], object], *, scale: Scale = GRADES_10) -> MemoryResult:
    judge = LlmJudge([open_model(answer)], scale=scale)
    return run_memory(one_query(QUERY, "I live in Oslo."), "everything", judge=judge, self_check=False)


@pytest.mark.parametrize("grade", [0, 3, 6, 7, 8, 10])
def test_a_grade_without_a_quote_counts_as_it_is(grade: int) -> None:
    result = graded(lambda _: {"grade": grade, "reason": "it says where"})
    assert result["summary"]["avg_relevance_score"] == pytest.approx(grade / 10)
    assert result["summary"]["undecided"] == 0


def test_a_model_that_grades_is_asked_for_no_quote_and_the_card_names_the_prompt() -> None:
    asked: list[str] = []

    def answer(prompt: str) -> dict[str, object]:
        asked.append(prompt)
        return {"grade": 8, "reason": ""}

    result = graded(answer)
    assert len(asked) == 1
    assert "quote" not in asked[0]
    assert "grade-0-10-1" in str(result.provenance.settings["judge"])


def test_a_yes_without_a_quote_leaves_relevance_undefined_with_its_reason_and_is_counted() -> None:
    result = graded(lambda _: {"answerable": "YES", "reason": "sure"}, scale=YES_NO)
    why = "the judge proved nothing: a yes without a quote. sure"
    assert result["summary"]["avg_relevance_score"] is None
    assert result["summary"]["undecided"] == 1
    assert result["individual_results"][0]["undefined"]["relevance_score"] == why
    assert result["individual_results"][0]["passed"] is None
    assert " ".join(result.remarks) == (
        "everything: the judge gave no usable grade for 1 of 1 returned items, so relevance_score is undefined for 1 "
        f"queries and failed for 0. The first reason: {why}"
    )
    assert "undecided" in str(result)


def test_where_the_model_fails_relevance_has_failed() -> None:
    def answer(_: str) -> object:
        raise ModelFailedError("no route to host")

    result = graded(answer)
    summary = result.study.summary("everything", "relevance_score")
    assert (summary.n, summary.n_failed, summary.n_undefined) == (0, 1, 0)
    (failed,) = (one["failed"] for one in result["individual_results"])
    assert failed["relevance_score"].startswith("the judge failed: ")


def test_a_judge_of_yes_and_no_keeps_its_quotes_and_any_other_judge_is_left_as_it_is() -> None:
    def model(_: str) -> dict[str, object]:
        return {}

    yes_no = LlmJudge([open_model(model)])
    assert open_grader(yes_no) is yes_no
    assert open_grader("keyword").key.startswith("keyword")
    assert open_grader(LlmJudge([open_model(model)], scale=GRADES_10, votes=3)).key.endswith(
        "grade-0-10-1 votes=3 temperature=0.7"
    )
