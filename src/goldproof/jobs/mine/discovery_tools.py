"""Search and inspect over a corpus or a Python package.

In a package a name may be any path that leads to a definition, through re-exports and inheritance. The document that
the corpus has for it is inspected; a definition without a document (a field of a class) belongs to the one around it.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from goldproof.errors import UnknownNameError, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from goldproof.corpus.packages import Package
    from goldproof.records.entities import Document
    from goldproof.retrieve import Retriever

LONGEST_LINE = 120
COMPARED = 20_000  # ids that are compared with an unknown name
_MEMBERS = ("method", "property")


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A name that a search found, with one line about it."""

    name: str
    line: str


@dataclass(frozen=True, slots=True)
class Inspected:
    """A document that was looked at. document: its id.

    names: those that code must all hold to use it (a class: its name; a method: also that of its class); empty where
    code cannot use the document.
    """

    document: str
    text: str
    names: tuple[str, ...] = ()


class Tools(Protocol):
    """The two tools of an agent: search and inspect."""

    def search(self, words: str) -> Sequence[SearchResult]:
        """Return the names that fit some words, best first."""

    def inspect(self, name: str) -> Inspected:
        """Return the document of a name. UnknownNameError, with near names, where there is none."""


def one_line(text: str) -> str:
    """Return the beginning of a text on one line."""
    return shortened(" ".join(text[: 4 * LONGEST_LINE].split()), longest=LONGEST_LINE)


class CorpusTools:
    """The tools over documents. retriever: already indexed with them, usually bm25."""

    def __init__(self, retriever: Retriever, documents: Iterable[Document], *, many: int = 8) -> None:
        self._retriever = retriever
        self._documents = {document.id: document for document in documents}
        self._titles: dict[str, list[str]] = {}
        for document in self._documents.values():
            self._titles.setdefault(document.title.strip().casefold(), []).append(document.id)
        self._many = many
        self._lock = Lock()

    def search(self, words: str) -> list[SearchResult]:
        """Return the documents nearest to some words."""
        if not words.strip():
            return []
        with self._lock:  # a user's retriever need not be thread-safe
            hits = self._retriever.search(words, self._many)
        ids = [hit.doc_id for hit in hits if hit.doc_id in self._documents]
        return [SearchResult(document, self._line(document)) for document in ids]

    def inspect(self, name: str) -> Inspected:
        """Return the document of that id, or the only one of that title."""
        wanted = name.strip()
        titled = self._titles.get(wanted.casefold(), []) if wanted else []
        document = self._documents.get(wanted) or (self._documents[titled[0]] if len(titled) == 1 else None)
        if document is None:
            raise self._unknown(wanted, titled)
        return Inspected(document.id, f"{document.title}\n\n{document.text}".strip())

    def _line(self, name: str) -> str:
        document = self._documents[name]
        return one_line(f"{document.title}: {document.text}" if document.title else document.text)

    def _unknown(self, name: str, titled: list[str]) -> UnknownNameError:
        """Return the error for an unknown name: several have that title, or the nearest documents or ids."""
        if titled:
            return UnknownNameError("document", name, (), advice=f"several have this title: {', '.join(titled[:8])}.")
        near = [f"{result.name} ({result.line})" for result in self.search(name)[:3]]
        if near:
            return UnknownNameError("document", name, (), advice=f"nearest: {'; '.join(near)}")
        return UnknownNameError("document", name, list(self._documents)[:COMPARED])


class PackageTools:
    """The tools over a package. documents: those of its corpus."""

    def __init__(self, package: Package, documents: Iterable[Document] | None = None, *, many: int = 8) -> None:
        self._package = package
        own = package.documents() if documents is None else documents
        self._documents = {document.id: document for document in own}
        self._many = many

    def search(self, words: str) -> list[SearchResult]:
        """Return the names nearest to some words, of those that are documents."""
        if not words.strip():
            return []
        matches = self._package.search(words, 4 * self._many)
        known = [match for match in matches if match.path in self._documents][: self._many]
        return [SearchResult(match.path, one_line(f"{match.kind}. {match.summary}")) for match in known]

    def inspect(self, name: str) -> Inspected:
        """Return the document of the definition that a name leads to."""
        path = self._package.inspect(name.strip(), fields="static").path
        document = self._around(path)
        if document is None:
            kind = f"document of {self._package.name}"
            near = [result.name for result in self.search(name)[:3]]
            advice = f"{path} is not public; near it: {', '.join(near)}" if near else f"{path} is not public."
            raise UnknownNameError(kind, name, (), advice=advice)
        return Inspected(document.id, document.text, _names(document))

    def _around(self, path: str) -> Document | None:
        while path and path not in self._documents:
            path = path.rpartition(".")[0]
        return self._documents.get(path)


def _names(document: Document) -> tuple[str, ...]:
    """Return the names that code must hold to use the definition; of a module its whole path."""
    kind = document.metadata.get("kind")
    if kind == "module":
        return (document.id,)
    parts = document.id.split(".")
    return (
        tuple(parts[-2:]) if kind in _MEMBERS and parts[-1] != "__init__" else (parts[-2 if kind in _MEMBERS else -1],)
    )
