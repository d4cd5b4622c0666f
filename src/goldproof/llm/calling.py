"""One call to a model, with its attempts: deadline, retries with jitter, rate, circuit breaker.

The deadline begins with the first attempt, so that waiting for one's turn does not count; it covers all attempts and
the waits between them, also those for the rate and for money. Only what can recover is tried again (rate limits, faults
of the server, timeouts, cut connections); `goldproof.core.waiting` says how long is waited, and no wait is begun that
would outlast the deadline. What holds for every question (a wrong key, an unknown model, a quota that is used up) is a
ModelDownError at once; calls that fail after all their attempts, one after the other, open the breaker, which makes it
one for a while.
"""

from __future__ import annotations

import asyncio
import time
from itertools import count
from typing import TYPE_CHECKING

from goldproof.core.errors import GoldproofError, ModelDownError, ModelFailedError
from goldproof.core.waiting import Waits
from goldproof.llm.breaker import PAUSE
from goldproof.llm.transport import TransportError

if TYPE_CHECKING:
    from goldproof.llm.access import Access
    from goldproof.llm.answer_cache import KeptReply
    from goldproof.llm.conversation import Conversation
    from goldproof.llm.fare import Fare, Payment
    from goldproof.llm.line import Line
    from goldproof.llm.transport import Transport

FIRST_WAIT = 0.5
_KEPT = "What is answered so far is kept: run the same command again then."


async def call(transport: Transport, talk: Conversation, *, fare: Fare, line: Line, access: Access) -> KeptReply:
    """Return the next reply of a conversation, paid for; ModelFailedError or ModelDownError where nothing came."""
    breaker = line.breaker
    if not breaker.enter():
        raise ModelDownError(
            f"model {transport.key}: {breaker.failures} calls in a row have failed, so it is not asked for "
            f"{PAUSE:.0f} s; the last: {breaker.last}\n  See that it answers. {_KEPT}"
        )
    try:
        reply = await _with_retries(transport, talk, fare=fare, line=line, access=access)
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
    transport: Transport, talk: Conversation, *, fare: Fare, line: Line, access: Access
) -> KeptReply:
    waits = Waits(FIRST_WAIT, longest=access.deadline)
    with await fare.reserve() as payment:
        if talk.turns:
            access.budget.note_repair()
        await line.wait_for_rate()
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
        with await _money(fare, end, outcome) as payment:
            if not await line.wait_for_rate(end):
                raise outcome
            access.budget.note_retry()
            outcome = await _sent(transport, talk, payment=payment, end=end)
    raise AssertionError  # the loop has no end of its own


async def _money(fare: Fare, end: float, failure: TransportError) -> Payment:
    """Return the money for a further attempt; raise how the last one failed where it does not come in time."""
    try:
        async with asyncio.timeout(end - time.monotonic()):
            return await fare.reserve()
    except TimeoutError:
        raise failure from None


async def _sent(
    transport: Transport, talk: Conversation, *, payment: Payment, end: float
) -> KeptReply | TransportError:
    """Make one attempt, and see that what it cost is counted."""
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
