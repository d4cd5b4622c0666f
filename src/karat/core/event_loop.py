"""One event loop in a thread of its own: async clients are called from sync code, also inside a running loop.

The loop is made when first needed and belongs to the process: after a fork the child makes its own. Connections that a
client keeps open belong to it as well.
"""

from __future__ import annotations

import asyncio
import atexit
import os
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine

T = TypeVar("T")
_LOOPS: dict[int, asyncio.AbstractEventLoop] = {}
_LOCK = Lock()


def run_in_loop(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in the loop's thread and wait for its result."""
    future = asyncio.run_coroutine_threadsafe(work, _loop())
    try:
        return future.result()
    except BaseException:
        future.cancel()  # an interrupt of the caller ends the call as well
        raise


def start_in_loop(work: Coroutine[Any, Any, object]) -> None:
    """Have a coroutine run in the loop's thread, without waiting: clean-up may itself begin in that thread."""
    asyncio.run_coroutine_threadsafe(work, _loop())


def _loop() -> asyncio.AbstractEventLoop:
    with _LOCK:
        loop = _LOOPS.get(os.getpid())
        if loop is None:
            loop = _LOOPS[os.getpid()] = asyncio.new_event_loop()
            thread = Thread(target=loop.run_forever, name="karat-loop", daemon=True)
            thread.start()
            atexit.register(_stop, loop, thread)
        return loop


def _stop(loop: asyncio.AbstractEventLoop, thread: Thread) -> None:
    if _LOOPS.get(os.getpid()) is loop:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(timeout=1)
        if not thread.is_alive():
            loop.close()
