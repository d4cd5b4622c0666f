"""What is known of a repository's files: all of them in a checkout, else those that any answer of the source cites."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from goldproof.errors import FileFormatError, InputError
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.record_files import read_records
from goldproof.jobs.build.adapters.adapter import LocalSource, Place
from goldproof.jobs.build.adapters.checkouts import Checkout, find_checkout
from goldproof.jobs.build.adapters.cited_files import KnownPaths
from goldproof.jobs.build.adapters.record_fields import text_of
from goldproof.jobs.build.adapters.swe_qa_repositories import Repository, repository_of
from goldproof.text.citations import citations

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Files(NamedTuple):
    """What is known of a repository's files, and their texts where there is a checkout."""

    known: KnownPaths
    checkout: Checkout | None = None


def checked_out_in(folder: object) -> Callable[[Repository], Files | None]:
    """Return the function that gives a repository's files from a folder of checkouts, None where it has none."""
    root = Path(folder) if isinstance(folder, str | Path) else None
    if root is None or not root.is_dir():
        raise InputError(f"swe-qa: checkouts is {folder!r}, expected a folder that holds a checkout per repository.")

    @cache
    def files_of(repository: Repository) -> Files | None:
        found = find_checkout(root, repo=repository.name, commit=repository.commit)
        return Files(KnownPaths(found.files, complete=True), found) if found else None

    return files_of


def cited_in(source: LocalSource, repositories: Mapping[str, Repository]) -> Callable[[Repository], Files]:
    """Return the function that gives the paths that the source's answers cite for a repository."""
    found: dict[str, set[str]] = {}
    for path in source.files:
        try:
            for number, record in read_records(path, Diagnostics(path, keep=0)):
                repository = repository_of(record, Place(path, number), known=repositories)
                if repository:
                    paths = (citation.path for citation in citations(text_of(record.get("answer"))))
                    found.setdefault(repository.name, set()).update(path for path in paths if "/" in path)
        except FileFormatError:
            continue  # whoever reads the file for its records says so
    known = {name: Files(KnownPaths(paths)) for name, paths in found.items()}
    return lambda repository: known.get(repository.name, Files(KnownPaths()))
