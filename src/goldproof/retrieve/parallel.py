"""Ask users' code on daemon threads; a crash is a failed query.

The threads are daemons: one that hangs in code of the user's cannot keep the process from ending; the pools of the
standard library would wait for it.

This is the boundary where a crash becomes a failed query: what the user's code raises, an attempt to exit included, is
kept as the reason, so that one query cannot fail the others. An interrupt passes, and so do errors that would fail
every further query: a model that is down, a budget that is spent. Reasons reach run files, so secrets are redacted.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from operator import itemgetter
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Generic, TypeVar

from goldproof.errors import BudgetSpentError, ModelDownError, reason_of, redact

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
            threading.Thread(target=self._work_through, daemon=True).start()
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


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """The answer to one query, or why there is none."""

    value: T | None
    failure: str | None = None


class FailedAnswer(Exception):  # noqa: N818 - it is not an error of the program: its message is the whole reason
    """An answer that cannot be used; the message is the whole reason."""


def attempt(ask: Callable[[Item], T], asked: Item) -> Answer[T]:
    """Ask once; a crash becomes an answer with its reason."""
    try:
        return Answer(ask(asked))
    except FailedAnswer as failure:
        return Answer(None, redact(str(failure)))
    except (BudgetSpentError, ModelDownError):
        raise  # every query that is left would fail too
    # The user's code may raise anything, and may try to exit; here it becomes a failed query.
    except (Exception, SystemExit) as error:  # noqa: BLE001
        return Answer(None, reason_of(error))


def ask_all(ask: Callable[[Item], T], asked: Sequence[Item], *, concurrency: int) -> list[Answer[T]]:
    """Ask each, at most `concurrency` at once, and return the answers in the order asked."""
    if concurrency == 1 or len(asked) < 2:
        return [attempt(ask, item) for item in asked]
    pool = DaemonPool(lambda place: attempt(ask, asked[place]), range(len(asked)), threads=min(concurrency, len(asked)))
    return [answer for _, answer in sorted(pool.results(), key=itemgetter(0))]
