"""Calling code of the user's so that it can neither end the run nor change what is judged.

Also `sys.exit()`, KeyboardInterrupt and CancelledError end only the call: in a thread or in a task of the event loop
they would leave others waiting for good. What is caught is handed on as `Raised`. A cancellation that comes from
outside is none of the code's: it is passed on. So is GeneratorExit within a coroutine, by which Python ends one.
"""

from __future__ import annotations

import asyncio
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from goldproof.core.errors import BudgetSpentError, InputError, ModelDownError
from goldproof.core.records import Document, Question
from goldproof.core.wording import reason_of
from goldproof.judge.ruling import Ruling

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

R = TypeVar("R", Question, Document)


@dataclass(frozen=True, slots=True)
class Raised:
    """What the code raised."""

    error: BaseException


def called(call: Callable[..., object], question: Question, documents: Sequence[Document]) -> object:
    """Call a sync function in a thread of ours; return what it returns, or what it raised."""
    try:
        return call(question, documents)
    except BaseException as error:  # noqa: BLE001 - nothing that it raises is ours
        return Raised(error)


async def awaited(work: Awaitable[object]) -> object:
    """Await the code's coroutine in the task of the caller; return what it returns, or what it raised."""
    task = asyncio.current_task()
    cancelled_before = task.cancelling() if task else 0
    try:
        return await work
    except GeneratorExit:
        raise
    except asyncio.CancelledError as error:
        if task and task.cancelling() > cancelled_before:
            raise
        return Raised(error)
    except BaseException as error:  # noqa: BLE001 - nothing else that it raises is ours
        return Raised(error)


def failed_ruling(error: BaseException) -> Ruling:
    """Return the ruling that an error means; what ends the whole run is raised."""
    if isinstance(error, ModelDownError | BudgetSpentError | InputError):
        raise error
    return Ruling("failed", reason=reason_of(error))


def copied(record: R) -> R:
    """Return a record whose metadata may be changed; values that cannot be copied (a lock, an open file) are shared."""
    return replace(record, metadata={name: _copy(value) for name, value in record.metadata.items()})


def _copy(value: object) -> object:
    try:
        return deepcopy(value)
    except Exception:  # noqa: BLE001 - whatever an object of the user's says to being copied
        return value
