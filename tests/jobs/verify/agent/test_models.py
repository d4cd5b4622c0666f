"""The agent with models that fail, over HTTP and otherwise: what passes is got over, what does not ends one case."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from goldproof.errors import BudgetSpentError, ModelDownError
from goldproof.jobs.verify.agent import AgentProofs, prove
from goldproof.llm import open_model
from goldproof.llm.access import Access
from goldproof.llm.budget import Budget
from goldproof.llm.prices import Price
from goldproof.testing import (
    MALFORMED,
    Faults,
    InvalidJson,
    Json,
    ModelServer,
    RateLimited,
    Refusal,
    SchemaViolation,
    ServerError,
    Slow,
    Unauthorized,
)
from tests.jobs.verify.agent.exams import PROOF_B, PROOF_C, YAML, Script, act, finish, yaml_case

if TYPE_CHECKING:
    from goldproof.sandbox import Sandbox

SOLVED = [Json(PROOF_B), Json(PROOF_C), Json(finish())]


def solve(server: ModelServer, sandbox: Sandbox, access: Access | None = None) -> AgentProofs:
    model = open_model(f"{server.url}#model=x", access or Access(deadline=20))
    work = prove(yaml_case(), open_letters=["B", "C"], refuted={}, library=YAML, run=sandbox.run, model=model)
    return asyncio.run(work)


def decided(found: AgentProofs) -> dict[str, str]:
    return {one.proof.option: one.standing for one in found.tries}


@pytest.mark.parametrize(
    "fault",
    [RateLimited(retry_after=0), ServerError(500), ServerError(503), InvalidJson(), SchemaViolation()],
    ids=lambda one: type(one).__name__,
)
def test_faults_that_pass_are_got_over(fault: object, sandbox: Sandbox) -> None:
    with ModelServer([SOLVED[0], fault, SOLVED[1], SOLVED[2]]) as server:  # type: ignore[list-item]
        found = solve(server, sandbox)
        assert server.calls == 4
    assert decided(found) == {"B": "confirmed", "C": "refuted"}
    assert found.notes.steps == 3


def test_a_slow_answer_that_comes_too_late_ends_the_case_with_a_reason(sandbox: Sandbox) -> None:
    with ModelServer(Slow(60, SOLVED[0])) as server:
        found = solve(server, sandbox, Access(deadline=0.3, retries=0))
    assert found.tries == ()
    assert found.reason.startswith("the agent decided nothing about B, C: the model failed at step 1: ")


def test_a_model_that_declines_ends_the_case_and_what_was_proven_stays(sandbox: Sandbox) -> None:
    with ModelServer([SOLVED[0], Refusal()]) as server:
        found = solve(server, sandbox, Access(deadline=20, repairs=1))
    assert decided(found) == {"B": "confirmed"}
    assert found.notes.ended.startswith("the model failed at step 2: ")


def test_a_wrong_key_stops_everything(sandbox: Sandbox) -> None:
    with ModelServer(Unauthorized()) as server, pytest.raises(ModelDownError):
        solve(server, sandbox)


def test_a_spent_budget_stops_everything(sandbox: Sandbox) -> None:
    with ModelServer(SOLVED) as server, pytest.raises(BudgetSpentError):
        solve(server, sandbox, Access(budget=Budget(1e-9), price=Price(1.0, 1.0)))


def test_many_faults_at_random_change_nothing(sandbox: Sandbox) -> None:
    faults = Faults(list(SOLVED), every=2, kinds=(RateLimited(retry_after=0), ServerError(500), *MALFORMED), seed=3)
    with ModelServer(faults) as server:
        found = solve(server, sandbox, Access(deadline=30, repairs=3))
    assert sum(faults.injected.values()) > 0
    assert decided(found) == {"B": "confirmed", "C": "refuted"}


def test_an_audit_that_is_run_again_asks_nobody(sandbox: Sandbox) -> None:
    with ModelServer(list(SOLVED)) as server:
        first = solve(server, sandbox)
        calls = server.calls
        again = solve(server, sandbox)
        assert server.calls == calls == 3
    assert decided(again) == decided(first)
    assert again.notes == first.notes


def test_a_function_that_raises_ends_the_case(sandbox: Sandbox) -> None:
    def broken(prompt: str) -> str:
        raise ValueError(f"no idea, {len(prompt) > 0}")

    found = act(broken, sandbox.run)
    assert found.tries == ()
    assert "ValueError: no idea, True" in found.notes.ended


def test_prompts_stay_bounded_however_much_is_done(sandbox: Sandbox) -> None:
    # 24 steps, each with a script of 6,000 characters that observes as many.
    text = "from goldproof_proof import observe_code\nobserve_code('\"x\" * 9000')\n#{}\n".ljust(6_000, "#")
    script = Script(*({"action": "run", "script": text.replace("{}", str(number))} for number in range(24)))
    act(script, sandbox.run)
    assert len(script.prompts) == 24
    assert max(map(len, script.prompts)) < 48_000
