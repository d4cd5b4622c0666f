"""Budget, cache and limits of a command; concurrency, rate limit and circuit breaker of one model.

A command says it with `using_access`; every model that is opened meanwhile, however deep in a pipeline, keeps to it.
Without that the defaults hold: answers are kept in `GOLDPROOF_HOME`, and no budget limits the spending.

It belongs to one event loop, and so to one process: after a fork the child has its own. It is made and used in the
loop's thread only.

    closed   calls go through; `limit` failures in a row open it
    open     no call goes through for `pause` seconds
    probing  one call goes through; its success closes the breaker, its failure opens it again

A success at any time closes it: calls that were under way when it opened may still come back.

Tokens come one by one, `60 / rate` seconds apart. Each caller is given the next one that nobody has, and waits for its
time: first come, first served. Unused tokens add up to one second's worth, at least one.
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


@dataclass(frozen=True, slots=True)
class Access:
    """How models are asked.

    budget: what may be spent, and what has been, over all models. concurrency: calls at once, per model. rate: calls
    per minute, per model; None without limit. deadline: seconds for one call once its turn has come, with all attempts
    and the waits between them. retries: how often a call that can recover is made again. repairs: how often a form is
    asked for again; each time is a call. price: of the models, where the user knows it better than the price list.
    keep: whether answers are kept on disk. retry_failed: ask again where the kept answers were of no use. lines: the
    open lines to models, which all who ask the same model under this access share.
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
    lines: dict[str, ModelChannel] = field(default_factory=dict, init=False, repr=False, compare=False)


_CURRENT: ContextVar[Access | None] = ContextVar("goldproof_access", default=None)


def current_access() -> Access:
    """Return what the command said, or the defaults."""
    return _CURRENT.get() or Access()


@contextmanager
def using_access(access: Access) -> Iterator[Access]:
    """Have every model that is opened meanwhile keep to this."""
    token = _CURRENT.set(access)
    try:
        yield access
    finally:
        _CURRENT.reset(token)


class ModelChannel:
    """slots: calls at once. flights: questions that are being asked right now, by their keys."""

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
        there: who is interrupted takes none.
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


def line_to(model: str, access: Access, lines: dict[str, ModelChannel]) -> ModelChannel:
    """Return the line to a model among those that are open."""
    line = lines.get(model)
    if line is None or not line.is_ours:
        line = lines[model] = ModelChannel(access)
    return line


LIMIT = 8

PAUSE = 30.0


class Breaker:
    """Counts failures in a row; for one event loop. clock: seconds that only grow."""

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
        """How many calls have failed in a row."""
        return self._failures

    def enter(self) -> bool:
        """Return whether a call may be made; the caller then says how it ended."""
        if self._shut_until is None:
            return True
        if self._probing or self._clock() < self._shut_until:
            return False
        self._probing = True
        return True

    def succeed(self) -> None:
        """Say that a call got an answer, of whatever kind."""
        self._failures = 0
        self._shut_until = None
        self._probing = False

    def fail(self, reason: str) -> None:
        """Say that a call failed after all its attempts; reason: for the message to those who are not let through."""
        self._failures += 1
        self.last = reason
        if self._probing or (self._shut_until is None and self._failures >= self._limit):
            self._shut_until = self._clock() + self._pause
            self._probing = False

    def leave(self) -> None:
        """Say that a call was given up before it ended: nothing is learnt from it."""
        self._probing = False


class TokenBucket:
    """rate: calls per minute. burst: calls that may be made at once after a pause. clock: seconds that only grow."""

    def __init__(self, rate: float, *, burst: int | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        if not 0 < rate < float("inf"):
            raise InputError(f"a rate of {rate:g} calls per minute; expected more than 0.")
        self._interval = 60.0 / rate
        self._saved = (burst or max(1, int(rate / 60))) - 1
        self._clock = clock
        self._next = clock() - self._saved * self._interval

    def wait(self, ahead: int = 0) -> float:
        """Return the seconds until there is a token, for whoever has so many others before them; takes none."""
        now = self._clock()
        start = max(self._next, now - self._saved * self._interval)
        return max(0.0, start + ahead * self._interval - now)

    def take(self) -> float:
        """Take the next token and return the seconds until it is there."""
        now = self._clock()
        start = max(self._next, now - self._saved * self._interval)
        self._next = start + self._interval
        return max(0.0, start - now)
