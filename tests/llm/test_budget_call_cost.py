"""A limit on what is spent holds whatever a model says, is used up, and nobody waits for money in vain."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.usage import RequestUsage

from goldproof.concurrency import run_in_loop
from goldproof.errors import BudgetSpentError, ModelFailedError
from goldproof.llm.access import Access
from goldproof.llm.budget import Budget, Reservation
from goldproof.llm.client import CachedModel
from goldproof.llm.model import Ask, Reply, open_model
from goldproof.llm.prices import Price, count_tokens, most_tokens
from goldproof.llm.provider_model import ProviderTransport
from goldproof.testing import BadRequest, CutConnection, ModelServer, Request, ServerError, Slow, read_ledger
from tests.llm.asking import Verdict, answer, answers, judged, model_of

if TYPE_CHECKING:
    from pathlib import Path

CENTS = st.integers(1, 300).map(lambda cents: cents / 100)


def at_length(request: Request) -> Slow:
    """Answer with 3,000 tokens or as many as may be, as a model that reasons does."""
    return Slow(0.01, "word" * min(3000, int(request.body["max_tokens"])))


def test_long_answers_of_calls_at_once_never_go_over_the_limit_and_use_most_of_it(tmp_path: Path) -> None:
    price = Price(2, 12)
    with ModelServer(at_length, ledger=tmp_path / "ledger") as server:
        access = Access(budget=Budget(0.5), price=price, concurrency=8)
        replies = answers(model_of(server, access), *(Ask(f"question {i} " * 40) for i in range(60)))
    assert {type(reply) for reply in replies} >= {Reply, BudgetSpentError}
    paid = sum(price.cost(line["tokens_in"], line["tokens_out"]) for line in read_ledger(tmp_path / "ledger"))
    assert 0.6 * 0.5 <= paid <= 0.5
    assert access.budget.facts()["cost"] == pytest.approx(paid)
    assert access.budget.reserved == 0


def test_a_small_limit_is_kept_as_well(tmp_path: Path) -> None:
    price = Price(2, 12)
    with ModelServer(at_length, ledger=tmp_path / "ledger") as server:
        access = Access(budget=Budget(0.05), price=price, concurrency=8)
        answers(model_of(server, access), *(Ask(f"q{i}") for i in range(20)))
    paid = sum(price.cost(line["tokens_in"], line["tokens_out"]) for line in read_ledger(tmp_path / "ledger"))
    assert 0.6 * 0.05 <= paid <= 0.05


def test_the_limit_of_an_answer_is_what_the_money_affords_and_8192_at_most() -> None:
    with ModelServer("yes") as server:
        # Of the answer 1 token is written: a cent. 300 cents afford 300 tokens, then 299.
        model = model_of(server, budget=Budget(3), price=Price(0, 10_000))
        for prompt in ("a", "b"):
            answer(model, prompt)
        answer(model_of(server, budget=Budget(300), price=Price(0, 10_000)), "c")
        assert [request.body["max_tokens"] for request in server.requests] == [300, 299, 8192]


@pytest.mark.parametrize(
    ("max_cost", "price"), [(None, Price(1, 1)), (None, None), (5.0, Price(0, 0)), (0.0, Price(0, 0))]
)
def test_without_a_limit_or_a_cost_no_limit_is_sent(max_cost: float | None, price: Price | None) -> None:
    with ModelServer("yes") as server:
        answer(model_of(server, budget=Budget(max_cost), price=price), "q")
        assert not {"max_tokens", "max_completion_tokens"} & set(server.requests[0].body)


def test_each_endpoint_is_sent_the_limit_under_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    with ModelServer("yes") as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        for name in ("openai-chat:tiny", "openai:tiny"):
            answer(open_model(name, Access(budget=Budget(3), price=Price(0, 10_000))), "q")
        chat, responses = server.requests
        assert (chat.body["max_completion_tokens"], responses.body["max_output_tokens"]) == (300, 300)


def test_a_model_that_writes_less_than_the_limit_is_sent_half_of_it_from_then_on() -> None:
    def script(request: Request) -> str | BadRequest:
        limit = int(request.body["max_tokens"])
        return BadRequest(f"max_tokens is too large: {limit}; at most 4096.") if limit > 4096 else "yes"

    with ModelServer(script) as server:
        access = Access(budget=Budget(300), price=Price(0, 10_000))
        model = model_of(server, access)
        for prompt in ("a", "b"):
            answer(model, prompt)
        assert [request.body["max_tokens"] for request in server.requests] == [8192, 4096, 4096]
        assert access.budget.facts()["cost"] == 0.02


def test_what_is_wrong_with_a_question_has_an_end_also_where_the_limit_is_blamed() -> None:
    with ModelServer(BadRequest("reduce the messages or the completion")) as server:
        with pytest.raises(ModelFailedError, match="reduce the messages"):
            answer(model_of(server, budget=Budget(300), price=Price(0, 10_000)), "q")
        assert [request.body["max_tokens"] for request in server.requests] == [8192, 4096, 2048, 1024, 512, 256]


def test_what_is_read_is_estimated_generously_for_the_limit() -> None:
    # 80 bytes * 3 / 8 = 30 = 1.5 * 20; 10 characters of 3 bytes: 30 * 3 / 8 = 11.25
    assert (most_tokens("x" * 80), count_tokens("x" * 80)) == (30, 20)
    assert most_tokens("\u4e2d" * 10) == 12
    assert most_tokens("half \ud800") > 0


def cut_at_cap(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    limit = int((info.model_settings or {}).get("max_tokens", 0))
    if not limit:
        return ModelResponse([TextPart("whole")])
    is_repair = len(messages) > 1
    text = '{"label": "yes", "quote": ""}' if is_repair else '{"label": "y'
    usage = RequestUsage(input_tokens=10, output_tokens=20 if is_repair else limit)
    return ModelResponse([TextPart(text)], usage=usage, finish_reason="stop" if is_repair else "length")


def limited(max_cost: float | None, **more: bool) -> CachedModel:
    transport = ProviderTransport(lambda: FunctionModel(cut_at_cap), "scripted")
    return CachedModel(transport, Access(budget=Budget(max_cost), price=Price(0, 1_000), **more))


def test_a_form_that_was_cut_off_is_kept_and_repaired_when_there_is_money_again() -> None:
    with pytest.raises(BudgetSpentError):
        answer(limited(0.5), judged("q"))  # 500 tokens at 0.001 each are written, and nothing is left
    reply = answer(limited(20.0), judged("q"))
    assert (reply.value, reply.repairs, reply.tokens_out) == (Verdict(label="yes", quote=""), 1, 520)


def test_text_that_was_cut_off_at_our_limit_is_no_answer() -> None:
    for _ in range(2):
        with pytest.raises(ModelFailedError, match=r"cut off after 500 tokens, which was all that --max-cost allowed"):
            answer(limited(0.5), "q")
    assert answer(limited(None, retry_failed=True), "q").text == "whole"


def test_whoever_finds_the_money_reserved_waits_until_it_comes_back() -> None:
    with ModelServer(Slow(0.02, "yes")) as server:
        # 200 tokens are expected, at a cent each, and 1 is written: of 2.10 dollars 11 calls can be paid one by one.
        access = Access(budget=Budget(2.10), price=Price(0, 10_000), concurrency=8)
        replies = answers(model_of(server, access), *(Ask(f"q{i}") for i in range(20)))
        assert [type(reply) for reply in replies].count(Reply) == server.calls == 11
        assert {type(reply) for reply in replies} == {Reply, BudgetSpentError}
        assert access.budget.facts()["cost"] == pytest.approx(0.11)


def test_who_waits_for_money_can_be_interrupted_and_nothing_is_lost() -> None:
    async def scene() -> tuple[Reservation, float]:
        budget = Budget(1.0)
        first = await budget.reserve_when_free(0.8, name="m")
        waiting = [asyncio.create_task(budget.reserve_when_free(0.8, name="m")) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        first.cancel()
        await asyncio.wait(waiting[:2])
        held = budget.reserved
        waiting[2].cancel()
        await asyncio.wait(waiting)
        return waiting[1].result(), held

    reservation, held = run_in_loop(scene())
    assert reservation.cost == held == 0.8


def test_money_that_comes_back_in_another_thread_wakes_who_waits() -> None:
    budget = Budget(1.0)
    first = budget.reserve(0.8, name="m")
    ends = threading.Timer(0.05, first.cancel)
    ends.start()
    assert asyncio.run(asyncio.wait_for(budget.reserve_when_free(0.8, name="m"), 20)).cost == 0.8


def test_who_waits_is_refused_when_the_last_call_has_used_it_up() -> None:
    async def scene() -> None:
        budget = Budget(1.0)
        first = await budget.reserve_when_free(0.8, name="m")
        waits = asyncio.create_task(budget.reserve_when_free(0.8, name="m"))
        await asyncio.sleep(0)
        first.settle(0.5, 1, 1)
        with pytest.raises(BudgetSpentError, match=r"could cost \$0\.80.*\(\$0\.50 spent\)"):
            await asyncio.wait_for(waits, 20)

    run_in_loop(scene())


def test_a_cap_is_not_squeezed_while_others_may_give_money_back() -> None:
    async def scene() -> list[float]:
        budget = Budget(1.0)
        first = await budget.reserve_when_free(0.1, most=0.7, name="m")
        second = asyncio.create_task(budget.reserve_when_free(0.1, most=0.7, name="m"))
        await asyncio.sleep(0)
        assert not second.done()  # 0.3 is free, which would do
        first.settle(0.2, 1, 1)
        third = await second
        third.settle(0.2, 1, 1)
        return [first.cost, third.cost, (await budget.reserve_when_free(0.1, most=0.7, name="m")).cost]

    assert run_in_loop(scene()) == [0.7, 0.7, 0.6]


@given(limit=CENTS, calls=st.lists(st.tuples(CENTS, CENTS, st.floats(0, 1), st.booleans()), max_size=12))
@settings(max_examples=60)
def test_any_calls_at_once_keep_the_limit_and_stop_only_where_nothing_fits(
    limit: float, calls: list[tuple[float, float, float, bool]]
) -> None:
    budget = Budget(limit)

    async def one(cost: float, more: float, share: float, *, made: bool) -> None:
        try:
            reservation = await budget.reserve_when_free(cost, most=cost + more, name="m")
        except BudgetSpentError:
            assert budget.reserved == 0
            assert budget.spent + cost > limit - 1e-9
            return
        await asyncio.sleep(0)
        if made:
            reservation.settle(reservation.cost * share, 1, 1)
        else:
            reservation.cancel()
        assert budget.spent <= limit + 1e-9

    async def all_at_once() -> None:
        await asyncio.wait_for(asyncio.gather(*(one(*call[:3], made=call[3]) for call in calls)), 30)

    asyncio.run(all_at_once())
    assert budget.reserved == 0


def test_loops_in_several_threads_share_a_budget_to_its_end() -> None:
    budget = Budget(1.0)
    refused: list[int] = []

    async def work() -> None:
        while True:
            try:
                reservation = await asyncio.wait_for(budget.reserve_when_free(0.01, most=0.4, name="m"), 30)
            except BudgetSpentError:
                refused.append(1)
                return
            await asyncio.sleep(0)
            reservation.settle(0.01, 1, 1)

    async def several() -> None:
        await asyncio.gather(*(work() for _ in range(4)))

    threads = [threading.Thread(target=lambda: asyncio.run(several())) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    # A hundred calls of a cent.
    assert (budget.spent, budget.facts()["calls"], len(refused)) == (1.0, 100, 12)


def test_every_attempt_that_was_cut_off_after_it_was_sent_counts_at_its_estimate() -> None:
    with ModelServer([CutConnection(), ServerError(500), CutConnection(60), "yes"]) as server:
        access = Access(budget=Budget(50), price=Price(0, 10_000))
        answer(model_of(server, access), "q")
        facts = access.budget.facts()
        # Two of 200 tokens each, and the answer's one, at a cent each; the error costs nothing.
        assert (facts["uncertain_calls"], facts["calls"], facts["cost"]) == (2, 1, 4.01)


def test_a_call_past_its_deadline_counts_at_its_estimate() -> None:
    with ModelServer(Slow(30, "yes")) as server:
        access = Access(deadline=0.2, price=Price(0, 10_000))
        with pytest.raises(ModelFailedError, match="timed out"):
            answer(model_of(server, access), "q")
        assert (access.budget.facts()["uncertain_calls"], access.budget.spent) == (1, 2.0)


def test_a_call_that_could_not_be_sent_costs_nothing() -> None:
    with ModelServer() as server:
        access = Access(retries=1, price=Price(0, 10_000))
        model = model_of(server, access)
    with pytest.raises(ModelFailedError, match="onnect"):
        answer(model, "q")
    assert (access.budget.facts()["uncertain_calls"], access.budget.spent, access.budget.reserved) == (0, 0, 0)


def test_a_function_that_costs_nothing_is_never_held_up() -> None:
    access = Access(budget=Budget(0.0), concurrency=8)
    replies = answers(open_model(str.upper, access), *(Ask(f"q{i}") for i in range(20)))
    assert {type(reply) for reply in replies} == {Reply}


def test_between_attempts_nobody_waits_for_a_turn_that_comes_after_the_deadline() -> None:
    with ModelServer([ServerError(503), "yes"]) as server:
        # 12 a minute: the second turn comes 5 s after the first.
        model = model_of(server, rate=12, deadline=1)
        started = time.monotonic()
        with pytest.raises(ModelFailedError, match="503"):
            answer(model, "q")
        assert time.monotonic() - started < 4
        assert server.calls == 1


def test_who_gives_up_leaves_their_turn_to_the_next() -> None:
    with ModelServer("yes") as server:
        # 60 a minute: turns at 0, 1, 2, ... seconds. Of 30 who wait all but the last give up.
        model = model_of(server, rate=60, concurrency=64)

        async def scene() -> float:
            await model.answer(Ask("first"))
            tasks = [asyncio.create_task(model.answer(Ask(f"q{i}"))) for i in range(30)]
            await asyncio.sleep(0.1)
            for task in tasks[:-1]:
                task.cancel()
            started = time.monotonic()
            await tasks[-1]
            return time.monotonic() - started

        assert run_in_loop(scene()) < 15
        assert server.calls == 2


def test_between_attempts_nobody_waits_for_money_beyond_the_deadline() -> None:
    def script(request: Request) -> Slow | ServerError:
        return ServerError(503) if request.prompt == "fails" else Slow(0.9, "yes")

    with ModelServer(script) as server:
        # All the money is set aside for one call at a time: when the first fails, the second has it for 0.9 s.
        budget, price = Budget(5), Price(0, 10_000)
        model = model_of(server, budget=budget, price=price, deadline=0.5)
        patient = model_of(server, budget=budget, price=price)

        async def scene() -> list[Reply | BaseException]:
            asked = model.answer(Ask("fails")), patient.answer(Ask("slow"))
            return list(await asyncio.gather(*asked, return_exceptions=True))

        failed, slow = run_in_loop(scene())
        assert isinstance(failed, ModelFailedError)
        assert "503" in str(failed)
        assert isinstance(slow, Reply)
        assert server.calls == 2


FORKING = """
import asyncio, os, sys
from goldproof.llm.budget import Budget
budget = Budget(1.0)
first = budget.reserve(0.8, name="m")
child = os.fork()
if child == 0:
    mine = asyncio.run(asyncio.wait_for(budget.reserve_when_free(0.9, name="m"), 20))
    first.cancel()  # not the child's to give back
    os._exit(0 if budget.reserved == mine.cost == 0.9 else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_child_does_not_wait_for_calls_of_its_parent() -> None:
    done = subprocess.run([sys.executable, "-c", FORKING], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
