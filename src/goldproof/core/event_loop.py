"""One event loop in a thread of its own: async clients are called from sync code, also inside a running loop.

The loop is made when first needed and belongs to the process: after a fork the child makes its own. Connections that a
client keeps open belong to it as well.
"""

from __future__ import annotations

import asyncio
import atexit
import os
from concurrent.futures import wait
from contextlib import suppress
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine

T = TypeVar("T")
_LOOPS: dict[int, asyncio.AbstractEventLoop] = {}
_LOCK = Lock()
_ENDED: set[asyncio.AbstractEventLoop] = set()
_PATIENCE = 0.2
_GRACE = 1.0


def run_in_loop(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in the loop's thread and wait for its result; not from that thread, which would never end."""
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
    """Have a coroutine run in the loop's thread, without waiting: clean-up may itself begin in that thread."""
    loop = _loop()
    if loop in _ENDED:  # at exit there is nobody left to run it
        work.close()
        return
    asyncio.run_coroutine_threadsafe(work, loop)


async def within_loop(work: Coroutine[Any, Any, T]) -> T:
    """Await a coroutine in the loop's thread, whatever loop the caller runs in."""
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
    """Run the loop for good: code of the user's that tries to exit ends its own task, not the loop of all others."""
    while True:
        try:
            loop.run_forever()
        except (SystemExit, KeyboardInterrupt):  # whoever waits for that task is told
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
    """Cancel what an interrupt has left under way, and see it end: what is dropped half-way complains at exit."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    if tasks:
        done, _ = await asyncio.wait(tasks, timeout=_GRACE)
        for task in done:
            if not task.cancelled():
                task.exception()  # read: nobody else will
