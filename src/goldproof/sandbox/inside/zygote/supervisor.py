"""Supervise one run from outside: time, output, memory, disk. How it ended is decided from these measurements.

A message counts only if it is one, whole, with the token, and the child then ended by itself with status 0.
"""

from __future__ import annotations

import json
import os
import select
import signal
import time
from typing import Any, NamedTuple

from . import leftovers, usage
from .child import BAD_END, TOKEN

INTERVAL = 0.02
MB, KB = 1 << 20, 1 << 10
OBSERVED = 16  # times the output of one stream
_MEMORY = "raised MemoryError"
_ENDED = {"processes": "crashed"}  # as if the kernel had refused one more
_BY_ITSELF = ("finished", "crashed", "exited")


class Streams(NamedTuple):
    """The zygote's ends: what the child writes to."""

    out: int
    err: int
    message: int


class Seen(NamedTuple):
    """over: the limit it broke, or nothing. status: as waitpid says. clear: whether no process is left."""

    over: str
    status: int
    out: bytes
    err: bytes
    message: bytes
    clear: bool
    seconds: float


class HostGoneError(Exception):
    """The host is gone; the answer has no recipient."""


class Watch:
    """One run being watched."""

    def __init__(self, pid: int, *, streams: Streams, limits: dict[str, Any], host: int) -> None:
        self.pid = pid
        self.streams = streams
        self.limits = limits
        self.host = host
        self.parts: dict[int, list[bytes]] = {descriptor: [] for descriptor in streams}
        self.left = dict.fromkeys(streams, int(limits["output_kb"]) * KB)
        self.left[streams.message] *= OBSERVED
        self.over = ""

    def until_end(self, *, box: str, own_disk: bool) -> Seen:
        """Watch until it ends or breaks a limit, then kill what is left of it."""
        start = time.monotonic()
        status = self._watch(start + float(self.limits["seconds"]), box=box, own_disk=own_disk)
        if status is None:
            leftovers.kill_child(self.pid)
            status = os.waitpid(self.pid, 0)[1]
        self._count_left()
        clear = leftovers.kill_all()
        seconds = time.monotonic() - start
        if not self.over and self._disk_over(box, own_disk=own_disk):
            self.over = "files"
        self._drain()
        out, err, message = (b"".join(self.parts[descriptor]) for descriptor in self.streams)
        return Seen(self.over, status, out=out, err=err, message=message, clear=clear, seconds=seconds)

    def _count_left(self) -> None:
        """Step in where a script was faster than the checks. In a namespace of its own the kernel's limit is exact."""
        most = int(self.limits["processes"])
        if not self.over and os.getpid() != 1 and usage.tasks(usage.descendants()) >= most:  # the first is gone
            self.over = "processes"

    def _watch(self, deadline: float, *, box: str, own_disk: bool) -> int | None:
        poller = select.poll()
        for descriptor in self.streams:
            poller.register(descriptor, select.POLLIN)
        poller.register(self.host, 0)
        ended = os.pidfd_open(self.pid) if hasattr(os, "pidfd_open") else -1
        try:
            if ended >= 0:
                poller.register(ended, select.POLLIN)
            return self._loop(poller, deadline=deadline, box=box, own_disk=own_disk)
        finally:
            if ended >= 0:
                os.close(ended)

    def _loop(self, poller: select.poll, *, deadline: float, box: str, own_disk: bool) -> int | None:
        check = time.monotonic() + INTERVAL
        while not self.over:
            for descriptor, event in poller.poll(max(0.0, 1000 * (min(check, deadline) - time.monotonic()))):
                if descriptor == self.host:
                    raise HostGoneError
                if descriptor in self.left and not self._take(descriptor) and event & select.POLLHUP:
                    poller.unregister(descriptor)
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                return status
            now = time.monotonic()
            if now >= deadline:
                self.over = "timeout"
            elif now >= check:
                self._check(box, own_disk=own_disk)
                check = time.monotonic() + INTERVAL
        return None

    def _check(self, box: str, *, own_disk: bool) -> None:
        pids = usage.descendants()
        if usage.tasks(pids) > int(self.limits["processes"]):
            self.over = "processes"
        elif usage.memory_over(pids, int(self.limits["memory_mb"]) * MB):
            self.over = "memory"
        elif self._disk_over(box, own_disk=own_disk):
            self.over = "files"

    def _disk_over(self, box: str, *, own_disk: bool) -> bool:
        return usage.disk_used(box, own_disk=own_disk) > int(self.limits["disk_mb"]) * MB

    def _take(self, descriptor: int) -> bool:
        """Read what is there, up to the limit; whether there was something."""
        try:
            data = os.read(descriptor, 1 << 16)
        except BlockingIOError:
            return False
        room = self.left[descriptor]
        self.parts[descriptor].append(data[:room])
        self.left[descriptor] = max(0, room - len(data))
        if len(data) > room:
            self.over = self.over or "output"
        return bool(data)

    def _drain(self) -> None:
        for descriptor in self.streams:
            while self.left[descriptor] and self._take(descriptor):
                pass
            if self._more(descriptor):
                self.over = self.over or "output"

    @staticmethod
    def _more(descriptor: int) -> bool:
        try:
            return bool(os.read(descriptor, 1))
        except BlockingIOError:
            return False


def judge(seen: Seen, *, token: bytes, limits: dict[str, Any]) -> dict[str, Any]:
    """Say how a run ended, as the host reads it."""
    if seen.over:
        return {"ended": _ENDED.get(seen.over, seen.over), "reason": _over(seen.over, limits)}
    if os.WIFSIGNALED(seen.status):
        return _died(os.WTERMSIG(seen.status), limits)
    status = os.WEXITSTATUS(seen.status)
    if not seen.message:
        if status == BAD_END:
            return {"ended": "lost", "reason": "the run could not be started or its result could not be sent"}
        return {"ended": "exited", "reason": f"it ended with status {status} before its observations were sent"}
    message = _opened(seen.message, token)
    if message is None or status != 0:
        return {"ended": "forged", "reason": "its message was not made by the observer"}
    return _told(message)


def _opened(data: bytes, token: bytes) -> dict[str, Any] | None:
    head = TOKEN + 8
    if data[:TOKEN] != token or len(data) != head + int.from_bytes(data[TOKEN:head], "big"):
        return None
    try:
        message = json.loads(data[head:], parse_constant=_no_number)
    except (ValueError, RecursionError):
        return None
    return message if _is_whole(message) else None


def _no_number(name: str) -> Any:  # noqa: ANN401
    raise ValueError(f"{name} is no JSON")


def _is_whole(message: object) -> bool:
    """Whether the runner could have made it."""
    if not isinstance(message, dict) or message.get("ended") not in _BY_ITSELF:
        return False
    texts = [message.get("blocked"), message.get("changed"), message.get("unlocked")]
    return (
        isinstance(message.get("reason"), str)
        and _all_are(message.get("observations"), dict)
        and all(_all_are(one, str) for one in texts)
    )


def _all_are(found: object, kind: type) -> bool:
    return isinstance(found, list) and all(isinstance(one, kind) for one in found)


def _told(message: dict[str, Any]) -> dict[str, Any]:
    if message.get("ended") == "crashed" and _MEMORY in str(message.get("reason", "")):
        return {**message, "ended": "memory"}
    return message


def _died(number: int, limits: dict[str, Any]) -> dict[str, Any]:
    known = {signal.SIGXCPU: "timeout", signal.SIGXFSZ: "files"}
    if number in known:
        ended = known[signal.Signals(number)]
        return {"ended": ended, "reason": _over(ended, limits)}
    name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
    if number == signal.SIGSYS:
        return {"ended": "crashed", "reason": "it died of SIGSYS: it called the kernel in a way that is not allowed"}
    return {"ended": "crashed", "reason": f"it died of {name}"}


def _over(kind: str, limits: dict[str, Any]) -> str:
    return {
        "processes": f"it had more than {limits['processes']} processes and threads",
        "timeout": f"it ran longer than {limits['seconds']:g} s",
        "memory": f"it used more than {limits['memory_mb']} MB of memory",
        "output": f"it wrote more than {limits['output_kb']} KB, or observed more than {OBSERVED} times that",
        "files": f"it wrote more than {limits['disk_mb']} MB, or a file of more than {limits['file_mb']} MB",
    }[kind]
