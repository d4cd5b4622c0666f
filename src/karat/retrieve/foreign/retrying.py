"""Trying again what can recover: a connection that fails, a timeout, 429, a server's error. Nothing else.

Waits double from a quarter of a second, each made up to half longer or shorter at random, so that many callers do not
come back together. `Retry-After` is honoured, up to a minute; a server that asks for more is not waited for.
"""

from __future__ import annotations

import random
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, TypeVar

from karat.retrieve.foreign.asking import FailedAnswer

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
FIRST_WAIT = 0.25
LONGEST_WAIT = 60.0
RECOVERABLE_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504})


class RecoverableError(Exception):
    """Something that may go better the next time; wait: seconds that the server asked for."""

    def __init__(self, reason: str, *, wait: float | None = None) -> None:
        self.wait = wait
        super().__init__(reason)


def with_retries(call: Callable[[], T], *, retries: int) -> T:
    """Call until it succeeds, at most `retries` times more."""
    for attempt in range(retries + 1):
        try:
            return call()
        except RecoverableError as error:
            if attempt == retries:
                tried = f" (tried {retries + 1} times)" if retries else ""
                raise FailedAnswer(f"{error}{tried}.") from error
            wait = FIRST_WAIT * 2**attempt * random.uniform(0.5, 1.5) if error.wait is None else error.wait  # noqa: S311 - jitter
            if wait > LONGEST_WAIT:
                raise FailedAnswer(f"{error}, and asks to wait {wait:.0f} s.") from error
            time.sleep(wait)
    raise FailedAnswer("was not asked.")  # not reached: retries is at least 0


def asked_wait(retry_after: str | None) -> float | None:
    """Return the seconds of a Retry-After header: a number, or a date."""
    if retry_after is None:
        return None
    if retry_after.strip().replace(".", "", 1).isdecimal():
        return float(retry_after)
    try:
        until = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    return max((until.astimezone(UTC) - datetime.now(UTC)).total_seconds(), 0.0)
