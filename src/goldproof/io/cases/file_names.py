"""Short names of files, the same on every machine: as few folders before the name as tell them apart."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def short_names(paths: Iterable[Path], *, taken: Iterable[str] = ()) -> dict[Path, str]:
    """Return path -> name. taken: names that others have. Paths are absolute."""
    waiting = list(dict.fromkeys(paths))
    used = set(taken)
    names: dict[Path, str] = {}
    depth = 1
    while waiting:
        tried = {path: "/".join(path.parts[-depth:]) for path in waiting}
        counts = Counter(tried.values())
        settled = {
            path: n for path, n in tried.items() if (counts[n] == 1 and n not in used) or depth >= len(path.parts)
        }
        names |= settled
        waiting = [path for path in waiting if path not in settled]
        depth += 1
    return names
