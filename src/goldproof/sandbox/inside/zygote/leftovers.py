"""Clean up after a run: no process and no file of it is left, whatever it did.

As process 1 of its own namespace the zygote kills everything else in one call, which no fork can outrun. Elsewhere it
is the reaper of its descendants: all are stopped first, so that the limit on processes chokes a fork bomb, then killed.

Files are removed after all processes are gone, so nobody can exchange a folder for a link meanwhile. Nothing is
followed; folders without permissions get them back; nested folders are moved up, so depth does not matter.
"""

# ruff: noqa: PTH208 - plain names and descriptors cost no import
from __future__ import annotations

import contextlib
import os
import signal
import stat
import time

from . import usage

PATIENCE = 5.0


def kill_all() -> bool:
    """End every process below this one and reap it; whether all are gone."""
    deadline = time.monotonic() + PATIENCE
    while True:
        if os.getpid() == 1:
            _kill(-1, signal.SIGKILL)
        else:
            _kill_tree()
        if _reap():
            return True
        if time.monotonic() > deadline:
            return False
        time.sleep(0.001)


def kill_child(pid: int) -> None:
    """End one child that has not been reaped."""
    _kill(pid, signal.SIGKILL)


def _kill_tree() -> None:
    stopped: set[int] = set()
    for _ in range(1000):
        fresh = [pid for pid in usage.descendants() if pid not in stopped]
        if not fresh:
            break
        for pid in fresh:
            _kill(pid, signal.SIGSTOP)
        stopped.update(fresh)
    for pid in usage.descendants():
        _kill(pid, signal.SIGKILL)


def _kill(pid: int, number: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(pid, number)


def _reap() -> bool:
    """Reap what has died; whether there is no child left."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return True
    return False


def empty(folder: str) -> None:
    """Remove everything in a folder that belongs to us. A script may have closed the folder itself."""
    with contextlib.suppress(OSError):  # root's, whom no script can be
        os.chmod(folder, 0o700)  # noqa: PTH101 - plain names and descriptors cost no import
    top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        moved = 0
        while True:
            names = os.listdir(top)
            if not names:
                return
            for name in names:
                moved = _remove(name, top=top, moved=moved)
    finally:
        os.close(top)


def _remove(name: str, *, top: int, moved: int) -> int:
    """Remove an entry; the folders in it are moved to the top, under new names."""
    if not _is_folder(name, top):
        os.unlink(name, dir_fd=top)
        return moved
    os.chmod(name, 0o700, dir_fd=top)
    inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=top)
    try:
        for entry in os.listdir(inner):
            if _is_folder(entry, inner):
                os.chmod(entry, 0o700, dir_fd=inner)
                moved = _move_up(entry, inner=inner, top=top, moved=moved)
            else:
                os.unlink(entry, dir_fd=inner)
    finally:
        os.close(inner)
    os.rmdir(name, dir_fd=top)
    return moved


def _is_folder(name: str, parent: int) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode)


def _move_up(name: str, *, inner: int, top: int, moved: int) -> int:
    while True:
        moved += 1
        target = f".goldproof-{moved}"
        try:
            os.stat(target, dir_fd=top, follow_symlinks=False)
        except FileNotFoundError:
            os.rename(name, target, src_dir_fd=inner, dst_dir_fd=top)
            return moved
