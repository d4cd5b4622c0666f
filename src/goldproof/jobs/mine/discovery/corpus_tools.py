"""Search and inspect over any corpus: a retriever finds, and a document is called by its id or by its title."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from goldproof.errors import UnknownNameError
from goldproof.jobs.mine.discovery.tools import Found, Inspected, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goldproof.records.entities import Document
    from goldproof.retrieve import Retriever

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

    def search(self, words: str) -> list[Found]:
        """Return the documents nearest to some words."""
        if not words.strip():
            return []
        with self._lock:  # a retriever of the user's need not stand being called twice at once
            hits = self._retriever.search(words, self._many)
        ids = [hit.doc_id for hit in hits if hit.doc_id in self._documents]
        return [Found(one, self._line(one)) for one in ids]

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
