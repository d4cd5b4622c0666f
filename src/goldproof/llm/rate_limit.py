"""A token bucket: so many calls a minute, a few at once where nobody called for a while.

Tokens come one by one, `60 / rate` seconds apart. Each caller is given the next one that nobody has, and waits for its
time: first come, first served. Unused tokens add up to one second's worth, at least one.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from goldproof.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable


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
