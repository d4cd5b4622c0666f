"""One writer per folder: `.karat.lock` holds the process id and host of whoever writes there.

The file is made with O_EXCL, which works on every platform and file system. A lock whose process is gone (same host, no
such process) is taken over; one from another host, or that cannot be read, is believed.
"""

from __future__ import annotations

import os
import secrets
import socket
import sys
from typing import TYPE_CHECKING

from karat.core.errors import ConflictError, InputError

if TYPE_CHECKING:
    from pathlib import Path

LOCK_NAME = ".karat.lock"


class FolderLock:
    """The lock of one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / LOCK_NAME

    def take(self) -> None:
        """Take the lock, or say who has it."""
        # A second attempt follows the removal of a dead lock; whoever loses that race is refused.
        if self._try() or (_remove_dead(self._path) and self._try()):
            return
        owner = _read_lock(self._path).strip() or "unknown"
        raise ConflictError(
            f"{self._folder}: another process is writing there (process {owner}).\n"
            f"  Wait for it; if there is none, delete {self._path}."
        )

    def release(self) -> None:
        """Give the lock back."""
        self._path.unlink(missing_ok=True)

    def _try(self) -> bool:
        try:
            handle = os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644)
        except FileExistsError:
            return False
        except OSError as error:
            raise InputError(f"{self._folder}: cannot be written: {error.strerror or error}.") from error
        with os.fdopen(handle, "w") as stream:
            stream.write(f"{os.getpid()} {socket.gethostname()}\n")
        return True


def _read_lock(lock: Path) -> str:
    try:
        return lock.read_text("utf-8")
    except OSError:
        return ""


def _remove_dead(lock: Path) -> bool:
    """Remove the lock of a process that is gone; say whether the way may be free."""
    text = _read_lock(lock)
    pid, _, host = text.strip().partition(" ")
    if not pid.isdigit() or host != socket.gethostname() or _is_alive(int(pid)):
        return not lock.exists()
    # Moved away first: two processes that both see the dead lock must not both remove one, the second a live one.
    grave = lock.with_name(f"{LOCK_NAME}.{secrets.token_hex(4)}")
    try:
        lock.rename(grave)
    except OSError:
        return True
    if _read_lock(grave) != text:
        grave.rename(lock)
        return False
    grave.unlink(missing_ok=True)
    return True


def _is_alive(pid: int) -> bool:
    if sys.platform == "win32":
        # os.kill(pid, 0) would send Ctrl-C there, so ask for a handle instead.
        import ctypes  # noqa: PLC0415

        handle = ctypes.windll.kernel32.OpenProcess(0x1000, 0, pid)
        if handle:
            ctypes.windll.kernel32.CloseHandle(handle)
        return bool(handle)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
