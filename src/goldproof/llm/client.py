"""A model with cache, limits, budget and retries around it.

    1. what is kept is replayed (`goldproof.llm.conversation`); a question whose answer is kept costs nothing
    2. equal questions that are asked at the same time are one call (`ModelChannel.flights`)
    3. a slot is waited for: at most `concurrency` calls at once
    4. the question is claimed: where another process is asking it just now, its answer is waited for
    5. the call is made, with its attempts (`call`)
    6. before each of them what it may cost is reserved, after it what it did cost is settled (`goldproof.llm.budget`);
       a budget that does not leave it stops here
    7. the reply is kept, of use or not

Slots come before claims and reservations, so that a caller in the queue neither keeps a question from others nor money
from calls that could be made. Where the reply does not have the form, it goes on at 1 with what was wrong. Everything
from 2 on happens in Goldproof's event loop, from wherever it was asked.

The deadline begins with the first attempt, so that waiting for one's turn does not count; it covers all attempts and
the waits between them, also those for the rate and for money. Only recoverable failures are tried again (rate limits,
faults of the server, timeouts, cut connections); `goldproof.concurrency` says how long is waited, and no wait is begun
that would outlast the deadline. A failure that holds for every question (a wrong key, an unknown model, a quota that is
used up) is a ModelDownError at once; calls that fail after all their attempts, one after the other, open the breaker,
which makes it one for a while.
"""

from __future__ import annotations

import asyncio
import time
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from goldproof.concurrency import Backoff, run_in_loop, within_loop
from goldproof.errors import GoldproofError, ModelDownError, ModelFailedError
from goldproof.llm.access import PAUSE, ModelChannel, channel_to, current_access
from goldproof.llm.answer_cache import Answers, KeptReply, MemoryAnswers, shared_cache
from goldproof.llm.budget import CallCost
from goldproof.llm.conversation import Conversation, repair_request, schema_text
from goldproof.llm.model import Ask, Estimate, TransportError
from goldproof.llm.prices import Price, price_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.llm.access import Access
    from goldproof.llm.budget import CallPayment
    from goldproof.llm.model import Reply, Transport


class _Step(NamedTuple):
    """A reply, and whether this caller paid for it."""

    kept: KeptReply
    paid: bool


class CachedModel:
    """A model that any number of callers may ask at once; access: limits, budget and cache."""

    def __init__(self, transport: Transport, access: Access | None = None) -> None:
        self._transport = transport
        self._access = access or current_access()
        keep = self._access.keep and transport.is_lasting
        self._answers: Answers = shared_cache() if keep else MemoryAnswers()
        # Two functions without a lasting key may share their name, so neither answers nor calls may be shared.
        self._channels: dict[str, ModelChannel] = self._access.channels if transport.is_lasting else {}

    @property
    def key(self) -> str:
        """The model's name, with all that changes its answers; never a secret."""
        return self._transport.key

    @property
    def access(self) -> Access:
        """Its limits, cache and budget; `access.budget.facts()` says what has been spent."""
        return self._access

    @property
    def is_lasting(self) -> bool:
        """Whether the key holds across processes."""
        return self._transport.is_lasting

    @cached_property
    def price(self) -> Price | None:
        """The price of calls; None where it is not known."""
        if self._access.price is not None:
            return self._access.price
        provider = self._transport.provider
        return Price(0.0, 0.0) if provider is None else price_of(provider, self._transport.model)

    async def answer(self, ask: Ask) -> Reply:
        """Return the answer, from the cache where it is kept; see `goldproof.llm.model.Model`."""
        talk = self._conversation(ask)
        if self._replay(talk):
            return self._ended(talk, paid=False)
        return await within_loop(self._talk_on(talk))

    def ask(self, prompt: str) -> str:
        """Return the text of the answer to a prompt; for callers outside of the event loop."""
        talk = self._conversation(Ask(prompt))
        if self._replay(talk):
            return self._ended(talk, paid=False).text
        return run_in_loop(self._talk_on(talk)).text

    def estimate(self, ask: Ask) -> Estimate:
        """Return what the question would cost, without asking it."""
        talk = self._conversation(ask)
        if self._replay(talk):
            return Estimate(cached=1)
        cost = self._call_cost(talk)
        return Estimate(1, 0, cost.tokens_in, cost.expected, cost.cost(cost.tokens_in, cost.expected))

    def _conversation(self, ask: Ask) -> Conversation:
        return Conversation(self._transport.key, ask, repairs=self._access.repairs)

    def _replay(self, talk: Conversation) -> bool:
        """Feed all kept replies to the conversation; return whether nothing is left to ask."""
        while (kept := self._answers.get(talk.key)) is not None:
            talk.hear(kept)
            if talk.answered:
                return True
            if talk.failure:
                talk.start_over()
        return bool(talk.failure) and not self._access.retry_failed

    def _ended(self, talk: Conversation, *, paid: bool) -> Reply:
        if not talk.answered:
            self._access.budget.note_failed()
            raise ModelFailedError(f"model {self.key} {talk.failure}")
        if not paid:
            self._access.budget.note_cached()
        return talk.reply(cached=not paid)

    async def _talk_on(self, talk: Conversation) -> Reply:
        """Ask until the conversation has ended."""
        paid = False
        talk.failure = ""
        while not (talk.answered or talk.failure):
            try:
                step = await self._step(talk)
            except ModelDownError:
                raise
            except ModelFailedError:
                self._access.budget.note_failed()
                raise
            paid = paid or step.paid
            talk.hear(step.kept)
        return self._ended(talk, paid=paid)

    async def _step(self, talk: Conversation) -> _Step:
        """Return the next reply: paid for by this caller, or by another who is asking the same."""
        channel, key = channel_to(self.key, self._access, self._channels), talk.key
        while (flight := channel.flights.get(key)) is not None:
            await asyncio.wait((flight,))
            if not flight.cancelled():  # else its caller was interrupted: this one must ask instead
                return _Step(flight.result(), paid=False)
        flight = channel.flights[key] = asyncio.get_running_loop().create_future()
        try:
            step = await self._pay(talk, channel)
        except Exception as error:
            flight.set_exception(error)
            flight.exception()  # retrieved, or asyncio warns where no other caller waits for it
            raise
        else:
            flight.set_result(step.kept)
            return step
        finally:
            del channel.flights[key]
            flight.cancel()  # does nothing to one that is done

    async def _pay(self, talk: Conversation, channel: ModelChannel) -> _Step:
        async with channel.slots, self._answers.claim(talk.key) as kept:
            if kept is not None:
                return _Step(kept, paid=False)
            return _Step(await self._answers.put(talk.key, await self._call(talk, channel)), paid=True)

    async def _call(self, talk: Conversation, channel: ModelChannel) -> KeptReply:
        return await call(self._transport, talk, cost=self._call_cost(talk), channel=channel, access=self._access)

    def _call_cost(self, talk: Conversation) -> CallCost:
        texts = tuple(_texts(talk))
        return CallCost(self._access.budget, self.price, self.key, texts, talk.ask.expected_tokens)


def _texts(talk: Conversation) -> Iterator[str]:
    """Yield every text that the next call reads."""
    ask = talk.ask
    yield ask.instructions
    yield ask.prompt
    if ask.output is not None:
        yield schema_text(ask.output)
    for turn in talk.turns:
        yield turn.reply
        yield repair_request(turn.complaint)


FIRST_WAIT = 0.5

_KEPT = "Answers so far are kept: run the same command again then."


async def call(
    transport: Transport, talk: Conversation, *, cost: CallCost, channel: ModelChannel, access: Access
) -> KeptReply:
    """Return the next reply of a conversation, paid for; ModelFailedError or ModelDownError where none came."""
    breaker = channel.breaker
    if not breaker.enter():
        raise ModelDownError(
            f"model {transport.key}: {breaker.failures} calls in a row failed, so it is paused for "
            f"{PAUSE:.0f} s; the last: {breaker.last}\n  Check that it answers. {_KEPT}"
        )
    try:
        reply = await _with_retries(transport, talk, cost=cost, channel=channel, access=access)
    except TransportError as error:
        if error.kind == "passing":
            breaker.fail(str(error))
        else:
            breaker.succeed()  # it answers, though not as one would like
        raise _raised(transport.key, error) from None
    except BaseException:
        breaker.leave()
        raise
    breaker.succeed()
    return reply


async def _with_retries(
    transport: Transport, talk: Conversation, *, cost: CallCost, channel: ModelChannel, access: Access
) -> KeptReply:
    waits = Backoff(FIRST_WAIT, longest=access.deadline)
    with await cost.reserve() as payment:
        if talk.turns:
            access.budget.note_repair()
        await channel.wait_for_rate()
        end = time.monotonic() + access.deadline
        outcome = await _sent(transport, talk, payment=payment, end=end)
    for attempt in count(1):
        if not isinstance(outcome, TransportError):
            return outcome
        may_pass = outcome.kind == "passing" and attempt <= access.retries
        wait = waits.after(attempt, outcome.wait) if may_pass else None
        if wait is None or time.monotonic() + wait >= end:
            raise outcome
        await asyncio.sleep(wait)
        with await _money(cost, end, outcome) as payment:
            if not await channel.wait_for_rate(end):
                raise outcome
            access.budget.note_retry()
            outcome = await _sent(transport, talk, payment=payment, end=end)
    raise AssertionError  # the loop has no end of its own


async def _money(cost: CallCost, end: float, failure: TransportError) -> CallPayment:
    """Return the money for a further attempt; raise the last failure where it does not come in time."""
    try:
        async with asyncio.timeout(end - time.monotonic()):
            return await cost.reserve()
    except TimeoutError:
        raise failure from None


async def _sent(
    transport: Transport, talk: Conversation, *, payment: CallPayment, end: float
) -> KeptReply | TransportError:
    """Make one attempt, and count its cost."""
    timeout = max(end - time.monotonic(), 0.001)
    try:
        raw = await transport.send(talk.ask, talk.turns, timeout=timeout, most_tokens=payment.most_written)
    except TransportError as error:
        if error.may_be_billed:
            payment.settle_unanswered()
        return error
    except GoldproofError:
        raise
    except BaseException:  # interrupted after it was sent
        payment.settle_unanswered()
        raise
    return payment.settle(raw)


def _raised(model: str, error: TransportError) -> ModelFailedError:
    if error.kind == "down":
        return ModelDownError(f"model {model}: {error}\n  {error.advice} {_KEPT}")
    return ModelFailedError(f"model {model}: {error}")
