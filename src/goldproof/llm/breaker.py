"""A circuit breaker: after many failures in a row nobody is let through for a while, and then one, to see.

    closed   calls go through; `limit` failures in a row open it
    open     no call goes through for `pause` seconds
    probing  one call goes through; its success closes the breaker, its failure opens it again

A success at any time closes it: calls that were under way when it opened may still come back.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

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
