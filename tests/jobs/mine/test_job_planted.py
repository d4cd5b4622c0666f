"""Mining recovers exactly what was planted: positives and minimal kernels, whatever happens on the way."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

import goldproof
from goldproof.llm.access import Access, using_access
from goldproof.llm.budget import Budget
from goldproof.llm.prices import Price
from goldproof.testing import MALFORMED, PASSING, Faults, ModelServer
from tests.jobs.mine.planted import Teacher, World, answer, make_world

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.jobs.mine import MiningResult


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))


def check_all_found(result: MiningResult, world: World) -> None:
    """Kernels as planted; documents that suffice alone are positive, others of a kernel partial, the rest negative."""
    assert result.mined.stopped == ""
    assert len(result.mined.questions) == len(world.questions)
    for mined in result.mined.questions:
        planted = world.kernels(mined.question)
        assert set(mined.kernels) == planted, mined.question.id
        alone = {kernel[0] for kernel in planted if len(kernel) == 1}
        parts = {document for kernel in planted for document in kernel} - alone
        standing = {document.id: document.standing for document in mined.documents}
        assert {one for one, how in standing.items() if how == "positive"} == alone
        assert {one for one, how in standing.items() if how == "partial"} == parts
        assert {how for one, how in standing.items() if one not in alone | parts} <= {"negative", "unjudged"}
        assert mined.status == "answerable"


def test_a_teacher_who_knows_leads_to_every_planted_positive_and_kernel() -> None:
    world = make_world()
    assert {len(kernel) for question in world.questions for kernel in world.kernels(question)} == {1, 2, 3, 4}
    result = goldproof.mine(world.questions, corpus=world.documents, judge=_judge(world), kernels=True, random=3)
    check_all_found(result, world)


def test_a_server_that_fails_now_and_then_changes_nothing_but_the_calls() -> None:
    world = make_world(questions=4)
    faults = Faults(partial(answer, Teacher(world)), every=3, kinds=(*PASSING, *MALFORMED), seed=1)
    with ModelServer(faults) as server:
        judge = f"llm:{server.url}#model=teacher"
        result = goldproof.mine(world.questions, corpus=world.documents, judge=judge, kernels=True, random=3)
    check_all_found(result, world)
    assert sum(faults.injected.values()) > 10
    assert len(faults.injected) > 4


def test_a_second_run_asks_nothing() -> None:
    world = make_world(questions=6)
    with ModelServer(partial(answer, Teacher(world))) as server:
        judge = f"llm:{server.url}#model=teacher"
        first = goldproof.mine(world.questions, corpus=world.documents, judge=judge, kernels=True)
        calls = server.calls
        second = goldproof.mine(world.questions, corpus=world.documents, judge=judge, kernels=True)
        assert server.calls == calls
    assert first.mined.questions == second.mined.questions


def test_a_budget_that_ends_stops_cleanly_and_the_same_call_goes_on(tmp_path: Path) -> None:
    world = make_world(questions=6)
    rounds, paid = 0, 0.0
    with ModelServer(partial(answer, Teacher(world))) as server:
        while True:
            budget = Budget(0.05)
            with using_access(Access(budget=budget, price=Price(10.0, 50.0))):
                result = goldproof.mine(
                    world.questions,
                    corpus=world.documents,
                    judge=f"llm:{server.url}#model=teacher",
                    kernels=True,
                    no_context=False,
                )
            assert budget.spent <= 0.05
            rounds, paid = rounds + 1, paid + budget.spent
            if not result.mined.stopped:
                break
            assert "--max-cost" in result.mined.stopped
            with pytest.raises(goldproof.GoldproofError, match="stopped early"):
                result.save(tmp_path / "out")
            assert not (tmp_path / "out" / "judgments.jsonl").exists()
            assert rounds < 100
        requests = [request.content for request in server.requests]
    check_all_found(result, world)
    assert rounds > 2
    assert len(requests) == len(set(requests))  # nothing is paid twice


def test_what_a_judge_of_the_callers_spends_is_reported_and_cannot_be_limited_here() -> None:
    world = make_world(questions=2)
    with using_access(Access(price=Price(1.0, 1.0), budget=Budget())):
        judge = _judge(world)
    result = goldproof.mine(world.questions, corpus=world.documents, judge=judge, no_context=False)
    assert result.mined.spent["calls"] == sum(len(one.documents) for one in result.mined.questions)
    with pytest.raises(goldproof.GoldproofError, match="max_cost limits models that are opened by name"):
        goldproof.mine(world.questions, corpus=world.documents, judge=judge, max_cost=1.0)


def test_a_limit_in_python_keeps_the_price_that_was_said() -> None:
    world = make_world(questions=2)
    with ModelServer(partial(answer, Teacher(world))) as server, using_access(Access(price=Price(1000.0, 1000.0))):
        judge = f"llm:{server.url}#model=teacher"
        result = goldproof.mine(world.questions, corpus=world.documents, judge=judge, max_cost=0.01, no_context=False)
    assert "--max-cost" in result.stopped


def _judge(world: World) -> object:
    from goldproof.judge import LlmJudge
    from goldproof.llm import open_model

    return LlmJudge([open_model(Teacher(world))])
