"""Who is asking which question just now, so that two processes never pay for the same one at the same time.

A claim is a lock on one byte of a file that all processes share; which byte, the key says. The system frees the locks
of a process that ends, however it ends. Such locks hold between processes, not inside of one: there a set of the bytes
that are taken tells callers apart. Two keys may fall on one byte (1 in 2 thousand million): then one waits for the
other, which costs time and nothing else. Where a file system knows no locks, claims hold inside of one process only.
"""

from __future__ import annotations

import errno
import hashlib
import os
import sys
import threading
from pathlib import Path

from goldproof.core.errors import InputError
from goldproof.store.forking import start_anew_in_child

_BYTES = 2**31 - 1  # the farthest that Windows can lock
_HELD = {errno.EACCES, errno.EAGAIN, errno.EDEADLK}
_NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}


class Claims:
    """Claims on keys, by one file; all objects of one file in one process are one."""

    def __init__(self, path: Path | str) -> None:
        self._file = _FILES.open(Path(path))

    def try_take(self, key: bytes) -> bool:
        """Take a claim if nobody has it, and say whether; never waits."""
        return self._file.take(_place(key))

    def release(self, key: bytes) -> None:
        """Give back a claim that was taken."""
        self._file.give_back(_place(key))


class _LockFile:
    """One open file. Closing any handle of a file frees all locks that the process has on it: so it is never closed."""

    def __init__(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644)
        except OSError as error:
            raise InputError(
                f"{path}: cannot be written: {error.strerror or error}; check the folder's permissions, "
                "or set GOLDPROOF_HOME to another one."
            ) from error
        self.start_anew()
        start_anew_in_child(self)

    def start_anew(self) -> None:
        """Hold nothing: a child does not inherit the locks."""
        self._lock = threading.Lock()
        self._taken: set[int] = set()

    def take(self, place: int) -> bool:
        with self._lock:
            if place in self._taken or not _lock_byte(self._handle, place):
                return False
            self._taken.add(place)
            return True

    def give_back(self, place: int) -> None:
        with self._lock:
            if place in self._taken:
                self._taken.remove(place)
                _unlock_byte(self._handle, place)


class _LockFiles:
    """The open files of this process by their names."""

    def __init__(self) -> None:
        self._files: dict[str, _LockFile] = {}
        self.start_anew()
        start_anew_in_child(self)

    def start_anew(self) -> None:
        self._lock = threading.Lock()

    def open(self, path: Path) -> _LockFile:
        name = os.path.realpath(path)
        with self._lock:
            if name not in self._files:
                self._files[name] = _LockFile(path)
            return self._files[name]


_FILES = _LockFiles()


def _place(key: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(key, digest_size=8).digest(), "big") % _BYTES


def _lock_byte(handle: int, place: int) -> bool:
    try:
        _set_lock(handle, place, locked=True)
    except OSError as error:
        if error.errno in _HELD:
            return False
        if error.errno not in _NO_LOCKS:
            raise
    return True


def _unlock_byte(handle: int, place: int) -> None:
    try:
        _set_lock(handle, place, locked=False)
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise


if sys.platform == "win32":
    import msvcrt

    def _set_lock(handle: int, place: int, *, locked: bool) -> None:
        os.lseek(handle, place, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK if locked else msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _set_lock(handle: int, place: int, *, locked: bool) -> None:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB if locked else fcntl.LOCK_UN, 1, place, os.SEEK_SET)
