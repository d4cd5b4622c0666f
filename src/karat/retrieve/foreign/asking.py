"""Asking many things of code that is not ours, on threads where it waits; the answers come in the order asked.

This is the boundary where a crash becomes a failed query: whatever the user's code raises is kept as its reason, so one
query cannot take the others with it. What is not an `Exception` (an interrupt, an exit) passes.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from karat.retrieve.foreign.wording import reason_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Asked = TypeVar("Asked")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """What came, or why nothing did."""

    value: T | None
    failure: str | None = None


class FailedAnswer(Exception):  # noqa: N818 - it is not an error of the program: its message is the reason as it stands
    """What came cannot be used; the message is the whole reason."""


def attempt(ask: Callable[[Asked], T], asked: Asked) -> Answer[T]:
    """Ask once; a crash is an answer too."""
    try:
        return Answer(ask(asked))
    except FailedAnswer as failure:
        return Answer(None, str(failure))
    except Exception as error:  # noqa: BLE001 - the user's code may raise anything; here it becomes a failed query
        return Answer(None, reason_of(error))


def ask_all(ask: Callable[[Asked], T], asked: Sequence[Asked], *, concurrency: int) -> list[Answer[T]]:
    """Ask each, at most `concurrency` at once, and return the answers in the order asked."""
    if concurrency == 1 or len(asked) < 2:
        return [attempt(ask, one) for one in asked]
    executor = ThreadPoolExecutor(max_workers=min(concurrency, len(asked)))
    try:
        waiting = [executor.submit(attempt, ask, one) for one in asked]
        return [future.result() for future in waiting]
    finally:
        # Without waiting for what nobody will look at: an interrupted run ends at once.
        executor.shutdown(wait=False, cancel_futures=True)
