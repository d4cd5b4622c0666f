"""Expose the contents of folders, such as root's own, that the user a zygote drops to cannot enter.

Such a folder is replaced by what it holds, which is then shown inside one by one, in a new folder of the same name.
Whatever is closed further down stays closed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

OTHERS_MAY_ENTER = 0o005


def entered(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield paths; instead of a folder that others may not enter, its entries."""
    for path in paths:
        if path.is_dir() and path.stat().st_mode & OTHERS_MAY_ENTER != OTHERS_MAY_ENTER:
            yield from entered(sorted(path.iterdir()))
        elif path.exists():
            yield path
