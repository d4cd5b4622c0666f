"""Search and inspect over a Python package, read statically.

A name may be any path that leads to a definition, through re-exports and inheritance. What is inspected is the document
that the corpus has for it; a definition without one of its own (a field of a class) belongs to the one around it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.errors import UnknownNameError
from goldproof.jobs.mine.discovery.tools import Found, Inspected, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goldproof.corpus.packages import Package
    from goldproof.records.entities import Document

_MEMBERS = ("method", "property")


class PackageTools:
    """The tools over a package. documents: those of its corpus."""

    def __init__(self, package: Package, documents: Iterable[Document] | None = None, *, many: int = 8) -> None:
        self._package = package
        self._documents = {one.id: one for one in (package.documents() if documents is None else documents)}
        self._many = many

    def search(self, words: str) -> list[Found]:
        """Return the names nearest to some words, of those that are documents."""
        if not words.strip():
            return []
        matches = self._package.search(words, 4 * self._many)
        known = [match for match in matches if match.path in self._documents][: self._many]
        return [Found(match.path, one_line(f"{match.kind}. {match.summary}")) for match in known]

    def inspect(self, name: str) -> Inspected:
        """Return the document that a name leads to."""
        path = self._package.inspect(name.strip(), fields="static").path
        document = self._around(path)
        if document is None:
            kind = f"document of {self._package.name}"
            near = [found.name for found in self.search(name)[:3]]
            advice = f"{path} is not public; near it: {', '.join(near)}" if near else f"{path} is not public."
            raise UnknownNameError(kind, name, (), advice=advice)
        return Inspected(document.id, document.text, _names(document))

    def _around(self, path: str) -> Document | None:
        while path and path not in self._documents:
            path = path.rpartition(".")[0]
        return self._documents.get(path)


def _names(document: Document) -> tuple[str, ...]:
    """Return what code that uses the definition must hold; of a module its whole path."""
    kind = document.metadata.get("kind")
    if kind == "module":
        return (document.id,)
    parts = document.id.split(".")
    return (
        tuple(parts[-2:]) if kind in _MEMBERS and parts[-1] != "__init__" else (parts[-2 if kind in _MEMBERS else -1],)
    )
