"""Event loop in a thread, `gather_all`, back-off, and which provider errors are worth a retry.

The loop is made when first needed and belongs to the process: after a fork the child makes its own. Connections that a
client keeps open belong to it as well.

`gather_all` cancels nothing: a call to a model that is under way when another one fails is paid for, so its answer is
kept. The first error is raised once all are done.

`Backoff` waits `first * 2**(n - 1)` seconds before attempt n + 1, made up to half longer or shorter at random, so that
many callers do not come back together; at least what the server asks for (`Retry-After`), at most `longest`. A server
that asks for more than `longest` is not waited for.

pydantic-ai takes more than a second to load, so it is imported only once one of its errors may be there.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import random
from concurrent.futures import wait
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Coroutine, Iterable


T = TypeVar("T")

_LOOPS: dict[int, asyncio.AbstractEventLoop] = {}

_LOCK = Lock()

_ENDED: set[asyncio.AbstractEventLoop] = set()

_PATIENCE = 0.2

_GRACE = 1.0


def run_in_loop(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in the loop's thread and wait for its result; calling it from that thread would deadlock."""
    loop = _loop()
    if _running() is loop:
        work.close()
        raise RuntimeError("Goldproof's event loop would wait for itself; await this, or call it from another thread")
    future = asyncio.run_coroutine_threadsafe(work, loop)
    try:
        # Awake now and then: some libraries install a handler of signals that restarts the wait for a lock, so that an
        # interrupt would be seen only when everything is done (and paid for).
        while not wait((future,), timeout=_PATIENCE).done:
            pass
        return future.result()
    except BaseException:
        future.cancel()  # an interrupt of the caller ends the call as well
        raise


def start_in_loop(work: Coroutine[Any, Any, object]) -> None:
    """Start a coroutine in the loop's thread without waiting: clean-up may itself begin in that thread."""
    loop = _loop()
    if loop in _ENDED:  # at exit no thread is left to run it
        work.close()
        return
    asyncio.run_coroutine_threadsafe(work, loop)


async def within_loop(work: Coroutine[Any, Any, T]) -> T:
    """Await a coroutine in the loop's thread, from any event loop."""
    loop = _loop()
    if _running() is loop:
        return await work
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, loop))


def _running() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _loop() -> asyncio.AbstractEventLoop:
    with _LOCK:
        loop = _LOOPS.get(os.getpid())
        if loop is None:
            loop = _LOOPS[os.getpid()] = asyncio.new_event_loop()
            thread = Thread(target=_serve, args=(loop,), name="goldproof-loop", daemon=True)
            thread.start()
            atexit.register(_stop, loop, thread)
        return loop


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    """Run the loop for good: user code that tries to exit ends its own task, not the loop of all others."""
    while True:
        try:
            loop.run_forever()
        except (SystemExit, KeyboardInterrupt):  # the caller that waits for that task gets the error
            continue
        return


def _stop(loop: asyncio.AbstractEventLoop, thread: Thread) -> None:
    if _LOOPS.get(os.getpid()) is loop:
        _ENDED.add(loop)
        with suppress(TimeoutError):
            asyncio.run_coroutine_threadsafe(_end_tasks(), loop).result(timeout=2 * _GRACE)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(timeout=1)
        if not thread.is_alive():
            loop.close()


async def _end_tasks() -> None:
    """Cancel the tasks that an interrupt left running and await them: a task dropped half-way warns at exit."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    if tasks:
        done, _ = await asyncio.wait(tasks, timeout=_GRACE)
        for task in done:
            if not task.cancelled():
                task.exception()  # retrieved, or asyncio warns about it


async def gather_all(work: Iterable[Awaitable[T]]) -> list[T]:
    """Await all at once and return the results in the order given; raise the first error when all are done."""
    results = []
    for result in await asyncio.gather(*work, return_exceptions=True):
        if isinstance(result, BaseException):
            raise result
        results.append(result)
    return results


# Statuses of HTTP that may be others the next time: too slow, too early, too many requests, a fault of the server.
RECOVERABLE_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class Backoff:
    """Exponential back-off. first: seconds before the second attempt, before jitter; longest: the most to wait."""

    first: float
    longest: float = 60.0

    def after(self, attempt: int, asked: float | None = None) -> float | None:
        """Return the seconds to wait after attempt 1, 2, ...; None where the server asks for too many.

        asked: seconds that the server asked for.
        """
        if asked is not None and asked > self.longest:
            return None
        own = self.first * 2.0 ** (attempt - 1) * random.uniform(0.5, 1.5)  # noqa: S311 - no secret
        return max(min(own, self.longest), asked or 0.0)


def may_pass(error: Exception) -> bool:
    """Return whether a retry may succeed: a rate limit, a server error, a cut connection."""
    from pydantic_ai import exceptions  # noqa: PLC0415 - heavy

    if is_permanent(error):
        return False
    passing = (
        exceptions.ModelRateLimitError,
        exceptions.ModelUnavailableError,
        exceptions.ModelServerError,
        exceptions.ModelConnectionError,
        TimeoutError,
    )
    return isinstance(error, passing) or getattr(error, "status_code", None) in RECOVERABLE_STATUS


def is_permanent(error: Exception) -> bool:
    """Return whether every request would be refused: a wrong key, an unknown model, a used-up quota."""
    from pydantic_ai import exceptions  # noqa: PLC0415 - heavy

    return isinstance(
        error,
        (exceptions.ModelAuthenticationError, exceptions.ModelNotFoundError, exceptions.ModelQuotaExceededError),
    )


def asked_to_wait(error: Exception) -> float | None:
    """Return the seconds that the server asked for."""
    asked = getattr(error, "retry_after", None)
    return None if asked is None else float(asked)
