"""One writer per folder: `.goldproof.lock` holds the process id, host and start time of whoever writes there.

The lock is written under a temporary name and then linked to its own, which fails where there is one already: a lock is
there whole or not at all, wherever its writer is killed. One whose process is gone (same host;
`goldproof.io.processes`) is taken over, and so is one that is empty or garbled, which nobody alive has written. One of
another host, or that may not be read, is believed.
"""

from __future__ import annotations

import os
import re
import socket
import stat
from typing import TYPE_CHECKING

from goldproof.core.errors import ConflictError, InputError
from goldproof.io.processes import is_alive, start_time
from goldproof.io.replacing import temporary_name

if TYPE_CHECKING:
    from pathlib import Path

LOCK_NAME = ".goldproof.lock"
_OWNER = re.compile(r"([0-9]{1,10}) (\S+)(?: ([0-9]{1,20}))?\n", re.ASCII)


class FolderLock:
    """The lock of one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / LOCK_NAME

    def take(self) -> None:
        """Take the lock, or say who has it."""
        # A second attempt follows the removal of a dead lock; whoever loses that race is refused.
        try:
            taken = self._try() or (_remove_dead(self._path) and self._try())
        except OSError as error:
            raise InputError(f"{self._folder}: cannot be written: {error.strerror or error}.") from error
        if taken:
            return
        owner = _OWNER.fullmatch(_read_lock(self._path) or "")
        who = f"process {owner[1]} {owner[2]}" if owner else "process unknown"
        raise ConflictError(
            f"{self._folder}: another process is writing there ({who}).\n"
            f"  Wait for it; if there is none, delete {self._path}."
        )

    def release(self) -> None:
        """Give the lock back."""
        self._path.unlink(missing_ok=True)

    def _try(self) -> bool:
        pid = os.getpid()
        text = f"{pid} {socket.gethostname()} {start_time(pid)}".rstrip() + "\n"
        temporary = temporary_name(self._path)
        try:
            temporary.write_text(text, "utf-8")
            return _link(temporary, self._path, text)
        finally:
            temporary.unlink(missing_ok=True)


def _link(temporary: Path, lock: Path, text: str) -> bool:
    """Make the lock; say whether it is ours."""
    try:
        os.link(temporary, lock)
    except FileExistsError:
        return False
    except OSError:
        return _create(lock, text)
    return True


def _create(lock: Path, text: str) -> bool:
    """Make the lock where the file system has no links (FAT, some network folders)."""
    try:
        with lock.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        return False
    # Somebody may have seen it empty and removed it as dead.
    return _read_lock(lock) == text


def _read_lock(lock: Path) -> str | None:
    """Return what stands in the lock, or None where it may not be read or is no file."""
    try:
        if not stat.S_ISREG(lock.lstat().st_mode):
            return None
        return lock.read_bytes()[:1000].decode("utf-8", "replace")
    except OSError:
        return None


def _is_dead(text: str) -> bool:
    owner = _OWNER.fullmatch(text)
    if owner is None:
        return True
    return owner[2] == socket.gethostname() and not is_alive(int(owner[1]), started=owner[3] or "")


def _remove_dead(lock: Path) -> bool:
    """Remove the lock of a process that is gone; say whether the way may be free."""
    text = _read_lock(lock)
    if text is None or not _is_dead(text):
        return not os.path.lexists(lock)
    # Moved away first: two processes that both see the dead lock must not both remove one, the second a live one.
    grave = temporary_name(lock)
    try:
        lock.rename(grave)
    except FileNotFoundError:
        return True
    if _read_lock(grave) != text:
        grave.rename(lock)
        return False
    grave.unlink(missing_ok=True)
    return True
