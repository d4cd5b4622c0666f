"""Working copies of repositories on this machine: which files they hold, and at which commit they stand."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from goldproof.errors import InputError


@dataclass(frozen=True, slots=True)
class Checkout:
    """A repository's files: paths relative to its root, with forward slashes, sorted."""

    root: Path
    files: tuple[str, ...]

    def read(self, path: str) -> str:
        """Return the text of a file as it is, line ends included; bytes that are not UTF-8 are shown as replaced."""
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
    found: list[str] = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name != ".git"]
        inside = (Path(folder) / name for name in names)
        # A link may lead out of the repository.
        found += [path.relative_to(root).as_posix() for path in inside if path.is_file() and not path.is_symlink()]
    return found
