"""Running something and saying what became of it: it returned, raised or exited."""

from __future__ import annotations

from asyncio import _get_running_loop
from asyncio import run as run_coroutine
from concurrent.futures import ThreadPoolExecutor
from types import CoroutineType
from typing import TYPE_CHECKING

from .capture import capturing
from .exceptions import describe_exception
from .texts import Foreign, text_of
from .values import describe

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine


def attempt(action: Callable[[], object], *, given: frozenset[str], awaits: bool = True) -> dict[str, object]:
    """Return what became of an action, with all that it wrote. given: files that are the given code.

    awaits: run a coroutine that comes back.
    """
    with capturing() as captured:
        seen = _outcome(action, given=given, awaits=awaits)
    return {**seen, **captured.data()}


def _outcome(action: Callable[[], Foreign], *, given: frozenset[str], awaits: bool) -> dict[str, object]:
    seen: dict[str, object] = {"outcome": "returned", "value": None, "exception": None, "awaited": False}
    try:
        value = action()
        if awaits and type(value) is CoroutineType:
            seen["awaited"] = True
            value = awaited(value)
        seen["value"] = describe(value)
    except SystemExit as error:
        seen.update(outcome="exited", code=exit_code(error.code))
    except BaseException as error:  # noqa: BLE001 - whatever it raises is what was observed
        seen.update(outcome="raised", value=None, exception=describe_exception(error, given))
        error.__traceback__ = None  # its frames hold what the code made
    return seen


def awaited(coroutine: Coroutine[Foreign, Foreign, Foreign]) -> Foreign:
    """Return what a coroutine comes to; in a thread where this one has an event loop running."""
    if _get_running_loop() is None:
        return run_coroutine(coroutine)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run_coroutine, coroutine).result()


def exit_code(code: object) -> object:
    """Return the exit status that the interpreter would end with; a text is printed, and means 1."""
    if code is None:
        return 0
    return code if type(code) is int else text_of(code, str)
