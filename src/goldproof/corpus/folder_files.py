"""Files of a folder to read: which ones, and bytes to text.

Skipped are hidden files and folders, folders of version control, environments, caches and builds, files named in a
`.gitignore`, files of no known kind of text, data files (JSON, CSV, patches), binary, empty and very large ones.
A link is followed unless it leads back into the folder. Files come in the order of their paths.

Latin-1 never fails, so it is a guess, and the reader of a folder says for how many files it was made. A NUL in a file
that is not UTF-16 or UTF-32 means that it is no text. Line ends stay as they are; the byte-order mark is dropped.
"""

from __future__ import annotations

import codecs
import fnmatch
import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from goldproof.corpus.gitignore import IgnoreRules
from goldproof.errors import FileFormatError
from goldproof.text.languages import language_of_file

if TYPE_CHECKING:
    from collections.abc import Iterator


LARGEST = 4_000_000

_NOT_ENTERED = frozenset(
    {
        *("node_modules", "bower_components", "venv", "virtualenv", "site-packages", "__pycache__"),
        *("_build", "htmlcov", "CVS"),
    }
)

# Also names of packages and chapters: built is what stands at the top, or beside the file of a project.
_BUILT = frozenset({"build", "dist", "target", "out", "env"})

_PROJECT_FILES = (
    *("pyproject.toml", "setup.py", "package.json", "Cargo.toml", "pom.xml", "build.gradle", "CMakeLists.txt"),
    *("Makefile", "conf.py", ".git"),
)

_DATA = frozenset({"json", "csv", "diff"})

_MINIFIED = (".min.js", ".min.css", ".map")


class SourceFile(NamedTuple):
    """A file to read: where it is, its path within the folder with `/`, and its language."""

    path: Path
    relative: str
    language: str


@dataclass(slots=True)
class SkippedFiles:
    """Files that were skipped, or read in an unusual way, counted by reason with the first example of each."""

    counts: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    notes: Counter[str] = field(default_factory=Counter)

    def add(self, reason: str, example: str) -> None:
        """Count one file or folder that was skipped."""
        self.counts[reason] += 1
        self.examples.setdefault(reason, example)

    def note(self, reason: str, example: str) -> None:
        """Count one file that was read in an unusual way."""
        self.notes[reason] += 1
        self.examples.setdefault(reason, example)

    def remarks(self) -> tuple[str, ...]:
        """Return one sentence for every reason."""
        skipped = (f"{count} skipped: {self._reason(name, count)}" for name, count in sorted(self.counts.items()))
        noted = (f"{count} {self._reason(name, count)}" for name, count in sorted(self.notes.items()))
        return (*skipped, *noted)

    def _reason(self, name: str, count: int) -> str:
        return f"{name} ({'' if count == 1 else 'the first: '}{self.examples[name]})."


def folder_files(root: Path, skipped: SkippedFiles, *, pattern: str = "", largest: int = LARGEST) -> list[SourceFile]:
    """Return the files to read; pattern: names or paths to take, whatever their kind, such as `*.md;guide/*`."""
    patterns = tuple(filter(None, pattern.split(";")))
    files: list[SourceFile] = []
    for path in _walk(root, skipped):
        relative = path.relative_to(root).as_posix()
        language = _language(relative, patterns, skipped)
        if language is not None and _fits(path, relative, skipped, largest=largest):
            files.append(SourceFile(path, relative, language))
    return sorted(files, key=lambda file: file.relative.split("/"))


def _language(relative: str, patterns: tuple[str, ...], skipped: SkippedFiles) -> str | None:
    """Return the language of a file that is to be read."""
    name = relative.rsplit("/", 1)[-1]
    known = language_of_file(name)
    if patterns:
        taken = any(fnmatch.fnmatchcase(name, p) or fnmatch.fnmatchcase(relative, p) for p in patterns)
        return (known or "text") if taken else None
    if known is None:
        skipped.add("no known kind of text or code", relative)
    elif known in _DATA or name.endswith((*_MINIFIED, ".svg", ".lock")):
        skipped.add("data rather than text or code", relative)
    else:
        return known
    return None


def _fits(path: Path, relative: str, skipped: SkippedFiles, *, largest: int) -> bool:
    try:
        size = path.stat().st_size
    except OSError as error:
        skipped.add("cannot be read", f"{relative}, {error.strerror}")
        return False
    if size > largest:
        skipped.add(f"larger than {largest} bytes", f"{relative}, {size} bytes")
    return size <= largest


def _walk(root: Path, skipped: SkippedFiles) -> Iterator[Path]:
    """Yield the files below a folder, each once."""
    home = Path(os.path.realpath(root))
    seen = {home}
    waiting = [(root, IgnoreRules())]
    while waiting:
        folder, above = waiting.pop()
        rules = _rules_in(folder, above, skipped, root=root)
        for entry in _entries(folder, skipped):
            relative = entry.relative_to(root).as_posix()
            if not _is_utf8(entry.name):
                skipped.add("a name that is not UTF-8", relative.encode("utf-8", "replace").decode())
            elif _leads_back(entry, home, seen):
                skipped.add("a link to what is read elsewhere, or to nothing", relative)
            elif entry.is_dir():
                if _is_entered(entry, rules, skipped, relative=relative):
                    seen.add(Path(os.path.realpath(entry)))
                    waiting.append((entry, rules))
            elif entry.name.startswith("."):
                skipped.add("hidden", relative)
            elif rules.covers(relative):
                skipped.add("named in a .gitignore", relative)
            elif entry.is_file():
                yield entry


def _is_entered(folder: Path, rules: IgnoreRules, skipped: SkippedFiles, *, relative: str) -> bool:
    if folder.name.startswith("."):
        skipped.add("hidden", f"{relative}/")
    elif _is_made(folder, at_top="/" not in relative):
        skipped.add("a folder of builds, caches or installed packages", f"{relative}/")
    elif rules.covers(relative, is_folder=True):
        skipped.add("named in a .gitignore", f"{relative}/")
    else:
        return True
    return False


def _is_made(folder: Path, *, at_top: bool) -> bool:
    """Return whether a folder holds the output of tools or downloads."""
    if folder.name in _NOT_ENTERED or folder.name.endswith(".egg-info") or (folder / "pyvenv.cfg").is_file():
        return True
    return folder.name in _BUILT and (at_top or any((folder.parent / name).exists() for name in _PROJECT_FILES))


def _rules_in(folder: Path, above: IgnoreRules, skipped: SkippedFiles, *, root: Path) -> IgnoreRules:
    path = folder / ".gitignore"
    if not path.is_file():
        return above
    name = path.relative_to(root).as_posix()
    rules = above.with_file(path, place=name.removesuffix(".gitignore"))
    for line in rules.unread:
        skipped.note("not respected: a line of a .gitignore that cannot be read as a pattern", f"{name}, {line!r}")
    return rules


def _entries(folder: Path, skipped: SkippedFiles) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        skipped.add("cannot be read", f"{folder.name}/, {error.strerror}")
        return []


def _leads_back(entry: Path, home: Path, seen: set[Path]) -> bool:
    """Return whether a link is broken, or leads into the folder itself, above it, or where another link led before."""
    if not entry.is_symlink():
        return False
    target = Path(os.path.realpath(entry))
    if not target.exists() or target in seen:
        return True
    return target.is_relative_to(home) or home.is_relative_to(target)


def _is_utf8(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def check_folder(path: Path) -> Path:
    """Return the path of a folder; raise where it is none."""
    if path.is_dir():
        return path
    if path.exists():
        raise FileFormatError(path, "is a file, expected a folder.")
    raise FileFormatError(path, "no such folder.")


_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class Decoded(NamedTuple):
    """The text of a file, and the encoding in which it was read; "" where the bytes are no text."""

    text: str
    encoding: str


def decode(data: bytes) -> Decoded:
    """Return the text of some bytes."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _strict(data[len(bom) :], encoding) or Decoded("", "")
    if b"\x00" in data:
        return Decoded("", "")
    return _strict(data, "utf-8") or Decoded(data.decode("latin-1"), "latin-1")


def _strict(data: bytes, encoding: str) -> Decoded | None:
    try:
        return Decoded(data.decode(encoding), encoding)
    except UnicodeDecodeError:
        return None
