"""The documents that a pipeline searches, by position: stages pass numbers on, not texts.

A retriever of the user's may return documents that are not in the corpus. Such a stranger gets a position after the
corpus when it is first seen, with the text that came with it and no metadata: it matches no filter.
"""

from __future__ import annotations

from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from karat.core.errors import InputError
from karat.core.records import Document

if TYPE_CHECKING:
    from collections.abc import Iterable

    from karat.core.arrays import IntArray


class Shelf:
    """Documents in the order in which they were given, then strangers in the order in which they were met."""

    def __init__(self, documents: Iterable[Document] = ()) -> None:
        self._documents = list(documents)
        self.size = len(self._documents)
        self._positions = {document.id: i for i, document in enumerate(self._documents)}
        if len(self._positions) < self.size:
            raise InputError(f"document {self._repeated()!r} occurs twice in the corpus; ids must be unique.")
        self._order: IntArray = np.empty(0, dtype=np.int64)
        self._lock = Lock()  # retrievers of the user's answer in several threads, and each may bring strangers

    @cached_property
    def documents(self) -> tuple[Document, ...]:
        """The documents of the corpus, without strangers."""
        return tuple(self._documents[: self.size])

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """What is searched of each document of the corpus: its title and its text."""
        return tuple(searched_text(document) for document in self.documents)

    @property
    def strangers(self) -> int:
        """How many documents were returned that are not in the corpus."""
        return len(self._documents) - self.size

    def at(self, position: int) -> Document:
        """Return a document, of the corpus or a stranger."""
        return self._documents[position]

    def ids(self, positions: IntArray) -> list[str]:
        """Return the ids at these positions."""
        documents = self._documents
        return [documents[position].id for position in positions.tolist()]

    def position(self, doc_id: str, text: str | None = None) -> int:
        """Return the position of a document; one that is not in the corpus is taken in as a stranger."""
        with self._lock:
            known = self._positions.get(doc_id)
            if known is None:
                known = self._positions[doc_id] = len(self._documents)
                self._documents.append(Document(doc_id, text or ""))
            elif text and known >= self.size and not self._documents[known].text:
                self._documents[known] = Document(doc_id, text)  # met before without its text
            return known

    def id_order(self) -> IntArray:
        """Return a number per position that grows with the id: what breaks ties."""
        with self._lock:
            if len(self._order) != len(self._documents):
                by_id = sorted(range(len(self._documents)), key=lambda i: self._documents[i].id)
                order = np.empty(len(by_id), dtype=np.int64)
                order[by_id] = np.arange(len(by_id))
                self._order = order
            return self._order

    def _repeated(self) -> str:
        seen: set[str] = set()
        for document in self._documents:
            if document.id in seen:
                return document.id
            seen.add(document.id)
        return ""


def searched_text(document: Document) -> str:
    """Return title and text as one; a text that already begins with its title is not given it twice."""
    if not document.title or document.text.startswith(document.title):
        return document.text
    return f"{document.title}\n{document.text}" if document.text else document.title
