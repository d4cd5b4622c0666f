"""What can recover is tried again, within the deadline; what cannot is said at once; who fails always is left alone."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import pytest

from goldproof.concurrency import run_in_loop
from goldproof.errors import ModelDownError, ModelFailedError
from goldproof.llm import access as line_module
from goldproof.llm.access import Access, Breaker
from goldproof.llm.model import Ask, Reply
from goldproof.testing import (
    BadRequest,
    CutConnection,
    ModelServer,
    NotFound,
    QuotaSpent,
    RateLimited,
    ServerError,
    Slow,
    Unauthorized,
)
from tests.llm.asking import answer, answers, model_of

if TYPE_CHECKING:
    from goldproof.testing.steps import Step


@pytest.mark.parametrize(
    "fault", [RateLimited(), ServerError(500), ServerError(503), ServerError(529), CutConnection(), CutConnection(120)]
)
def test_what_can_recover_is_tried_again(fault: Step) -> None:
    with ModelServer([fault, fault, "yes"]) as server:
        access = Access()
        assert answer(model_of(server, access), "q").text == "yes"
        assert server.calls == 3
        assert access.budget.facts()["retries"] == 2
        assert access.budget.facts()["calls"] == 1


def test_as_long_is_waited_as_the_server_asks() -> None:
    with ModelServer([RateLimited(retry_after=1), "yes"]) as server:
        assert answer(model_of(server), "q").text == "yes"
        first, second = server.requests
        assert second.time - first.time >= 1  # our own wait would be 0.015 s at most


def test_retries_are_bounded_and_are_the_only_ones() -> None:
    with ModelServer(ServerError(500)) as server:
        access = Access(retries=2)
        with pytest.raises(ModelFailedError, match=r"^model http://.*#model=tiny: .*500"):
            answer(model_of(server, access), "q")
        assert server.calls == 3
        facts = access.budget.facts()
        assert (facts["failed"], facts["retries"], facts["calls"]) == (1, 2, 0)


def test_a_failed_call_is_not_kept() -> None:
    with ModelServer([ServerError(500), "yes"]) as server:
        with pytest.raises(ModelFailedError):
            answer(model_of(server, retries=0), "q")
        assert answer(model_of(server, retries=0), "q").text == "yes"


def test_what_is_wrong_with_one_question_is_asked_once() -> None:
    with ModelServer(BadRequest("too long")) as server:
        with pytest.raises(ModelFailedError, match=r"400.*too long") as caught:
            answer(model_of(server), "q")
        assert not isinstance(caught.value, ModelDownError)
        assert server.calls == 1


@pytest.mark.parametrize(
    ("fault", "advice"),
    [
        (Unauthorized(), "Check the API key in the environment"),
        (NotFound(), "Check the model's name"),
        (QuotaSpent(), "quota is used up"),
    ],
)
def test_what_holds_for_every_question_is_said_at_once_with_what_to_do(fault: Step, advice: str) -> None:
    with ModelServer(fault) as server:
        with pytest.raises(ModelDownError, match=advice):
            answer(model_of(server), "q")
        assert server.calls == 1


def test_a_wait_beyond_the_deadline_is_not_begun() -> None:
    with ModelServer(RateLimited(retry_after=1000)) as server:
        with pytest.raises(ModelFailedError, match="429"):
            answer(model_of(server), "q")
        assert server.calls == 1


def test_the_deadline_ends_a_slow_call() -> None:
    with ModelServer(Slow(30, "yes")) as server:
        started = time.monotonic()
        with pytest.raises(ModelFailedError, match="timed out"):
            answer(model_of(server, deadline=0.2), "q")
        assert time.monotonic() - started < 20
        assert server.calls == 1


def test_waiting_for_ones_turn_does_not_count_for_the_deadline() -> None:
    with ModelServer(Slow(0.3, "yes")) as server:
        # Three after each other take 0.9 s.
        replies = answers(model_of(server, concurrency=1, deadline=0.8), *(Ask(f"q{i}") for i in range(3)))
        assert [type(reply) for reply in replies] == [Reply] * 3


def test_a_server_that_is_not_there_fails_the_question() -> None:
    with ModelServer() as server:
        model = model_of(server, retries=1)
    with pytest.raises(ModelFailedError, match="onnect"):
        answer(model, "q")


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock for the breakers of lines that are opened in the test."""
    made = Clock()

    def breaker() -> Any:  # noqa: ANN401 - the same class
        return Breaker(clock=made)

    monkeypatch.setattr(line_module, "Breaker", breaker)
    return made


def test_calls_that_fail_in_a_row_open_the_breaker_and_a_probe_closes_it(clock: Clock) -> None:
    with ModelServer([*[ServerError(503)] * 9, "yes"]) as server:
        model = model_of(server, retries=0)
        for i in range(8):
            with pytest.raises(ModelFailedError, match="503") as caught:
                answer(model, f"q{i}")
            assert not isinstance(caught.value, ModelDownError)
        with pytest.raises(ModelDownError, match=r"8 calls in a row failed.*30 s; the last: .*503"):
            answer(model, "next")
        assert server.calls == 8
        clock.now += 30
        with pytest.raises(ModelFailedError, match="503"):  # the probe fails
            answer(model, "next")
        with pytest.raises(ModelDownError):
            answer(model, "next")
        assert server.calls == 9
        clock.now += 30
        assert answer(model, "next").text == "yes"
        assert answer(model, "another").text == "yes"


def test_while_the_breaker_is_open_kept_answers_are_given() -> None:
    with ModelServer(["yes", ServerError(503)]) as server:
        model = model_of(server, retries=0)
        answer(model, "kept")
        for i in range(8):
            with pytest.raises(ModelFailedError):
                answer(model, f"q{i}")
        with pytest.raises(ModelDownError):
            answer(model, "next")
        assert answer(model, "kept").cached


def test_questions_that_are_wrong_do_not_open_the_breaker() -> None:
    with ModelServer(BadRequest()) as server:
        model = model_of(server)
        for i in range(12):
            with pytest.raises(ModelFailedError, match="400") as caught:
                answer(model, f"q{i}")
            assert not isinstance(caught.value, ModelDownError)


def test_everybody_in_the_queue_is_told_that_the_model_is_down() -> None:
    with ModelServer(ServerError(503)) as server:
        model = model_of(server, retries=0, concurrency=4)

        async def many() -> list[Any]:
            return await asyncio.gather(*(model.answer(Ask(f"q{i}")) for i in range(60)), return_exceptions=True)

        down = [isinstance(failure, ModelDownError) for failure in run_in_loop(many())]
        # Calls under way when it opens still fail by themselves: at most 4 - 1 more than 8.
        assert 60 - 11 <= sum(down) <= 60 - 8
        assert server.calls == 60 - sum(down)
