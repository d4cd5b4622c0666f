"""The indexed documents by position; metadata fields by name.

A retriever of the user's may return documents that are not in the corpus. Such an unknown document gets a position
after the corpus when it is first seen, with the text that came with it and no metadata: it matches no filter.

`meta.year` is a field inside a field; a key that itself has a dot is found under its own name first. A field whose
value is null counts as missing. The id and the title of a document are fields too, unless its metadata has fields of
these names.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from goldproof.errors import InputError
from goldproof.progress import OnProgress, ignore
from goldproof.records.entities import Document

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from goldproof.records.arrays import IntArray


class DocumentIndex:
    """The documents of the corpus in their order, then unknown ones in the order in which they were returned.

    on_progress: called by stages that take long to index them.
    """

    def __init__(self, documents: Iterable[Document] = (), *, on_progress: OnProgress = ignore) -> None:
        self.on_progress = on_progress
        self._documents = list(documents)
        self._ids = [document.id for document in self._documents]
        self.size = len(self._documents)
        self._positions = {doc_id: i for i, doc_id in enumerate(self._ids)}
        if len(self._positions) < self.size:
            raise InputError(f"document {self._repeated()!r} occurs twice in the corpus; ids must be unique.")
        for doc_id in self._ids:
            _check_id(doc_id)
        self._lock = Lock()  # users' retrievers answer in several threads, and each may return unknown documents

    @cached_property
    def corpus(self) -> tuple[Document, ...]:
        """The documents of the corpus, without unknown ones."""
        return tuple(self._documents[: self.size])

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The searched text of each document of the corpus: its title and its text."""
        return tuple(searched_text(document) for document in self.corpus)

    @property
    def unknown_documents(self) -> int:
        """How many different documents were returned that are not in the corpus."""
        return len(self._documents) - self.size

    def at(self, position: int) -> Document:
        """Return the document at a position, of the corpus or unknown."""
        return self._documents[position]

    def ids(self, positions: IntArray) -> list[str]:
        """Return the ids at these positions."""
        ids = self._ids
        return [ids[position] for position in positions.tolist()]

    def id_series(self, positions: IntArray) -> pl.Series:
        """Return the ids at these positions as a column; without unknown documents, no text is copied."""
        if int(positions.max(initial=-1)) < self.size:
            return self._id_column.gather(positions)
        return pl.Series("document", self.ids(positions), dtype=pl.String)

    def position(self, doc_id: str, text: str | None = None) -> int:
        """Return the position of a document; an unknown one is added."""
        with self._lock:
            known = self._positions.get(doc_id)
            if known is None:
                _check_id(doc_id)
                known = self._positions[doc_id] = len(self._documents)
                self._ids.append(doc_id)
                self._documents.append(Document(doc_id, text or ""))
            elif text and known >= self.size and not self._documents[known].text:
                self._documents[known] = Document(doc_id, text)  # seen before without its text
            return known

    def id_order(self) -> IntArray:
        """Return a number per document of the corpus that grows with the id, to break ties."""
        return self._order

    def id_keys(self, positions: IntArray) -> IntArray:
        """Return a number per position that grows with the id, to compare these positions with each other only.

        The order of the corpus is computed once; unknown documents are added one by one, so ids are compared here.
        """
        if int(positions.max(initial=-1)) < self.size:
            return self._order[positions]
        ids = self.ids(positions)
        places = {doc_id: place for place, doc_id in enumerate(sorted(set(ids)))}
        return np.asarray([places[doc_id] for doc_id in ids], dtype=np.int64)

    @cached_property
    def _order(self) -> IntArray:
        by_id = sorted(range(self.size), key=self._ids.__getitem__)
        order = np.empty(self.size, dtype=np.int64)
        order[by_id] = np.arange(self.size)
        return order

    @cached_property
    def _id_column(self) -> pl.Series:
        return pl.Series("document", self._ids[: self.size], dtype=pl.String)

    def _repeated(self) -> str:
        seen: set[str] = set()
        for document in self._documents:
            if document.id in seen:
                return document.id
            seen.add(document.id)
        return ""


def can_be_written(doc_id: str) -> bool:
    """Say whether UTF-8 can hold a text; it cannot hold half of a surrogate pair, which a bad decoder leaves."""
    try:
        return doc_id.isascii() or bool(doc_id.encode())
    except UnicodeEncodeError:
        return False


def _check_id(doc_id: str) -> None:
    if not can_be_written(doc_id):
        raise InputError(
            f"document {doc_id!r} has half a surrogate pair in its id, which UTF-8 cannot hold; fix the id."
        )


def searched_text(document: Document) -> str:
    """Return title and text as one; the title is left out where the text begins with it."""
    if not document.title or document.text.startswith(document.title):
        return document.text
    return f"{document.title}\n{document.text}" if document.text else document.title


def value_of(metadata: Mapping[str, object], name: str) -> object | None:
    """Return the value of a field, None where it is missing."""
    if name in metadata:
        return metadata[name]
    first, dot, rest = name.partition(".")
    inner = metadata.get(first) if dot else None
    return value_of(inner, rest) if isinstance(inner, Mapping) else None


def document_value(document: Document, name: str) -> object | None:
    """Return the value of a field of a document, None where it is missing."""
    value = value_of(document.metadata, name)
    if value is None and name in ("id", "title"):
        return (document.id if name == "id" else document.title) or None
    return value


def field_names(documents: Iterable[Document]) -> list[str]:
    """Return the names of all fields that documents have, nested ones with their dots."""
    names = {name: None for document in documents for name in _names(document.metadata)}
    return sorted({"id": None, "title": None, **names})


def _names(metadata: Mapping[str, object], prefix: str = "") -> Iterator[str]:
    for key, value in metadata.items():
        if isinstance(value, Mapping):
            yield from _names(value, f"{prefix}{key}.")
        elif value is not None:
            yield f"{prefix}{key}"
