"""Files that an answer cites: which path of the repository each citation means, and its text in a checkout.

- Against the files of a checkout, a path is itself if it exists, else the one file that ends with it.
- Against other citations only, a path with folders is the one longer path that ends with it (several: it cannot be
  told). Where nothing ends with it but its first folder is otherwise cited inside one other (`_pytest` as
  `src/_pytest`), it is taken to be inside that one; else it is itself. A bare name is a file of the root only where
  such files usually are (`pyproject.toml`, `CHANGES.rst`) and lines of the file are cited.
- In both cases a bare name first means the one file of that name that the same answer cites with its folders.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from goldproof.errors import InputError
from goldproof.jobs.build.records import Evidence
from goldproof.records.entities import Document
from goldproof.text.citations import full_path
from goldproof.text.code_blocks import code_context
from goldproof.text.languages import detect_language

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from goldproof.text.citations import Citation, LineRange

_OF_THE_ROOT = re.compile(r"pyproject\.toml|setup\.(?:py|cfg)|tox\.ini|(?:README|CHANGES|CHANGELOG|HISTORY)\.\w+")
_OFTEN = 3


class KnownPaths:
    """Paths of a repository by their file names; `complete` where they are all of its files."""

    def __init__(self, paths: Iterable[str] = (), *, complete: bool = False) -> None:
        self._complete = complete
        self._by_name: dict[str, list[str]] = {}
        self._above: dict[str, Counter[str]] = {}
        for path in sorted(set(paths)):
            self._by_name.setdefault(path.rpartition("/")[2], []).append(path)
            folders = path.split("/")[:-1]
            for depth, folder in enumerate(folders):
                self._above.setdefault(folder, Counter())["/".join(folders[:depth])] += 1

    def find(self, cited: Citation) -> str | None:
        """Return the path that a citation means, None where it is ambiguous or unknown."""
        same_name = self._by_name.get(cited.path.rpartition("/")[2], [])
        if self._complete:
            return full_path(cited.path, known=same_name)
        if "/" not in cited.path:
            return cited.path if cited.lines and _OF_THE_ROOT.fullmatch(cited.path) else None
        longer = [path for path in same_name if path.endswith(f"/{cited.path}")]
        return full_path(cited.path, known=longer) if longer else self._placed(cited.path)

    def _placed(self, path: str) -> str:
        above = self._above.get(path.partition("/")[0], Counter())
        inside = {folder: count for folder, count in above.items() if folder}
        if len(inside) != 1:
            return path
        [(folder, count)] = inside.items()
        return f"{folder}/{path}" if count >= _OFTEN and count > above[""] else path


@dataclass(frozen=True, slots=True)
class CitedFiles:
    """The files that are meant, with the lines cited of each, and the names that nothing was found for."""

    lines: dict[str, tuple[LineRange, ...]]
    unresolved: tuple[str, ...]


def resolve(cited: Sequence[Citation], known: KnownPaths) -> CitedFiles:
    """Return the files that an answer means by its citations."""
    with_folders = {citation.path: known.find(citation) for citation in cited if "/" in citation.path}
    full_paths = [path for path in with_folders.values() if path]
    lines: dict[str, tuple[LineRange, ...]] = {}
    unresolved: list[str] = []
    for citation in cited:
        path = with_folders.get(citation.path)
        if "/" not in citation.path:
            path = full_path(citation.path, known=full_paths) or known.find(citation)
        if path is None:
            unresolved.append(citation.path)
        else:
            lines[path] = tuple(dict.fromkeys((*lines.get(path, ()), *citation.lines)))
    return CitedFiles(lines, tuple(unresolved))


class CitedDocument(NamedTuple):
    """A source file as a document, and the cited lines in its text."""

    document: Document
    evidence: tuple[Evidence, ...]


def cited_document(document: str, *, path: str, repo: str, code: str, lines: Iterable[LineRange]) -> CitedDocument:
    """Return a file under its id; lines that it does not have are left out, and so are blank ones."""
    language = detect_language(file_path=path, content=code)
    context = code_context(code, language=language, file_path=path, repo=repo)
    metadata = {"repo": repo, "file_path": path, "language": language, "code_length": len(code)}
    spans = (
        Evidence(document, context.start + start, context.start + end)
        for start, end in line_spans(code, lines)
        if code[start:end].strip()
    )
    return CitedDocument(Document(document, context.text, title=path, metadata=metadata), tuple(spans))


def line_spans(code: str, lines: Iterable[LineRange]) -> list[tuple[int, int]]:
    """Return the spans of line ranges in the code, without the line end of the last."""
    pieces = code.split("\n")
    starts = [0, *accumulate(len(piece) + 1 for piece in pieces)]
    count = len(pieces) - (not pieces[-1])
    return [(starts[each.first - 1], starts[each.last] - 1) for each in lines if each.last <= count]


@dataclass(frozen=True, slots=True)
class Checkout:
    """A repository's files: paths relative to its root, with forward slashes, sorted."""

    root: Path
    files: tuple[str, ...]

    def read(self, path: str) -> str:
        """Return the text of a file with its line ends; bytes that are not UTF-8 become replacement characters."""
        return (self.root / path).read_bytes().decode("utf-8", "replace")


def find_checkout(folder: Path, *, repo: str, commit: str) -> Checkout | None:
    """Return the checkout of `owner/name` in a folder of checkouts; None where there is none.

    It is looked for as `name`, `owner/name` and `owner__name`. One at another commit than the dataset's is refused.
    """
    owner, _, name = repo.rpartition("/")
    for root in (folder / name, folder / owner / name, folder / f"{owner}__{name}"):
        if root.is_dir():
            _check_commit(root, commit)
            return Checkout(root, tuple(sorted(_files(root))))
    return None


def _check_commit(root: Path, commit: str) -> None:
    head = _head(root / ".git")
    if head and commit and not head.startswith(commit):
        raise InputError(
            f"{root} is at commit {head[:12]}, but the dataset's answers are about {commit}.\n"
            f"  Run: git -C {root} checkout {commit}"
        )


def _head(git: Path) -> str:
    try:
        head = (git / "HEAD").read_text(encoding="utf-8").strip()
        if not head.startswith("ref: "):
            return head
        return (git / head.removeprefix("ref: ")).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""  # an export without history, or packed references: the commit cannot be told


def _files(root: Path) -> list[str]:
    paths: list[str] = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name != ".git"]
        inside = (Path(folder) / name for name in names)
        # A link may lead out of the repository.
        paths += [path.relative_to(root).as_posix() for path in inside if path.is_file() and not path.is_symlink()]
    return paths
