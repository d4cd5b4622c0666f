"""Is the process that wrote a file still there?

A process id is given again to another process sooner or later, so on Linux the time at which the process started is
compared as well (field 22 of `/proc/<pid>/stat`, in clock ticks since the machine started); elsewhere the id decides.
A process that was killed and that its parent has not yet asked about (a zombie) is gone.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NamedTuple


class _Stat(NamedTuple):
    state: str
    started: str


def start_time(pid: int) -> str:
    """Return when a process started, as text that only serves comparison; empty where the system does not say."""
    found = _linux_stat(pid)
    return "" if found is None else found.started


def is_alive(pid: int, *, started: str = "") -> bool:
    """Say whether the process is there, and is the one that started then (where that is known)."""
    if not _exists(pid):
        return False
    found = _linux_stat(pid)
    if found is None:
        return True
    return found.state not in ("Z", "X") and started in ("", found.started)


def _linux_stat(pid: int) -> _Stat | None:
    try:
        text = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return None
    # The second field is the name of the command in brackets, which may itself hold blanks and brackets.
    fields = text.rpartition(")")[2].split()
    return _Stat(fields[0], fields[19]) if len(fields) > 19 else None


def _exists(pid: int) -> bool:
    if sys.platform == "win32":
        # os.kill(pid, 0) would send Ctrl-C there, so ask for a handle instead.
        import ctypes  # noqa: PLC0415

        handle = ctypes.windll.kernel32.OpenProcess(0x1000, 0, pid)
        if handle:
            ctypes.windll.kernel32.CloseHandle(handle)
        return bool(handle)
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
