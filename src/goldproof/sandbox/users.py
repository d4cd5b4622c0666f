"""Users that scripts run as: never root, who is exempt from process limits and owns files everywhere.

As root, each zygote gets an unused user id of its own; any other caller keeps theirs.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

FIRST, COUNT = 60_000, 5_000


def is_root() -> bool:
    """Return whether this process is root."""
    return os.geteuid() == 0


def unused_user() -> int:
    """Return a user number without a name and without a process."""
    busy = _running()
    while True:
        uid = FIRST + secrets.randbelow(COUNT)
        if uid not in busy and not _has_name(uid):
            return uid


def _has_name(uid: int) -> bool:
    import pwd  # noqa: PLC0415 - only where there are such users

    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True


def _running() -> set[int]:
    found: set[int] = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                status = (entry / "status").read_text(encoding="utf-8", errors="replace")
            except OSError:
                continue
            found.update(int(line.split()[1]) for line in status.splitlines() if line.startswith("Uid:"))
    return found
