"""One event loop in a thread of its own, so that code which is not async can wait for code which is.

It also works where the caller's thread runs a loop already, as in a notebook. The loop lives as long as the process:
connections that a client keeps open belong to the loop that opened them.
"""

from __future__ import annotations

import asyncio
import os
import threading
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine

T = TypeVar("T")


class WorkerLoop:
    """Runs coroutines; started at the first one, and again in a forked child."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._owner = 0

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Wait for the result; Ctrl-C cancels it."""
        waiting = asyncio.run_coroutine_threadsafe(coroutine, self._started())
        try:
            return waiting.result()
        except BaseException:
            waiting.cancel()
            raise

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or self._owner != os.getpid():
                self._loop, self._owner = asyncio.new_event_loop(), os.getpid()
                threading.Thread(target=self._loop.run_forever, name="karat-embed", daemon=True).start()
            return self._loop


LOOP = WorkerLoop()
