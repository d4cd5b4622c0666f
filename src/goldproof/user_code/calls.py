"""Call user code; a crash or a timeout becomes the reason of a failure.

This is the boundary where a crash becomes a failed query: what the code raises, an attempt to exit included, is kept as
the reason, so that one query cannot fail the others. An interrupt passes, and so do errors that would fail every
further query: a model that is down, a budget that is spent. Reasons reach run files, so secrets are redacted.

The threads are daemons: one that hangs in user code cannot keep the process from ending; the pools of the
standard library would wait for it. They are used again, so that code which keeps something for its thread (a connection
to a database) finds it there at the next call.
"""

from __future__ import annotations

import os
import threading
import time
from asyncio import CancelledError
from concurrent.futures import Future, wait
from contextvars import copy_context
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

from goldproof.errors import BudgetSpentError, InputError, ModelDownError, reason_of, redact

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
T = TypeVar("T")
LONGEST_TIMEOUT = 86400.0
LEFT_BEHIND = 4
_PATIENCE = 0.2
_IDLE: dict[int, list[SimpleQueue[Callable[[], None]]]] = {}


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """What a call returned, or why it failed."""

    value: T | None
    failure: str | None = None


class FailedAnswer(Exception):  # noqa: N818 - it is not an error of the program: its message is the whole reason
    """An answer that cannot be used; the message is the whole reason."""


def attempt(call: Callable[..., T], *arguments: object, passing: tuple[type[Exception], ...] = ()) -> Answer[T]:
    """Call once; a crash becomes an answer with its reason. passing: what is raised besides errors that end a run."""
    passing = (BudgetSpentError, ModelDownError, *passing)
    try:
        return Answer(call(*arguments))
    except FailedAnswer as failure:
        return Answer(None, redact(str(failure)))
    except passing:
        raise  # every call that is left would fail too
    # The user's code may raise anything, and may try to exit; here it becomes a failed query.
    except (Exception, SystemExit, CancelledError) as error:  # noqa: BLE001
        return Answer(None, reason_of(error))


class TimedCalls:
    """Calls of one user object, each with a time limit.

    Python cannot stop a call, so one that takes longer is left behind on its thread. at_once: how many calls are made
    at the same time; while four times as many are left behind, further ones fail without being made.
    """

    def __init__(self, *, at_once: int = 1) -> None:
        self._most = LEFT_BEHIND * at_once
        self._late: set[Future[Any]] = set()
        self._lock = threading.Lock()

    def within(self, seconds: float | None, call: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Return what a call returns within so many seconds, None for any; FailedAnswer where it takes longer."""
        if seconds is None:
            return call(*arguments, **named)
        self._refuse_more(seconds)

        def timed() -> tuple[T, float]:
            start = time.perf_counter()  # here, and not where it is waited for: the waiting thread may wake up late
            return call(*arguments, **named), time.perf_counter() - start

        future = start_daemon(timed)
        if not is_done(future, timeout=seconds):
            with self._lock:
                self._late.add(future)
        elif (returned := future.result())[1] <= seconds:
            return returned[0]
        raise FailedAnswer(f"took longer than {seconds:g} s")

    def late(self, *, wait_seconds: float = 0.0) -> int:
        """Return how many calls were left behind and still run, after waiting for each so long at most."""
        for future in tuple(self._late):
            is_done(future, timeout=wait_seconds)
        with self._lock:
            self._late = {late for late in self._late if not late.done()}
            return len(self._late)

    def _refuse_more(self, seconds: float) -> None:
        late = self.late()
        if late >= self._most:
            raise FailedAnswer(f"not asked: {late} earlier calls took longer than {seconds:g} s and still run")


def checked_timeout(seconds: object) -> float:
    """Return a timeout that can be waited for."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds <= LONGEST_TIMEOUT:
        raise InputError(f"timeout is {seconds!r}; expected seconds above 0, and at most a day (86400).")
    return float(seconds)


def start_daemon(call: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> Future[T]:
    """Start a call on a daemon thread, within the context of the caller."""
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()  # it cannot be cancelled any more
    context = copy_context()
    idle = _IDLE.setdefault(os.getpid(), [])  # a forked child has none of the threads

    def work() -> None:
        try:
            returned = context.run(call, *arguments, **named)
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            idle.append(inbox)
            future.set_exception(error)
        else:
            idle.append(inbox)
            future.set_result(returned)

    try:
        inbox = idle.pop()
    except IndexError:
        inbox = SimpleQueue()
        threading.Thread(target=_serve, args=(inbox,), name="goldproof-user-code", daemon=True).start()
    inbox.put(work)
    return future


def _serve(inbox: SimpleQueue[Callable[[], None]]) -> None:
    while True:
        inbox.get()()


def is_done(future: Future[Any], *, timeout: float) -> bool:
    """Wait for a call, at most so many seconds, and return whether it is done.

    Awake now and then: some systems, and some libraries' handlers of signals, let no interrupt end a wait for a lock.
    """
    end = time.monotonic() + timeout
    while not future.done() and (left := end - time.monotonic()) > 0:
        wait((future,), timeout=min(_PATIENCE, left))
    return future.done()
