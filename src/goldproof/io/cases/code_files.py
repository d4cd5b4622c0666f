"""The files that cases name: where they are, what stands in them, and their sha256.

A path is relative to the folder of the registry or to any folder above it; the nearest wins. A registry may come from
elsewhere and what it names is shown to models, so absolute paths, hidden files and folders (`.ssh`, `.env`) and the
root of the file system are out of its reach.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import NamedTuple

from goldproof.core.errors import FileFormatError
from goldproof.io.cases.case import CodeFile
from goldproof.io.cases.fields import BadCaseError
from goldproof.io.cases.snippets import section_of, without_marks
from goldproof.io.opening import UTF8_BOM, check_file

_MOST_BYTES = 4 << 20


class FoundCode(NamedTuple):
    """A file of a case, and where it was found."""

    code: CodeFile
    path: Path


class CodeFiles:
    """Reads each file once. hashes: every file that was read -> sha256."""

    def __init__(self) -> None:
        self.hashes: dict[Path, str] = {}
        self._texts: dict[Path, str] = {}
        self._shown: dict[tuple[Path, str | None], str] = {}
        self._found: dict[tuple[Path, str], Path] = {}

    def read(self, written: str, *, folder: Path, section: str | None = None) -> FoundCode:
        """Return a file, or a section of it. written: its path as the case gives it; folder: of the registry."""
        path = self._locate(written, folder)
        text = self._text(path, written)
        if (path, section) not in self._shown:
            self._shown[path, section] = self._cut(text, written, section=section)
        return FoundCode(CodeFile(written, self._shown[path, section], section, text if section else ""), path)

    @staticmethod
    def _cut(text: str, written: str, *, section: str | None) -> str:
        try:
            shown = section_of(text, section) if section else without_marks(text)
        except BadCaseError as error:
            raise BadCaseError(f"names {written!r}, but {error}.") from error
        if not shown.strip():
            raise BadCaseError(f"names {written!r}, but {f'its section {section!r}' if section else 'it'} is empty.")
        return shown

    def _locate(self, written: str, folder: Path) -> Path:
        known = self._found.get((folder, written))
        if known is None:
            known = self._found[folder, written] = _locate(written, folder)
        return known

    def _text(self, path: Path, written: str) -> str:
        if path not in self._texts:
            data = _bytes(path, written)
            try:
                self._texts[path] = data.removeprefix(UTF8_BOM).decode("utf-8")
            except UnicodeDecodeError as error:
                line = data.count(b"\n", 0, error.start) + 1
                raise BadCaseError(f"names {written!r}, which is not UTF-8 text (line {line}).") from error
            self.hashes[path] = hashlib.sha256(data).hexdigest()
        return self._texts[path]


def _bytes(path: Path, written: str) -> bytes:
    try:
        if check_file(path).stat().st_size > _MOST_BYTES:
            raise BadCaseError(
                f"names {written!r}, which is larger than {_MOST_BYTES >> 20} MiB, so it is no code to show."
            )
        return path.read_bytes()
    except FileFormatError as error:
        raise BadCaseError(f"names {written!r}, which {error.problem}") from error
    except OSError as error:
        raise BadCaseError(f"names {written!r}, which cannot be read: {error.strerror or error}.") from error


def _locate(written: str, folder: Path) -> Path:
    if PurePosixPath(written).is_absolute() or PureWindowsPath(written).drive or "\x00" in written:
        raise BadCaseError(f"names {written!r}, expected a path from the registry's folder, or from a folder above it.")
    base = folder.resolve()
    for above in (base, *base.parents[:-1]):
        try:
            path = (above / written).resolve()
            found = path.is_file()
        except (OSError, RuntimeError, ValueError):  # a circle of links, a name that is too long
            continue
        if found:
            _refuse_far(path, base=base, written=written)
            _refuse_hidden(path, base=base, written=written)
            return path
    raise BadCaseError(f"names {written!r}, which is neither in {folder} nor in a folder above it.")


def _refuse_far(path: Path, *, base: Path, written: str) -> None:
    """Refuse what has only the root of the file system in common with the registry, by `..` or by a link."""
    if not set(path.parents[:-1]) & {base, *base.parents[:-1]}:
        raise BadCaseError(f"names {written!r}, which lies outside of every folder above the registry; it is not read.")


def _refuse_hidden(path: Path, *, base: Path, written: str) -> None:
    """Refuse what lies behind a name with a point: keys and settings of the user, not code of a benchmark."""
    way = PurePosixPath(Path(os.path.relpath(path, base)).as_posix()).parts
    if any(part.startswith(".") and part != ".." for part in way):
        raise BadCaseError(f"names {written!r}, which is hidden or lies in a hidden folder; such files are not read.")
