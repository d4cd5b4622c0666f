"""Code files that cases show, and sections of them.

A path is relative to the folder of the registry or to any folder above it; the nearest wins. A registry may come from
elsewhere and its files are shown to models, so absolute paths, hidden files and folders (`.ssh`, `.env`) and the root
of the file system are out of its reach.

A section stands between marks:

    # --8<-- [start:NAME]
    ...
    # --8<-- [end:NAME]

The marks stand on lines of their own, at any indentation, behind any sign for a comment (`//`, `--`, `<!-- -->`, none).
Marks of other sections that stand inside are dropped. The text is moved to the left as far as it goes, and blank lines
around it are dropped.
"""

from __future__ import annotations

import hashlib
import os
import re
import textwrap
from difflib import get_close_matches
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import NamedTuple

from goldproof.errors import FileFormatError
from goldproof.io.cases.case import BadCaseError, CodeFile
from goldproof.io.text_files import UTF8_BOM, check_file

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
                f"names {written!r}, which is larger than {_MOST_BYTES >> 20} MiB, too large for a code file."
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
            is_file = path.is_file()
        except (OSError, RuntimeError, ValueError):  # a circle of links, a name that is too long
            continue
        if is_file:
            _refuse_far(path, base=base, written=written)
            _refuse_hidden(path, base=base, written=written)
            return path
    raise BadCaseError(f"names {written!r}, which is neither in {folder} nor in a folder above it.")


def _refuse_far(path: Path, *, base: Path, written: str) -> None:
    """Refuse a file that shares only the root of the file system with the registry, by `..` or by a link."""
    if not set(path.parents[:-1]) & {base, *base.parents[:-1]}:
        raise BadCaseError(f"names {written!r}, which lies outside of every folder above the registry; it is not read.")


def _refuse_hidden(path: Path, *, base: Path, written: str) -> None:
    """Refuse a file behind a name with a leading point: keys and settings of the user, not code of a benchmark."""
    way = PurePosixPath(Path(os.path.relpath(path, base)).as_posix()).parts
    if any(part.startswith(".") and part != ".." for part in way):
        raise BadCaseError(f"names {written!r}, which is hidden or lies in a hidden folder; such files are not read.")


_MARK = re.compile(
    r"\s*(?:(?:[^\w\s'\"]{1,4}|rem)\s*)??-+8<-+\s*\[\s*(start|end)\s*:\s*([^\]\s]+)\s*\]\s*(?:[^\w\s'\"]{1,3})?\s*",
    re.IGNORECASE,
)


class _Mark(NamedTuple):
    row: int
    starts: bool
    name: str


def section_of(text: str, name: str) -> str:
    """Return the text of a section."""
    lines = _lines(text)
    marks = _marks(lines)
    starts = [mark.row for mark in marks if mark.starts and mark.name == name]
    if not starts:
        raise BadCaseError(_missing(name, [mark.name for mark in marks if mark.starts]))
    if len(starts) > 1:
        raise BadCaseError(f"its section {name!r} begins twice there, in lines {starts[0] + 1} and {starts[1] + 1}")
    ends = [mark.row for mark in marks if not mark.starts and mark.name == name and mark.row > starts[0]]
    if not ends:
        raise BadCaseError(f"its section {name!r} begins in line {starts[0] + 1} there and has no end")
    return _tidy(lines[starts[0] + 1 : ends[0]])


def first_row_of(text: str, name: str) -> int | None:
    """Return the number of lines before a section, None where the file has no such section."""
    rows = (mark.row for mark in _marks(_lines(text)) if mark.starts and mark.name == name)
    return next(rows, None)


def without_marks(text: str) -> str:
    """Return a whole file without the marks of its sections."""
    return _tidy(_lines(text))


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").split("\n")  # not splitlines: a form feed does not end a line of code


def _marks(lines: list[str]) -> list[_Mark]:
    matches = ((row, _mark(line)) for row, line in enumerate(lines))
    return [_Mark(row, mark[1].lower() == "start", mark[2]) for row, mark in matches if mark]


def _mark(line: str) -> re.Match[str] | None:
    return _MARK.fullmatch(line) if "8<-" in line else None


def _tidy(lines: list[str]) -> str:
    kept = [line for line in lines if _mark(line) is None]
    return textwrap.dedent("\n".join(kept)).strip("\n").rstrip()


def _missing(name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, n=3, cutoff=0.6) or list(dict.fromkeys(known))[:5]
    listed = f"; it has {', '.join(map(repr, near))}" if near else "; it has none"
    return f"its section {name!r} is not there{listed}"
