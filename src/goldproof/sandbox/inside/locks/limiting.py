"""Resource limits: hard and soft alike (CPU time: a second apart), so that they cannot be raised again.

What the process uses already is not the script's: memory and CPU time count from here on, processes are those that the
user has now and the allowed ones. Files of a process are counted by the kernel as they are.
"""

from __future__ import annotations

import math
import os
import resource
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_MB = 1024 * 1024
_STACK = 8 * _MB
_MEMLOCK = 64 * 1024


def limit(limits: Mapping[str, float], *, tasks: int | None = None) -> list[str]:
    """Set all limits on this process; what could not be set, in words. tasks: of this user, where that is known."""
    missing = []
    for name, value in _values(limits, tasks or _tasks_now()).items():
        try:
            _set(getattr(resource, name), value)
        except (OSError, ValueError) as error:
            missing.append(f"{name} was not set to {value}: {error}")
    if _is_real_root():
        missing.append("RLIMIT_NPROC does not bind for root: run as another user")
    return missing


def _values(limits: Mapping[str, float], tasks: int) -> dict[str, int]:
    size, data = _memory_now()
    memory = int(limits["memory_mb"]) * _MB
    return {
        "RLIMIT_CPU": math.ceil(time.process_time() + limits["seconds"]),
        "RLIMIT_AS": size + memory,
        "RLIMIT_DATA": data + memory,
        "RLIMIT_STACK": _STACK,
        "RLIMIT_FSIZE": int(limits["file_mb"] * _MB),
        "RLIMIT_NOFILE": int(limits["open_files"]),
        "RLIMIT_NPROC": tasks + int(limits["processes"]) - 1,  # this process is counted already
        "RLIMIT_CORE": 0,
        "RLIMIT_MSGQUEUE": 0,
        "RLIMIT_MEMLOCK": _MEMLOCK,
    }


def _set(which: int, value: int) -> None:
    _, hard = resource.getrlimit(which)
    # Past the soft limit of CPU time comes a signal that says why; at the hard one, SIGKILL.
    most = value + 1 if which == resource.RLIMIT_CPU else value
    lower = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(which, (min(value, lower), lower))


def _memory_now() -> tuple[int, int]:
    fields = _read("/proc/self/statm").split()
    page = resource.getpagesize()
    return int(fields[0]) * page, int(fields[5]) * page


def _tasks_now() -> int:
    """Tasks (threads too) of this user that can be seen: the kernel counts them all against the limit."""
    mine = os.getuid()
    return max(1, sum(_tasks_of(entry, mine) for entry in os.listdir("/proc") if entry.isdigit()))  # noqa: PTH208


def _tasks_of(entry: str, uid: int) -> int:
    try:
        # A process that cannot be dumped belongs to root by its folder, whoever runs it.
        if os.stat(f"/proc/{entry}").st_uid not in (0, uid):  # noqa: PTH116
            return 0
        status = _read(f"/proc/{entry}/status")
    except OSError:  # it ended meanwhile
        return 0
    return _field(status, b"\nThreads:") if _field(status, b"\nUid:") == uid else 0


def _field(status: bytes, name: bytes) -> int:
    _, _, rest = status.partition(name)
    return int(rest.split(None, 1)[0])


def _read(path: str) -> bytes:
    # For each of hundreds of processes, in every fork: a file object would cost more than the kernel's part.
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(file, 16384)
    finally:
        os.close(file)


def _is_real_root() -> bool:
    if os.getuid() != 0:
        return False
    return _read("/proc/self/uid_map").split()[:2] == [b"0", b"0"]
