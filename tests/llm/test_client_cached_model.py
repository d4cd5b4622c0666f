"""A question is paid for once: kept, shared by those who ask at the same time, replayed after a restart."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING

import pytest

from goldproof.concurrency import run_in_loop
from goldproof.errors import BudgetSpentError, InputError, ModelFailedError
from goldproof.llm.access import Access, using_access
from goldproof.llm.budget import Budget
from goldproof.llm.client import CachedModel
from goldproof.llm.model import Ask, Reply, open_model
from goldproof.llm.prices import Price
from goldproof.testing import Empty, InvalidJson, ModelServer, Refusal, Request, SchemaViolation, Slow
from tests.llm.asking import GOOD, Verdict, answer, answers, judged, model_of

if TYPE_CHECKING:
    from collections.abc import Callable


def test_a_form_is_asked_for_and_read() -> None:
    with ModelServer(GOOD) as server:
        reply = answer(model_of(server), judged("Is it so?"))
        assert reply.value == Verdict(label="yes", quote="the wing")
        assert not reply.cached
        assert reply.repairs == 0
        (request,) = server.requests
        assert request.prompt == "Is it so?"
        assert request.instructions == "Judge."
        assert request.schema is not None
        assert request.schema["properties"]["label"]["enum"] == ["yes", "no"]


def test_tokens_and_cost_are_counted_as_the_server_says() -> None:
    with ModelServer("four") as server:
        access = Access(price=Price(1_000_000, 2_000_000))
        reply = answer(model_of(server, access), Ask("x" * 40))
        # At a dollar per token read and two per token written.
        assert reply.cost == reply.tokens_in + 2 * reply.tokens_out > 0
        assert access.budget.facts()["cost"] == reply.cost
        assert access.budget.facts()["calls"] == 1


def test_an_answer_that_is_kept_costs_nothing_also_after_a_restart() -> None:
    with ModelServer(GOOD) as server:
        first = answer(model_of(server, price=Price(1, 1)), judged("Is it so?"))
        access = Access(price=Price(1, 1))
        again = answer(model_of(server, access), judged("Is it so?"))
        assert again == Reply(
            first.text, first.value, first.tokens_in, first.tokens_out, first.cost, cached=True, repairs=0
        )
        assert server.calls == 1
        assert access.budget.facts() | {"max_cost": None} == Budget().facts() | {"cached": 1}


def test_samples_of_the_same_words_are_asked_each() -> None:
    with ModelServer(["one", "two"]) as server:
        model = model_of(server)
        assert [answer(model, Ask("Say a number.", sample=i)).text for i in (0, 1, 0)] == ["one", "two", "one"]
        assert server.calls == 2


def test_without_keeping_answers_live_as_long_as_the_model() -> None:
    with ModelServer("yes") as server:
        model = model_of(server, keep=False)
        assert answer(model, "q") != answer(model, "q")  # the second is cached
        assert server.calls == 1
        answer(model_of(server, keep=False), "q")
        assert server.calls == 2


def test_equal_questions_at_the_same_time_are_one_call() -> None:
    with ModelServer(Slow(0.1, GOOD)) as server:
        access = Access()
        first, second = model_of(server, access), model_of(server, access)

        async def both() -> list[Reply]:
            return await asyncio.gather(*(model.answer(judged("Is it so?")) for model in (first, second, first)))

        replies = run_in_loop(both())
        assert server.calls == 1
        assert sorted(reply.cached for reply in replies) == [False, True, True]
        assert {reply.text for reply in replies} == {replies[0].text}


def test_whoever_waits_for_one_that_was_interrupted_asks_instead() -> None:
    waiting = threading.Event()

    async def script(request: Request) -> str:
        if request.nth == 1:
            waiting.set()
            await asyncio.sleep(5)
        return "yes"

    with ModelServer(script) as server:
        model = model_of(server)

        async def interrupted() -> Reply:
            first = asyncio.create_task(model.answer(Ask("q")))
            second = asyncio.create_task(model.answer(Ask("q")))
            while not waiting.is_set():
                await asyncio.sleep(0.01)
            first.cancel()
            return await second

        assert run_in_loop(interrupted()).text == "yes"
        assert server.calls == 2


def test_a_failure_is_shared_by_those_who_wait() -> None:
    with ModelServer(Slow(0.05, Refusal("never"))) as server:
        failures = answers(model_of(server), judged("q"), judged("q"))
        assert [str(failure).partition(" refused ")[2] for failure in failures] == ["to answer: never"] * 2
        assert server.calls == 1


def test_no_more_calls_at_once_than_allowed() -> None:
    with ModelServer(Slow(0.02, "yes")) as server:
        access = Access(concurrency=3)
        first, second = model_of(server, access), model_of(server, access)

        async def many() -> None:
            await asyncio.gather(*((first, second)[i % 2].answer(Ask(f"q{i}")) for i in range(30)))

        run_in_loop(many())
        assert server.calls == 30
        assert server.most_at_once == 3


def test_the_rate_spreads_calls() -> None:
    with ModelServer("yes") as server:
        model = model_of(server, rate=300)
        started = time.monotonic()
        # 300 a minute: 5 at once, then one every 0.2 s; so 7 take at least 0.4 s, however fast the machine is.
        answers(model, *(Ask(f"q{i}") for i in range(7)))
        assert time.monotonic() - started >= 0.4
        assert server.calls == 7


def test_a_broken_form_is_asked_for_again_with_what_was_wrong() -> None:
    with ModelServer([InvalidJson("{oh"), SchemaViolation({"label": "yes"}), GOOD]) as server:
        access = Access()
        reply = answer(model_of(server, access), judged("Is it so?"))
        assert reply.value == Verdict(label="yes", quote="the wing")
        assert reply.repairs == 2
        assert access.budget.facts()["repairs"] == 2
        assert access.budget.facts()["calls"] == 3
        said = [(message.role, message.text) for message in server.requests[-1].messages]
        assert said[1:3] == [("user", "Is it so?"), ("assistant", "{oh")]
        assert "it is not a JSON object." in said[3][1]
        assert said[4] == ("assistant", '{"label": "yes"}')
        assert "quote: Field required." in said[5][1]
        # All three calls are in the sums.
        assert access.budget.facts()["tokens_in"] == reply.tokens_in


def test_the_repairs_are_bounded_and_a_failure_is_replayed_for_nothing() -> None:
    with ModelServer(SchemaViolation()) as server:
        access = Access(repairs=2)
        for _ in range(2):
            with pytest.raises(ModelFailedError, match=r"no answer in the form after 2 repairs: label: Field required"):
                answer(model_of(server, access), judged("q"))
        assert server.calls == 3
        assert access.budget.facts()["failed"] == 2
        with pytest.raises(ModelFailedError):
            answer(model_of(server, repairs=3), judged("q"))
        assert server.calls == 4  # only the further repair


def test_a_conversation_that_was_cut_off_goes_on_where_it_was() -> None:
    with ModelServer([InvalidJson(), InvalidJson(), GOOD]) as server:
        with pytest.raises(ModelFailedError):
            answer(model_of(server, repairs=0), judged("q"))
        with pytest.raises(ModelFailedError):
            answer(model_of(server, repairs=1), judged("q"))
        reply = answer(model_of(server), judged("q"))
        assert (server.calls, reply.repairs, reply.cached) == (3, 2, False)
        assert answer(model_of(server), judged("q")).cached


def test_a_refusal_is_said_as_such_and_not_asked_about_again() -> None:
    with ModelServer(Refusal("I will not.")) as server:
        for _ in range(2):
            with pytest.raises(ModelFailedError, match=r"#model=tiny refused to answer: I will not\.$"):
                answer(model_of(server), judged("q"))
        assert server.calls == 1


def test_an_empty_answer_is_said_as_such() -> None:
    with ModelServer(Empty()) as server:
        with pytest.raises(ModelFailedError, match=r"gave an empty answer$"):
            answer(model_of(server), "q")
        assert server.calls == 1
        with pytest.raises(ModelFailedError, match=r"after 2 repairs: it was empty\.$"):
            answer(model_of(server), judged("q"))
        assert server.calls == 4
        # An empty answer is not sent back as one.
        assert [message.role for message in server.requests[-1].messages].count("assistant") == 0


def test_an_empty_answer_may_be_repaired() -> None:
    with ModelServer([Empty(), GOOD]) as server:
        assert answer(model_of(server), judged("q")).repairs == 1


def test_failed_answers_are_asked_anew_on_request_and_found_from_then_on() -> None:
    with ModelServer([Refusal(), Refusal(), GOOD]) as server:
        for calls, retry in ((1, False), (1, False), (2, True)):
            with pytest.raises(ModelFailedError, match="refused"):
                answer(model_of(server, retry_failed=retry), judged("q"))
            assert server.calls == calls
        assert not answer(model_of(server, retry_failed=True), judged("q")).cached
        assert server.calls == 3
        assert answer(model_of(server), judged("q")).cached
        assert answer(model_of(server, retry_failed=True), judged("q")).cached
        assert server.calls == 3


def test_a_spent_budget_stops_and_what_is_answered_stays() -> None:
    with ModelServer("yes") as server:
        # Estimated: 1 token read, 200 written, at a cent per written token: 2 dollars; really 1 token: a cent.
        access = Access(budget=Budget(max_cost=2.03), price=Price(0, 10_000), concurrency=1)
        model = model_of(server, access)
        replies = answers(model, *(Ask(f"q{i}") for i in range(9)))
        assert [type(reply) for reply in replies] == [Reply] * 4 + [BudgetSpentError] * 5
        assert server.calls == 4
        assert access.budget.facts()["cost"] == pytest.approx(0.04)
        assert answer(model, "q0").cached
        assert answer(model_of(server), "q5").text == "yes"


def test_those_who_wait_for_their_turn_reserve_nothing() -> None:
    with ModelServer(Slow(0.01, "yes")) as server:
        # 2 dollars are reserved per call, of which at most two are under way.
        access = Access(budget=Budget(max_cost=5), price=Price(0, 10_000), concurrency=2)
        replies = answers(model_of(server, access), *(Ask(f"q{i}") for i in range(20)))
        assert {type(reply) for reply in replies} == {Reply}


def test_a_limit_without_a_price_is_refused_before_anything_is_asked() -> None:
    with ModelServer("yes") as server:
        with pytest.raises(InputError, match="--price IN,OUT"):
            answer(model_of(server, budget=Budget(max_cost=1)), "q")
        assert server.calls == 0


def test_an_estimate_asks_nothing_and_knows_what_is_kept() -> None:
    with ModelServer(GOOD) as server:
        model = model_of(server, price=Price(1_000_000, 1_000_000))
        estimate = model.estimate(Ask("x" * 40, "y" * 8, expected_tokens=7))
        # 40 / 4 + 8 / 4 = 12 tokens read, 7 written, at a dollar each
        assert (estimate.calls, estimate.cached, estimate.tokens_in, estimate.tokens_out) == (1, 0, 12, 7)
        assert estimate.cost == 19
        assert model.estimate(judged("q")).tokens_in > 40  # the schema is sent as well
        assert server.calls == 0
        answer(model, judged("q"))
        kept = model.estimate(judged("q"))
        assert (kept.calls, kept.cached, kept.cost) == (0, 1, 0.0)
        assert model_of(server).estimate(Ask("other")).cost is None


def test_what_the_command_said_holds_for_models_opened_meanwhile() -> None:
    with ModelServer("yes") as server, using_access(Access(price=Price(1, 1))) as access:
        open_model(f"{server.url}#model=tiny").ask("q")
        assert access.budget.facts()["calls"] == 1


@pytest.mark.parametrize("from_where", ["thread", "another loop"])
def test_it_can_be_asked_from_anywhere(from_where: str) -> None:
    asked: dict[str, Callable[[Callable[[], Reply]], Reply]] = {
        "thread": _in_thread,
        "another loop": lambda work: work(),
    }
    with ModelServer(Slow(0.02, "yes")) as server:
        model = model_of(server)

        async def several() -> list[Reply]:
            return await asyncio.gather(*(model.answer(Ask(f"q{i % 2}")) for i in range(4)))

        replies = asked[from_where](lambda: asyncio.run(several()))  # type: ignore[arg-type,return-value]
        assert [reply.text for reply in replies] == ["yes"] * 4  # type: ignore[attr-defined]
        assert server.calls == 2
        assert model.ask("q0") == "yes"
        assert server.calls == 2


def _in_thread(work: Callable[[], Reply]) -> Reply:
    done: list[Reply] = []
    thread = threading.Thread(target=lambda: done.append(work()))
    thread.start()
    thread.join()
    return done[0]


def test_several_threads_may_ask_at_once() -> None:
    with ModelServer(lambda request: request.prompt.upper()) as server:
        model = model_of(server)
        found: dict[int, str] = {}
        threads = [threading.Thread(target=lambda i=i: found.update({i: model.ask(f"q{i}")})) for i in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == {i: f"Q{i}" for i in range(6)}
        assert server.calls == 6


def test_two_models_on_one_cache_never_pay_twice_at_the_same_time() -> None:
    # Two accesses share neither lines nor flights: what keeps them apart is the claim, as between processes.
    with ModelServer(Slow(0.1, "yes")) as server:
        first, second = model_of(server), model_of(server)

        async def both() -> list[Reply]:
            return await asyncio.gather(*(model.answer(Ask("q")) for model in (first, second)))

        assert sorted(reply.cached for reply in run_in_loop(both())) == [False, True]
        assert server.calls == 1


def test_an_interrupt_gives_slots_claims_and_money_back() -> None:
    waiting = threading.Event()

    async def script(request: Request) -> str:
        if request.prompt == "slow":
            waiting.set()
            await asyncio.sleep(5)
        return "yes"

    with ModelServer(script) as server:
        access = Access(concurrency=1, price=Price(0, 10_000), budget=Budget(max_cost=5))
        model = model_of(server, access)

        async def interrupted() -> None:
            task = asyncio.create_task(model.answer(Ask("slow")))
            while not waiting.is_set():
                await asyncio.sleep(0.01)
            assert access.budget.reserved == 5.0  # all that is there, for as long an answer as that affords
            task.cancel()
            await asyncio.wait((task,))

        run_in_loop(interrupted())
        assert access.budget.reserved == 0.0
        # It may be billed: 200 tokens, at a cent each.
        facts = access.budget.facts()
        assert (facts["cost"], facts["uncertain_calls"], facts["calls"]) == (2.0, 1, 0)
        started = time.monotonic()
        assert answer(model, "quick").text == "yes"
        assert time.monotonic() - started < 4  # the slot is free before the slow answer would have come


def test_what_a_model_has_spent_can_be_asked_of_it() -> None:
    access = Access(keep=False)
    model = open_model(lambda _: "yes", access)
    model.ask("q")
    assert isinstance(model, CachedModel)
    assert model.access is access
    assert model.access.budget.facts()["calls"] == 1
