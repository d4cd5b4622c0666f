"""The rules of `.gitignore` files, matched by `pathspec`.

git asks on the way down: a folder that is ignored is not entered, so nothing in it can be an exception, and a pattern
that names a folder says nothing about the files in it. `pathspec` asks for whole paths, where a pattern that names a
folder on the way counts less than one that names the end. To have git's answers from it, the patterns of all files in
force are one list, relative to the top folder, and every folder is asked for before it is entered.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from pathspec import GitIgnoreSpec


_MOST_STARS = 4  # of a part of a pattern; with 7 a name of 63 characters took four seconds


class _Pattern(NamedTuple):
    text: str
    folders_only: bool


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """The patterns in force in a folder: its own and those of the folders above it.

    unread: lines of its own file that are no pattern, name a class of characters (`[[:alpha:]]`), or have too
    many stars; not respected.
    """

    patterns: tuple[_Pattern, ...] = ()
    unread: tuple[str, ...] = ()
    _files: GitIgnoreSpec | None = field(default=None, repr=False)
    _folders: GitIgnoreSpec | None = field(default=None, repr=False)

    def with_file(self, path: Path, *, place: str) -> IgnoreRules:
        """Return the rules with those of a `.gitignore`. place: its folder below the top one, empty for that itself."""
        lines = path.read_text(encoding="utf-8-sig", errors="replace").split("\n")
        read = [(line, pattern, _compiled([pattern])) for line in lines for pattern in _patterns(line, place=place)]
        patterns = (*self.patterns, *(pattern for _, pattern, spec in read if spec is not None))
        return IgnoreRules(
            patterns,
            unread=tuple(line for line, _, spec in read if spec is None),
            _files=_compiled(patterns),
            _folders=_compiled(pattern._replace(folders_only=False) for pattern in patterns),
        )

    def covers(self, relative: str, *, is_folder: bool = False) -> bool:
        """Return whether a file, or a folder, is ignored; everything above it is not."""
        spec = self._folders if is_folder else self._files
        return spec is not None and spec.match_file(relative)


def _patterns(line: str, *, place: str) -> Iterator[_Pattern]:
    """Yield the pattern of a line, anchored at the top folder."""
    line = line if line.endswith("\\ ") else line.rstrip()
    sign, body = ("!", line[1:]) if line.startswith("!") else ("", line)
    name = body.removesuffix("/")
    if not name.strip("/") or line.startswith("#"):
        return
    where = "/" + "".join(re.sub(r"([\\*?\[\]])", r"\\\1", part) + "/" for part in place.split("/") if part)
    depth = "" if "/" in name else "**/"
    inner = "/*" if name != body and name.endswith("**") else ""  # `a/**/` names the folders below a, not a
    yield _Pattern(f"{sign}{where}{depth}{name.removeprefix('/')}{inner}", folders_only=name != body)


def _is_slow(text: str) -> bool:
    """Return whether a pattern could take for ever: all ways to share a name among its stars are tried."""
    parts = text.split("/")
    return parts.count("**") > _MOST_STARS or any(part.count("*") > _MOST_STARS for part in parts if part != "**")


def _compiled(patterns: Iterable[_Pattern]) -> GitIgnoreSpec | None:
    """Return what matches the patterns; None where one of them is none."""
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - only where there is a .gitignore

    texts = [pattern.text + ("/" if pattern.folders_only else "") for pattern in patterns]
    if any("[[:" in text or _is_slow(text) for text in texts):
        return None
    try:
        with warnings.catch_warnings(action="ignore", category=FutureWarning):  # re, of the plain bracket in `[[]`
            return GitIgnoreSpec.from_lines(texts, backend="simple")
    except (ValueError, re.error):
        return None
