"""Open the path to the interpreter for a user who may not enter the folders above it, such as root's own.

In a mount namespace of this process alone: an empty folder is put over the closed one, with nothing in it but the way
to what may be read.
"""

# ruff: noqa: PTH103, PTH110, PTH112, PTH116, PTH118, PTH120, PTH206 - plain names and descriptors cost no import
from __future__ import annotations

import os
import sys
from typing import Optional

from . import kernel

NEW_MOUNTS = 0x00020000
READ_ONLY, REMOUNT, BIND, RECURSIVE, PRIVATE = 1, 32, 4096, 16384, 1 << 18


def open_ways(paths: Optional[list[str]]) -> None:  # noqa: UP045
    """Make paths reachable for everybody, where a folder above them is closed. Needs root. None: this interpreter."""
    if paths is None:
        paths = sorted({sys.prefix, sys.base_prefix, *filter(os.path.exists, sys.path)})
    behind: dict[str, list[str]] = {}
    for path in paths:
        real = os.path.realpath(path)
        closed = _closed_above(real)
        if closed and real not in behind.setdefault(closed, []):
            behind[closed].append(real)
    if not behind:
        return
    kernel.unshare(NEW_MOUNTS)
    kernel.mount("none", "/", flags=RECURSIVE | PRIVATE)
    for folder, inner in behind.items():
        _open(folder, inner)


def _closed_above(path: str) -> str:
    """The outermost folder above a path that others may not pass; empty where there is none."""
    parts = path.split(os.sep)[1:-1]
    for depth in range(1, len(parts) + 1):
        folder = os.sep + os.sep.join(parts[:depth])
        if not os.stat(folder).st_mode & 0o001:
            return folder
    return ""


def _open(folder: str, inner: list[str]) -> None:
    held = [(path, os.open(path, os.O_PATH | os.O_CLOEXEC), os.path.isdir(path)) for path in inner]
    kernel.mount("none", folder, kind="tmpfs", data="mode=0755,size=1m")
    for path, descriptor, is_folder in sorted(held):
        if not os.path.exists(path):
            _make(path, is_folder=is_folder)
            kernel.mount(f"/proc/self/fd/{descriptor}", path, flags=BIND | RECURSIVE)
            kernel.mount("none", path, flags=BIND | REMOUNT | READ_ONLY)
        os.close(descriptor)


def _make(path: str, *, is_folder: bool) -> None:
    os.makedirs(path if is_folder else os.path.dirname(path), mode=0o755, exist_ok=True)
    if not is_folder:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o644))
