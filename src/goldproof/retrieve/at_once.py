"""Doing several things at once on threads, each result as soon as it is there.

The threads are daemons: one that hangs in code of the user's cannot keep the process from ending, which the pools of
the standard library wait for.
"""

from __future__ import annotations

import threading
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Item = TypeVar("Item")
T = TypeVar("T")
_PATIENCE = 0.2


class AtOnce(Generic[Item, T]):
    """Does `work` for every item, at most `threads` at once; what it raises is raised where results are read."""

    def __init__(self, work: Callable[[Item], T], items: Iterable[Item], *, threads: int) -> None:
        self._work = work
        self._left = iter(items)
        self._threads = threads
        self._lock = threading.Lock()
        self._done: SimpleQueue[tuple[Item, T] | BaseException | None] = SimpleQueue()

    def results(self) -> Iterator[tuple[Item, T]]:
        """Yield each item with its result, in the order in which they are ready."""
        for _ in range(self._threads):
            threading.Thread(target=self._take_turns, daemon=True).start()
        working = self._threads
        try:
            while working:
                try:
                    done = self._done.get(timeout=_PATIENCE)
                except Empty:
                    continue  # awake now and then: a wait without end cannot be interrupted on every system
                if done is None:
                    working -= 1
                elif isinstance(done, BaseException):
                    raise done
                else:
                    yield done
        finally:
            self._left = iter(())

    def ready(self) -> Iterator[tuple[Item, T]]:
        """Yield what is done and was not read yet, without waiting: after an interruption."""
        while True:
            try:
                done = self._done.get_nowait()
            except Empty:
                return
            if isinstance(done, tuple):
                yield done

    def _take_turns(self) -> None:
        try:
            while True:
                with self._lock:
                    item = next(self._left)
                self._done.put((item, self._work(item)))
        except StopIteration:
            self._done.put(None)
        except BaseException as error:  # noqa: BLE001 - raised again where the results are read
            self._done.put(error)
