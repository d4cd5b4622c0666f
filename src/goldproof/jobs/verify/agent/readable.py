"""Files that an agent may read: the library's modules, as its distributions list them, and nothing else.

A path is looked up in that list, never on the disk: no `..`, no absolute path and no name of the user's leads anywhere.
A listed file that is a link out of its folder, or lies under a hidden name, is refused; so is one that is no text.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from goldproof.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goldproof.corpus.packages import Distribution

PAGE = 5_000
_LARGEST = 2_000_000
_SHOWN = 12
_INSTALLED = "site-packages/"


class ReadableFiles:
    """Files by their path below the folder that imports start from: `yaml/loader.py`."""

    def __init__(self, distributions: Iterable[Distribution]) -> None:
        files = [file for one in distributions for file in one.files if not file.is_compiled]
        self._files = {file.relative: file.path for file in files}

    def read(self, path: str, *, offset: int = 0) -> str:
        """Return a page of a file, with its place and where to go on. InputError: it is none of the library's."""
        wanted = path.strip().partition(_INSTALLED)[2] or path.strip()
        text = self._text(wanted)
        start = max(offset, 0)
        if start >= len(text) > 0:
            raise InputError(f"{wanted} has {len(text)} characters; offset {offset} is behind its end.")
        end = min(start + PAGE, len(text))
        more = f"; go on with offset {end}" if end < len(text) else ", its end"
        return f"{wanted}, characters {start} to {end} of {len(text)}{more}:\n{text[start:end]}"

    def _text(self, wanted: str) -> str:
        found = self._files.get(wanted)
        if found is None:
            raise self._unknown(wanted)
        if _is_hidden(wanted) or not _stays_inside(found, wanted):
            raise InputError(f"{wanted} cannot be read: it is hidden, or a link that leaves the library.")
        try:
            if found.stat().st_size > _LARGEST:
                raise InputError(f"{wanted} is too large to be read; inspect its names instead.")
            return found.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{wanted} cannot be read as text ({type(error).__name__}).") from error

    def _unknown(self, wanted: str) -> InputError:
        below = sorted(one for one in self._files if one.startswith(f"{wanted.rstrip('/')}/"))
        if below:
            more = f" and {len(below) - _SHOWN} more" if len(below) > _SHOWN else ""
            return InputError(f"{wanted} is a folder: {', '.join(below[:_SHOWN])}{more}.")
        return UnknownNameError("file of the library", wanted, self._files)


def _is_hidden(wanted: str) -> bool:
    return any(part.startswith(".") for part in PurePosixPath(wanted).parts)


def _stays_inside(found: Path, wanted: str) -> bool:
    """Say whether a file really lies in the folder that it was listed in, links followed."""
    root = found
    for _ in PurePosixPath(wanted).parts:
        root = root.parent
    try:
        return found.resolve(strict=True).is_relative_to(root.resolve(strict=True))
    except OSError:
        return False
