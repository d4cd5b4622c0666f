"""The loop of an agent: asked with its transcript, ended by an action, its steps or its model."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import BaseModel

from goldproof.errors import BudgetSpentError, ModelDownError, ModelFailedError
from goldproof.llm import AgentRun, AgentTurn, Ask, Reply, run_agent, transcript
from goldproof.llm.agent import CUT, LEFT_OUT, LONGEST_RESULT, cut

if TYPE_CHECKING:
    from collections.abc import Sequence


class Word(BaseModel):
    word: str


class Counting:
    """A model that says `word 1`, `word 2` and so on; failing: what it raises or returns at the step after those."""

    key = "counting"

    def __init__(self, failing: Exception | Reply | None = None, *, after: int = 0) -> None:
        self.failing = failing
        self.after = after
        self.prompts: list[str] = []

    async def answer(self, ask: Ask) -> Reply:
        self.prompts.append(ask.prompt)
        if self.failing is not None and len(self.prompts) > self.after:
            if isinstance(self.failing, Exception):
                raise self.failing
            return self.failing
        return Reply("", value=Word(word=f"word {len(self.prompts)}"))


def next_ask(turns: Sequence[AgentTurn]) -> Ask:
    return Ask(transcript(turns, longest=1_000) or "(begin)", output=Word)


def run(model: Any, *, last: str = "", steps: int = 3) -> AgentRun[Word]:  # noqa: ANN401 - a model of which one method is used
    def act(action: Word) -> AgentTurn | None:
        return None if action.word == last else AgentTurn(action.word, "heard")

    return asyncio.run(run_agent(model, form=Word, next_ask=next_ask, act=act, steps=steps))


def test_the_action_that_ends_the_run_is_its_answer_and_no_turn() -> None:
    assert run(Counting(), last="word 2") == AgentRun("answered", (AgentTurn("word 1", "heard"),), Word(word="word 2"))


def test_each_ask_repeats_the_turns_before_it() -> None:
    model = Counting()
    run(model, steps=3)
    first, second = "Step 1: word 1\nheard", "Step 2: word 2\nheard"
    assert model.prompts == ["(begin)", first, f"{first}\n\n{second}"]


def test_the_last_step_ends_a_run_without_an_answer() -> None:
    ended = run(Counting(), steps=2)
    assert (ended.ended, len(ended.turns), ended.answer) == ("out of steps", 2, None)
    assert ended.reason == "no answer within 2 steps"


@pytest.mark.parametrize(
    ("failing", "reason"),
    [
        (ModelFailedError("no form"), "the model failed at step 2: no form"),
        (Reply("plain text"), "the model gave no action at step 2"),
    ],
)
def test_a_model_that_fails_ends_the_run_with_its_step(failing: Exception | Reply, reason: str) -> None:
    ended = run(Counting(failing, after=1))
    assert ended == AgentRun("failed", (AgentTurn("word 1", "heard"),), reason=reason)


@pytest.mark.parametrize("error", [ModelDownError("gone"), BudgetSpentError("spent")])
def test_what_ends_the_whole_job_is_raised(error: Exception) -> None:
    with pytest.raises(type(error)):
        run(Counting(error, after=1))


def test_acting_does_not_block_the_event_loop() -> None:
    threads: list[threading.Thread] = []

    def act(action: Word) -> AgentTurn | None:
        del action
        threads.append(threading.current_thread())
        return None

    model: Any = Counting()
    asyncio.run(run_agent(model, form=Word, next_ask=next_ask, act=act, steps=1))
    assert threads != [threading.current_thread()]


def test_old_results_give_way_to_new_ones() -> None:
    text = transcript([AgentTurn(f"inspect d{i}", f"{i}" * 5_999) for i in range(6)], longest=24_000)
    assert len(text) < 25_000
    # four times 5,999 characters fit into 24,000; the two oldest do not
    assert [line for line in text.split("\n\n") if LEFT_OUT in line] == [
        f"Step 1: inspect d0\n{LEFT_OUT}",
        f"Step 2: inspect d1\n{LEFT_OUT}",
    ]
    assert "5" * 5_999 in text


def test_a_result_that_is_too_long_is_cut() -> None:
    text = transcript([AgentTurn("inspect d", "x" * 50_000)], longest=24_000)
    assert text == "Step 1: inspect d\n" + "x" * (LONGEST_RESULT - len(CUT)) + CUT
    assert cut("abc", longest=3) == "abc"
