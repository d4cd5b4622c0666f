"""A model with all that belongs around it, once and alike for every job.

    1. what is kept is replayed (`goldproof.llm.conversation`); a question whose answer is kept costs nothing
    2. equal questions that are asked at the same time are one call (`Line.flights`)
    3. a slot is waited for: at most `concurrency` calls at once
    4. the question is claimed: where another process is asking it just now, its answer is waited for
    5. the call is made, with its attempts (`goldproof.llm.calling`)
    6. before each of them what it may cost is reserved, after it what it did cost is settled (`goldproof.llm.fare`); a
       budget that does not leave it stops here
    7. the reply is kept, of use or not

Slots come before claims and reservations, so that whoever waits in the queue neither keeps a question from others nor
money from calls that could be made. Where the reply does not have the form, it goes on at 1 with what was wrong.
Everything from 2 on happens in Goldproof's event loop, from wherever it was asked.
"""

from __future__ import annotations

import asyncio
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from goldproof.core.errors import ModelDownError, ModelFailedError
from goldproof.core.event_loop import run_in_loop, within_loop
from goldproof.llm.access import current_access
from goldproof.llm.answer_cache import KeptReply, shared_cache
from goldproof.llm.ask import Ask, Estimate
from goldproof.llm.calling import call
from goldproof.llm.conversation import Conversation
from goldproof.llm.fare import Fare
from goldproof.llm.line import Line, line_to
from goldproof.llm.memory_answers import Answers, MemoryAnswers
from goldproof.llm.prices import Price, price_of
from goldproof.llm.structured import repair_request, schema_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.llm.access import Access
    from goldproof.llm.ask import Reply
    from goldproof.llm.transport import Transport


class _Step(NamedTuple):
    """A reply, and whether this caller paid for it."""

    kept: KeptReply
    paid: bool


class AskedModel:
    """A model that can be asked by any number of callers at once; access: limits, budget and cache."""

    def __init__(self, transport: Transport, access: Access | None = None) -> None:
        self._transport = transport
        self._access = access or current_access()
        keep = self._access.keep and transport.is_lasting
        self._answers: Answers = shared_cache() if keep else MemoryAnswers()
        # Two functions without a lasting key may share their name, so neither answers nor calls may be shared.
        self._lines: dict[str, Line] = self._access.lines if transport.is_lasting else {}

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
        """Whether the key will mean the same tomorrow."""
        return self._transport.is_lasting

    @cached_property
    def price(self) -> Price | None:
        """What calls cost; None where nobody knows."""
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
        fare = self._fare(talk)
        return Estimate(1, 0, fare.tokens_in, fare.expected, fare.cost(fare.tokens_in, fare.expected))

    def _conversation(self, ask: Ask) -> Conversation:
        return Conversation(self._transport.key, ask, repairs=self._access.repairs)

    def _replay(self, talk: Conversation) -> bool:
        """Hear all that is kept, and return whether nothing is left to ask."""
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
        line, key = line_to(self.key, self._access, self._lines), talk.key
        while (flight := line.flights.get(key)) is not None:
            await asyncio.wait((flight,))
            if not flight.cancelled():  # else whoever asked was interrupted: somebody must ask in their place
                return _Step(flight.result(), paid=False)
        flight = line.flights[key] = asyncio.get_running_loop().create_future()
        try:
            step = await self._pay(talk, line)
        except Exception as error:
            flight.set_exception(error)
            flight.exception()  # read: perhaps nobody else waits for it
            raise
        else:
            flight.set_result(step.kept)
            return step
        finally:
            del line.flights[key]
            flight.cancel()  # does nothing to one that is done

    async def _pay(self, talk: Conversation, line: Line) -> _Step:
        async with line.slots, self._answers.claim(talk.key) as kept:
            if kept is not None:
                return _Step(kept, paid=False)
            return _Step(await self._answers.put(talk.key, await self._call(talk, line)), paid=True)

    async def _call(self, talk: Conversation, line: Line) -> KeptReply:
        return await call(self._transport, talk, fare=self._fare(talk), line=line, access=self._access)

    def _fare(self, talk: Conversation) -> Fare:
        texts = tuple(_texts(talk))
        return Fare(self._access.budget, self.price, self.key, texts, talk.ask.expected_tokens)


def _texts(talk: Conversation) -> Iterator[str]:
    """Yield all that the next call reads."""
    ask = talk.ask
    yield ask.instructions
    yield ask.prompt
    if ask.output is not None:
        yield schema_text(ask.output)
    for turn in talk.turns:
        yield turn.reply
        yield repair_request(turn.complaint)
