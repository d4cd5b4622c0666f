"""Kill a process tree from the host, once a zygote had its chance to clean up by itself.

The kernel would signal the death of a parent, but not where the parent (bubblewrap, which drops root's rights) may not
signal the child (another user). So the host ends the processes itself, by their ids, while their parent still names
them.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess

PAUSE = 0.002
TIMES = 1000


def end_tree(process: subprocess.Popen[bytes]) -> None:
    """Kill everything below a process, then itself, and wait for it."""
    for _ in range(TIMES):
        living = _below(process.pid)
        if not living:
            break
        for pid in living:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(PAUSE)
    process.kill()
    process.wait()


def _below(pid: int) -> list[int]:
    """Processes below one that have not ended; the nearest first."""
    found: list[int] = []
    for names in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in _words(names):
            if not _ended(int(child)):
                found += [int(child), *_below(int(child))]
    return found


def _ended(pid: int) -> bool:
    words = _words(Path(f"/proc/{pid}/stat"), after=")")
    return not words or words[0] in {"Z", "X"}


def _words(path: Path, *, after: str = "") -> list[str]:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return text[text.rfind(after) + 1 :].split() if after else text.split()
