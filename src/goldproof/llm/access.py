"""Budget, cache and limits of a command; concurrency, rate limit and circuit breaker of one model.

A command sets them with `using_access`; every model that is opened meanwhile, however deep in a pipeline, keeps to
them. Without that the defaults hold: answers are kept in `GOLDPROOF_HOME`, and no budget limits the spending.

A `ModelChannel` is shared by all callers of one model. It belongs to one event loop, and so to one process: after a
fork the child has its own. It is made and used in the loop's thread only.

The circuit breaker:

    closed   calls go through; `limit` failures in a row open it
    open     no call goes through for `pause` seconds
    probing  one call goes through; its success closes the breaker, its failure opens it again

A success at any time closes it: calls that were under way when it opened may still come back.

The rate limit is a token bucket: tokens come one by one, `60 / rate` seconds apart. Each caller is given the next free
one and waits for its time: first come, first served. Unused tokens add up to one second's worth, at least one.
"""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from goldproof.errors import InputError
from goldproof.llm.budget import Budget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from goldproof.llm.answer_cache import KeptReply
    from goldproof.llm.prices import Price


_CURRENT: ContextVar[Access | None] = ContextVar("goldproof_access", default=None)
LIMIT = 8
PAUSE = 30.0


@dataclass(frozen=True, slots=True)
class Access:
    """Limits, budget and cache of the models that a command opens.

    budget: what may be spent, and what has been, over all models. concurrency: calls at once, per model. rate: calls
    per minute, per model; None without limit. deadline: seconds for one call once its turn has come, with all attempts
    and the waits between them. retries: how often a call that can recover is made again. repairs: how often a form is
    asked for again; each time is a call. price: of the models, where the user knows it better than the price list.
    keep: whether answers are kept on disk. retry_failed: ask again where the kept answers were of no use. channels:
    those of the models that are open, shared by all callers of the same model under this access.
    """

    budget: Budget = field(default_factory=Budget)
    concurrency: int = 8
    rate: float | None = None
    deadline: float = 120.0
    retries: int = 4
    repairs: int = 2
    price: Price | None = None
    keep: bool = True
    retry_failed: bool = False
    channels: dict[str, ModelChannel] = field(default_factory=dict, init=False, repr=False, compare=False)


def current_access() -> Access:
    """Return the access of the running command, or the defaults."""
    return _CURRENT.get() or Access()


@contextmanager
def using_access(access: Access) -> Iterator[Access]:
    """Apply this access to every model that is opened within the block."""
    token = _CURRENT.set(access)
    try:
        yield access
    finally:
        _CURRENT.reset(token)


class ModelChannel:
    """Concurrency, rate limit and circuit breaker of one model. flights: questions being asked right now, by key."""

    def __init__(self, access: Access) -> None:
        if access.concurrency < 1:
            raise InputError(f"{access.concurrency} calls at once; expected at least 1.")
        self.slots = asyncio.Semaphore(access.concurrency)
        self.bucket = None if access.rate is None else TokenBucket(access.rate)
        self.breaker = Breaker()
        self.flights: dict[bytes, asyncio.Future[KeptReply]] = {}
        self._process = os.getpid()
        self._turn = asyncio.Lock()
        self._in_queue = 0

    @property
    def is_ours(self) -> bool:
        """Whether it was made in this process."""
        return self._process == os.getpid()

    async def wait_for_rate(self, until: float | None = None) -> bool:
        """Wait for the turn that the rate allows; False, at once, where it would come too late.

        until: on the clock `time.monotonic`. Only the first of the queue waits for a token, and takes it when it is
        there: a caller that is interrupted takes none.
        """
        if self.bucket is None:
            return True
        if until is not None and time.monotonic() + self.bucket.wait(self._in_queue) >= until:
            return False
        self._in_queue += 1
        try:
            async with self._turn:
                await asyncio.sleep(self.bucket.wait())
                self.bucket.take()
        finally:
            self._in_queue -= 1
        return True


def channel_to(model: str, access: Access, channels: dict[str, ModelChannel]) -> ModelChannel:
    """Return the channel to a model, opened if it is not yet."""
    channel = channels.get(model)
    if channel is None or not channel.is_ours:
        channel = channels[model] = ModelChannel(access)
    return channel


class Breaker:
    """Circuit breaker: counts failures in a row; for one event loop. clock: seconds that only grow."""

    def __init__(
        self, *, limit: int = LIMIT, pause: float = PAUSE, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._limit, self._pause, self._clock = limit, pause, clock
        self._failures = 0
        self._shut_until: float | None = None  # None: calls go through
        self._probing = False
        self.last = ""

    @property
    def failures(self) -> int:
        """Number of calls that have failed in a row."""
        return self._failures

    def enter(self) -> bool:
        """Return whether a call may be made; the caller then reports how it ended."""
        if self._shut_until is None:
            return True
        if self._probing or self._clock() < self._shut_until:
            return False
        self._probing = True
        return True

    def succeed(self) -> None:
        """Report that a call got an answer, of whatever kind."""
        self._failures = 0
        self._shut_until = None
        self._probing = False

    def fail(self, reason: str) -> None:
        """Report that a call failed after all its attempts; reason: for callers that are not let through."""
        self._failures += 1
        self.last = reason
        if self._probing or (self._shut_until is None and self._failures >= self._limit):
            self._shut_until = self._clock() + self._pause
            self._probing = False

    def leave(self) -> None:
        """Report that a call was given up before it ended: nothing is learnt from it."""
        self._probing = False


class TokenBucket:
    """Rate limit. rate: calls per minute. burst: calls at once after a pause. clock: seconds that only grow."""

    def __init__(self, rate: float, *, burst: int | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        if not 0 < rate < float("inf"):
            raise InputError(f"a rate of {rate:g} calls per minute; expected more than 0.")
        self._interval = 60.0 / rate
        self._saved = (burst or max(1, int(rate / 60))) - 1
        self._clock = clock
        self._next = clock() - self._saved * self._interval

    def wait(self, ahead: int = 0) -> float:
        """Return the seconds until there is a token for a caller with so many others ahead; takes none."""
        now = self._clock()
        start = max(self._next, now - self._saved * self._interval)
        return max(0.0, start + ahead * self._interval - now)

    def take(self) -> float:
        """Take the next token and return the seconds until it is there."""
        now = self._clock()
        start = max(self._next, now - self._saved * self._interval)
        self._next = start + self._interval
        return max(0.0, start - now)
