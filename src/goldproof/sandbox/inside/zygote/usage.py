"""Measure what a run uses now: processes, memory, disk. Read from outside of it, by the zygote.

Memory is the sum over its processes. Resident pages are cheap to read but count what a fork shares with the zygote
again and again, so they only raise the question; the proportional share (PSS) answers it.
"""

# ruff: noqa: PTH208 - plain names and descriptors cost no import
from __future__ import annotations

import os
import stat

PAGE = os.sysconf("SC_PAGE_SIZE")


def descendants() -> list[int]:
    """Ids of all living processes below this one; orphans come back to it."""
    found: list[int] = []
    queue = _children(os.getpid())
    while queue:
        pid = queue.pop()
        found.append(pid)
        queue += _children(pid)
    return found


def _children(pid: int) -> list[int]:
    found: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            found += [int(word) for word in _read(f"/proc/{pid}/task/{task}/children").split()]
    except OSError:
        pass
    return found


def tasks(pids: list[int]) -> int:
    """Return the number of threads of these processes, the first of each among them."""
    return sum(_threads(pid) for pid in pids)


def _threads(pid: int) -> int:
    try:
        return len(os.listdir(f"/proc/{pid}/task"))
    except OSError:
        return 0


def memory_over(pids: list[int], limit: int) -> bool:
    """Return whether these processes use more than so many bytes together."""
    if sum(_resident(pid) for pid in pids) <= limit:
        return False
    return sum(_share(pid) for pid in pids) > limit


def _resident(pid: int) -> int:
    words = _read(f"/proc/{pid}/statm").split()
    return int(words[1]) * PAGE if len(words) > 1 else 0


def _share(pid: int) -> int:
    for line in _read(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * 1024
    return _resident(pid)


def _read(path: str) -> bytes:
    """Return the file, empty where the process is gone."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def disk_used(box: str, *, own_disk: bool) -> int:
    """Bytes below the box. own_disk: it is a file system of its own, which knows (deleted files among them)."""
    if own_disk:
        state = os.statvfs(box)
        return (state.f_blocks - state.f_bfree) * state.f_frsize
    return sum(_sizes(box)) + sum(_unnamed())


def _unnamed() -> list[int]:
    """Sizes of files that are open but in no folder any more, by process and descriptor; one file counts once."""
    found: dict[tuple[int, int], int] = {}
    for pid in descendants():
        try:
            for name in os.listdir(f"/proc/{pid}/fd"):
                state = os.stat(f"/proc/{pid}/fd/{name}")  # noqa: PTH116 - no import for one line
                if stat.S_ISREG(state.st_mode) and not state.st_nlink:
                    found[state.st_dev, state.st_ino] = state.st_blocks * 512
        except OSError:  # it ended, or closed it
            continue
    return list(found.values())


def _sizes(folder: str) -> list[int]:
    sizes: list[int] = []
    queue = [folder]
    while queue:
        try:
            with os.scandir(queue.pop()) as entries:
                for entry in entries:
                    sizes.append(entry.stat(follow_symlinks=False).st_blocks * 512 + 256)
                    if entry.is_dir(follow_symlinks=False):
                        queue.append(entry.path)
        except OSError:
            continue
    return sizes
