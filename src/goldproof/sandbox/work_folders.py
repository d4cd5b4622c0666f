"""Work folders of scripts on the host, where they have no mounts of their own; removal of those dead hosts left.

A zygote removes its folder when its host is gone, and a host the folders of its zygotes. Only where both were killed
one stays. Its name says whose it was: the PID namespace, the process. The next start of a sandbox removes it, if that
process is gone and the folder belongs to the caller, or, for root, to one of the users that scripts run as.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
import time
from pathlib import Path

from goldproof.sandbox.users import COUNT, FIRST, is_root

NAME = re.compile(r"goldproof-box-(\d+)-(\d+)-\w+")
SECONDS = 600.0


def make_folder(uid: int | None) -> str:
    """Make a private folder for a user; None: for the caller."""
    remove_left()
    folder = tempfile.mkdtemp(prefix=f"goldproof-box-{_namespace()}-{os.getpid()}-")
    if uid is not None:
        os.chown(folder, uid, uid)
    return folder


def remove_left() -> None:
    """Remove folders of dead hosts. What cannot be removed stays."""
    place = Path(tempfile.gettempdir())
    for name in os.listdir(place):  # noqa: PTH208 - names only, of a folder that may be large
        match = NAME.fullmatch(name)
        if match and int(match[1]) == _namespace() and not _lives(int(match[2])) and _may_go(place / name):
            shutil.rmtree(place / name, ignore_errors=True)  # follows no link


def _namespace() -> int:
    """The number of the PID namespace: others, which may share the folder, count processes in their own way."""
    return Path("/proc/self/ns/pid").stat().st_ino


def _lives(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def _may_go(folder: Path) -> bool:
    try:
        state = folder.lstat()
    except OSError:
        return False
    ours = state.st_uid == os.geteuid() or (is_root() and FIRST <= state.st_uid < FIRST + COUNT)
    # Its zygote, which has not noticed yet, may still be clearing up.
    return stat.S_ISDIR(state.st_mode) and ours and time.time() - state.st_mtime > SECONDS
