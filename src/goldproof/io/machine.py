"""What a clock or a host decides: the content of `run.json`, and of no other file."""

from __future__ import annotations

import platform
import time
from datetime import UTC, datetime


def machine_facts() -> dict[str, object]:
    """Return when and on what machine this process runs, and the CPU time it has taken."""
    return {
        "written_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu_seconds": round(time.process_time(), 3),
        "python": platform.python_version(),
        "platform": platform.platform(),
    }
