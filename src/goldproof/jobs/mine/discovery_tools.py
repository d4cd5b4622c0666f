"""Search and inspect over a corpus or a Python package.

A name may be any path that leads to a definition, through re-exports and inheritance. What is inspected is the document
that the corpus has for it; a definition without one of its own (a field of a class) belongs to the one around it.
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


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A name that a search found, with one line about it."""

    name: str
    line: str


@dataclass(frozen=True, slots=True)
class Inspected:
    """A document that was looked at. document: its id.

    names: what code that uses it must hold, all of them (a class: its name; a method: that of its class as well);
    empty where the document is nothing that code can use.
    """

    document: str
    text: str
    names: tuple[str, ...] = ()


class Tools(Protocol):
    """The two tools."""

    def search(self, words: str) -> Sequence[SearchResult]:
        """Return names, best first."""

    def inspect(self, name: str) -> Inspected:
        """Return what is known of a name. UnknownNameError, with near names, where nothing is called so."""


def one_line(text: str) -> str:
    """Return the beginning of a text on one line."""
    return shortened(" ".join(text[: 4 * LONGEST_LINE].split()), longest=LONGEST_LINE)


COMPARED = 20_000


class CorpusTools:
    """The tools over documents. retriever: indexed already with them, usually bm25."""

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
        with self._lock:  # a retriever of the user's need not stand being called twice at once
            hits = self._retriever.search(words, self._many)
        ids = [hit.doc_id for hit in hits if hit.doc_id in self._documents]
        return [SearchResult(one, self._line(one)) for one in ids]

    def inspect(self, name: str) -> Inspected:
        """Return the document of that id, or the only one of that title."""
        wanted = name.strip()
        titled = self._titles.get(wanted.casefold(), []) if wanted else []
        document = self._documents.get(wanted) or (self._documents[titled[0]] if len(titled) == 1 else None)
        if document is None:
            raise self._unknown(wanted, titled)
        return Inspected(document.id, f"{document.title}\n\n{document.text}".strip())

    def _line(self, one: str) -> str:
        document = self._documents[one]
        return one_line(f"{document.title}: {document.text}" if document.title else document.text)

    def _unknown(self, name: str, titled: list[str]) -> UnknownNameError:
        """Return the error for a name that is none: several of that title, ids spelt nearly so, or what is about it."""
        if titled:
            return UnknownNameError("document", name, (), advice=f"several have this title: {', '.join(titled[:8])}.")
        found = [f"{one.name} ({one.line})" for one in self.search(name)[:3]]
        if found:
            return UnknownNameError("document", name, (), advice=f"nearest: {'; '.join(found)}")
        return UnknownNameError("document", name, list(self._documents)[:COMPARED])


_MEMBERS = ("method", "property")


class PackageTools:
    """The tools over a package. documents: those of its corpus."""

    def __init__(self, package: Package, documents: Iterable[Document] | None = None, *, many: int = 8) -> None:
        self._package = package
        self._documents = {one.id: one for one in (package.documents() if documents is None else documents)}
        self._many = many

    def search(self, words: str) -> list[SearchResult]:
        """Return the names nearest to some words, of those that are documents."""
        if not words.strip():
            return []
        matches = self._package.search(words, 4 * self._many)
        known = [match for match in matches if match.path in self._documents][: self._many]
        return [SearchResult(match.path, one_line(f"{match.kind}. {match.summary}")) for match in known]

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
