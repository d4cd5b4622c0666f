"""Ask many queries at once, on daemon threads."""

from __future__ import annotations

import threading
from operator import itemgetter
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Generic, TypeVar

from goldproof.user_code.calls import Answer, attempt, start_daemon

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

Item = TypeVar("Item")
T = TypeVar("T")
_POLL_SECONDS = 0.2


class DaemonPool(Generic[Item, T]):
    """Daemon threads that do `work` for every item; what it raises is raised where results are read."""

    def __init__(self, work: Callable[[Item], T], items: Iterable[Item], *, threads: int) -> None:
        self._work = work
        self._remaining = iter(items)
        self._threads = threads
        self._lock = threading.Lock()
        self._finished: SimpleQueue[tuple[Item, T] | BaseException | None] = SimpleQueue()

    def results(self) -> Iterator[tuple[Item, T]]:
        """Yield each item with its result, in the order in which they are ready."""
        for _ in range(self._threads):
            start_daemon(self._work_through)
        working = self._threads
        try:
            while working:
                try:
                    result = self._finished.get(timeout=_POLL_SECONDS)
                except Empty:
                    continue  # wake now and then: a wait without end cannot be interrupted on every system
                if result is None:
                    working -= 1
                elif isinstance(result, BaseException):
                    raise result
                else:
                    yield result
        finally:
            self._remaining = iter(())

    def ready(self) -> Iterator[tuple[Item, T]]:
        """Yield the results that were not read yet, without waiting: after an interruption."""
        while True:
            try:
                result = self._finished.get_nowait()
            except Empty:
                return
            if isinstance(result, tuple):
                yield result

    def _work_through(self) -> None:
        try:
            while True:
                with self._lock:
                    item = next(self._remaining)
                self._finished.put((item, self._work(item)))
        except StopIteration:
            self._finished.put(None)
        except BaseException as error:  # noqa: BLE001 - raised again where the results are read
            self._finished.put(error)


def ask_all(ask: Callable[[Item], T], asked: Sequence[Item], *, concurrency: int) -> list[Answer[T]]:
    """Ask each, at most `concurrency` at once, and return the answers in the order asked."""
    if concurrency == 1 or len(asked) < 2:
        return [attempt(ask, item) for item in asked]
    pool = DaemonPool(lambda place: attempt(ask, asked[place]), range(len(asked)), threads=min(concurrency, len(asked)))
    return [answer for _, answer in sorted(pool.results(), key=itemgetter(0))]
