"""Pool of zygotes, one for each worker, behind the one method `run`.

They are started when they are first needed and replaced when they die or fall silent; the script that was lost with one
is tried once more with the next.
"""

from __future__ import annotations

import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Self

from goldproof.sandbox import zygote as zygotes
from goldproof.sandbox.answers import run_of
from goldproof.sandbox.channel import LostError
from goldproof.sandbox.given_files import check_names
from goldproof.sandbox.run import Run
from goldproof.sandbox.sandbox import Isolation

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

    from goldproof.sandbox.launch import Launcher
    from goldproof.sandbox.limits import Limits
    from goldproof.sandbox.run import Mode
    from goldproof.sandbox.zygote import Loads, Zygote

ATTEMPTS = 2


class Pool:
    """A `Sandbox` of several zygotes. isolation: set once by `open_sandbox`, after probing."""

    def __init__(
        self,
        launcher: Launcher,
        *,
        loads: Loads,
        workers: int = 1,
    ) -> None:
        self.launcher = launcher
        self.loads = loads
        self.isolation = Isolation(level=launcher.level)
        self.mode: Mode = "zygote"
        self._workers = workers
        self._free = threading.Semaphore(workers)
        self._lock = threading.Lock()
        self._idle: list[Zygote] = []
        self._living: set[Zygote] = set()
        self._closed = False
        # The kernel ends a zygote with the thread that started it, so one thread starts them all and stays.
        self._starter = ThreadPoolExecutor(max_workers=1, thread_name_prefix="goldproof-zygotes")
        self._finalizer = weakref.finalize(self, _end, self._living, self._starter)

    def start(self) -> dict[str, object]:
        """Start the first zygote, which decides whether the library can be forked; what it said. LostError if none."""
        first = self._start()
        threads, failed = first.said.get("threads"), first.said.get("failed")
        if threads != 1 or failed:
            said = first.said
            self._discard(first)
            self.mode = "cold"
            self._put_back(self._start())
            return said
        self._put_back(first)
        return first.said

    def run(
        self,
        script: str,
        *,
        name: str = "proof.py",
        files: Mapping[str, str] | None = None,
        limits: Limits | None = None,
    ) -> Run:
        """Run a script in an empty folder of its own; never raises for what it does. files: name -> text, put there."""
        limits = limits or self.loads.limits
        check_names(files or {})
        request = {"script": script, "name": name, "files": dict(files or {}), "limits": asdict(limits)}
        reason = ""
        with self._free:
            for _ in range(ATTEMPTS):
                try:
                    return self._attempt(request, seconds=limits.seconds)
                except LostError as error:
                    reason = str(error)
        return Run("lost", reason=f"the sandbox broke: {reason}", level=self.launcher.level, mode=self.mode)

    def _attempt(self, request: Mapping[str, object], *, seconds: float) -> Run:
        zygote = self._take()
        try:
            answer = zygote.run(request, seconds=seconds)
            run = run_of(answer, level=self.launcher.level, mode=zygote.mode)
        except BaseException:  # an interrupt too: its answer would be read as that of the next script
            self._discard(zygote)
            raise
        if answer.get("clear") is True:
            self._put_back(zygote)
        else:
            self._discard(zygote)
        return run

    def _take(self) -> Zygote:
        with self._lock:
            if self._closed:
                raise LostError("it is closed")
            if self._idle:
                return self._idle.pop()
        return self._start()

    def _start(self) -> Zygote:
        started = self._starter.submit(zygotes.spawn, self.launcher).result()
        with self._lock:
            self._living.add(started)
        try:
            zygotes.greet(started, loads=self.loads, mode=self.mode)
        except BaseException:
            with self._lock:
                self._living.discard(started)
            raise
        return started

    def _put_back(self, zygote: Zygote) -> None:
        with self._lock:
            self._idle.append(zygote)

    def _discard(self, zygote: Zygote) -> None:
        with self._lock:
            self._living.discard(zygote)
        zygote.close()

    def unlocked(self) -> tuple[str, ...]:
        """Run a script that does nothing; which locks could not be put on. LostError where it did not finish."""
        request = {"script": "", "name": "nothing.py", "files": {}, "limits": asdict(self.loads.limits)}
        zygote = self._take()
        try:
            answer = zygote.run(request, seconds=self.loads.limits.seconds)
        except BaseException:
            self._discard(zygote)
            raise
        self._put_back(zygote)
        missing = answer.get("unlocked", [])
        if answer.get("ended") != "finished" or not isinstance(missing, list):
            raise LostError(f"an empty script {answer.get('ended')}: {answer.get('reason')} {answer.get('stderr')}")
        return tuple(str(entry) for entry in missing)

    def note(self, *notes: str) -> None:
        """Add sentences to the isolation's notes."""
        self.isolation = replace(self.isolation, notes=(*self.isolation.notes, *notes))

    def close(self) -> None:
        """End all processes and remove all folders."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            busy = self._living.difference(self._idle)
        for zygote in busy:
            zygote.channel.hang_up()  # who waits for its answer closes it
        for _ in range(self._workers):
            self._free.acquire()
        self._finalizer()
        self._free.release(self._workers)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _end(living: set[Zygote], starter: ThreadPoolExecutor) -> None:
    while living:
        living.pop().close()
    starter.shutdown()
