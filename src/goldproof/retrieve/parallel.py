"""Ask users' code on daemon threads; a crash is a failed query.

The threads are daemons: one that hangs in code of the user's cannot keep the process from ending, which the pools of
the standard library wait for.

This is the boundary where a crash becomes a failed query: whatever the user's code raises is kept as its reason, so one
query cannot take the others with it; an attempt to exit is one too. An interrupt passes, and so does what holds for
every further query alike: a model that is down, a budget that is spent. Reasons reach run files, so secrets are blotted
out of them.
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
_PATIENCE = 0.2


class DaemonPool(Generic[Item, T]):
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


Asked = TypeVar("Asked")


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
        return Answer(None, redact(str(failure)))
    except (BudgetSpentError, ModelDownError):
        raise  # to ask on would fail every query that is left
    # The user's code may raise anything, and may try to exit; here it becomes a failed query.
    except (Exception, SystemExit) as error:  # noqa: BLE001
        return Answer(None, reason_of(error))


def ask_all(ask: Callable[[Asked], T], asked: Sequence[Asked], *, concurrency: int) -> list[Answer[T]]:
    """Ask each, at most `concurrency` at once, and return the answers in the order asked."""
    if concurrency == 1 or len(asked) < 2:
        return [attempt(ask, one) for one in asked]
    work = DaemonPool(lambda place: attempt(ask, asked[place]), range(len(asked)), threads=min(concurrency, len(asked)))
    return [answer for _, answer in sorted(work.results(), key=itemgetter(0))]
