"""One call to a model, with its attempts: deadline, retries with jitter, rate, circuit breaker.

The deadline begins with the first attempt, so that waiting for one's turn does not count; it covers all attempts and
the waits between them. Only what can recover is tried again (rate limits, faults of the server, timeouts, cut
connections); `karat.core.waiting` says how long is waited, and no wait is begun that would outlast the deadline. What
holds for every question (a wrong key, an unknown model, a quota that is used up) is a ModelDownError at once; calls
that fail after all their attempts, one after the other, open the breaker, which makes it one for a while.
"""

from __future__ import annotations

import asyncio
import time
from itertools import count
from typing import TYPE_CHECKING

from karat.core.errors import ModelDownError, ModelFailedError
from karat.core.waiting import Waits
from karat.llm.breaker import PAUSE
from karat.llm.transport import TransportError

if TYPE_CHECKING:
    from karat.llm.access import Access
    from karat.llm.ask import Ask
    from karat.llm.line import Line
    from karat.llm.transport import RawReply, Transport, Turn

FIRST_WAIT = 0.5
_KEPT = "What is answered so far is kept: run the same command again then."


async def call(transport: Transport, ask: Ask, turns: tuple[Turn, ...], *, line: Line, access: Access) -> RawReply:
    """Return what the model replied; ModelFailedError or ModelDownError where nothing came."""
    breaker = line.breaker
    if not breaker.enter():
        raise ModelDownError(
            f"model {transport.key}: {breaker.failures} calls in a row have failed, so it is not asked for "
            f"{PAUSE:.0f} s; the last: {breaker.last}\n  See that it answers. {_KEPT}"
        )
    try:
        raw = await _with_retries(transport, ask, turns, line=line, access=access)
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
    return raw


async def _with_retries(
    transport: Transport, ask: Ask, turns: tuple[Turn, ...], *, line: Line, access: Access
) -> RawReply:
    waits = Waits(FIRST_WAIT, longest=access.deadline)
    await line.wait_for_rate()
    end = time.monotonic() + access.deadline
    for attempt in count(1):
        try:
            return await transport.send(ask, turns, timeout=max(end - time.monotonic(), 0.001))
        except TransportError as error:
            may_pass = error.kind == "passing" and attempt <= access.retries
            wait = waits.after(attempt, error.wait) if may_pass else None
            if wait is None or time.monotonic() + wait >= end:
                raise
        access.budget.note_retry()
        await asyncio.sleep(wait)
        await line.wait_for_rate()
    raise AssertionError  # the loop has no end of its own


def _raised(model: str, error: TransportError) -> ModelFailedError:
    if error.kind == "down":
        return ModelDownError(f"model {model}: {error}\n  {error.advice} {_KEPT}")
    return ModelFailedError(f"model {model}: {error}")
