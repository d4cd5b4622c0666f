"""A `.gitignore`, where it is simple: names with `*`, `?` and `[...]`, folders (`name/`), paths from here (`/name`).

Exceptions (`!`), `**` and escapes are not simple: such a file is not respected at all, which the
reader of a folder says, rather than respected in part.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path


class _Pattern(NamedTuple):
    parts: tuple[str, ...]
    anchored: bool
    folders_only: bool


@dataclass(frozen=True, slots=True)
class Ignored:
    """The patterns of one file; they hold for all that is below its folder."""

    folder: Path
    patterns: tuple[_Pattern, ...]

    def covers(self, path: Path, *, is_folder: bool = False) -> bool:
        """Say whether a pattern names the path itself (what is below a covered folder is never looked at)."""
        parts = path.relative_to(self.folder).parts
        return any(_matches(pattern, parts, is_folder=is_folder) for pattern in self.patterns)


def read_gitignore(path: Path) -> Ignored | None:
    """Read a `.gitignore`; None where it is not simple."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    patterns: list[_Pattern] = []
    for line in map(str.strip, lines):
        if not line or line.startswith("#"):
            continue
        if line.startswith("!") or "**" in line or "\\" in line:
            return None
        inner = line.strip("/")
        parts = tuple(inner.split("/"))
        patterns.append(_Pattern(parts, line.startswith("/") or len(parts) > 1, line.endswith("/")))
    return Ignored(path.parent, tuple(patterns))


def _matches(pattern: _Pattern, parts: tuple[str, ...], *, is_folder: bool) -> bool:
    if pattern.folders_only and not is_folder:
        return False
    if not pattern.anchored:
        return fnmatchcase(parts[-1], pattern.parts[0])
    same = len(parts) == len(pattern.parts)
    return same and all(fnmatchcase(*pair) for pair in zip(parts, pattern.parts, strict=True))
