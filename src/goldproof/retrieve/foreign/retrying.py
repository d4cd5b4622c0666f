"""Trying again what can recover: a connection that fails, a timeout, 429, a server's error. Nothing else.

`goldproof.concurrency` says how long is waited: from a quarter of a second on. `Retry-After` is honoured, up to a
minute.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, TypeVar

from goldproof.concurrency import RECOVERABLE_STATUS, Backoff
from goldproof.retrieve.attempts import FailedAnswer

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["RECOVERABLE_STATUS", "RecoverableError", "asked_wait", "with_retries"]
T = TypeVar("T")
FIRST_WAIT = 0.25
LONGEST_WAIT = 60.0


class RecoverableError(Exception):
    """Something that may go better the next time; wait: seconds that the server asked for."""

    def __init__(self, reason: str, *, wait: float | None = None) -> None:
        self.wait = wait
        super().__init__(reason)


def with_retries(call: Callable[[], T], *, retries: int) -> T:
    """Call until it succeeds, at most `retries` times more."""
    waits = Backoff(FIRST_WAIT, LONGEST_WAIT)
    for attempt in range(1, retries + 2):
        try:
            return call()
        except RecoverableError as error:
            if attempt > retries:
                tried = f" (tried {retries + 1} times)" if retries else ""
                raise FailedAnswer(f"{error}{tried}.") from error
            wait = waits.after(attempt, error.wait)
            if wait is None:
                raise FailedAnswer(f"{error}, and asks to wait {error.wait:.0f} s.") from error
            time.sleep(wait)
    raise FailedAnswer("was not asked.")  # not reached: retries is at least 0


def asked_wait(retry_after: str | None) -> float | None:
    """Return the seconds of a Retry-After header: a number, or a date."""
    if retry_after is None:
        return None
    if retry_after.strip().replace(".", "", 1).isdecimal():
        return float(retry_after)
    try:
        until = parsedate_to_datetime(retry_after).astimezone(UTC)
    except (ValueError, OverflowError):  # no date, or one that is none in UTC
        return None
    return max((until - datetime.now(UTC)).total_seconds(), 0.0)
