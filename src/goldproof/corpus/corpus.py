"""A corpus: the documents that are searched, with stable ids, and what a card records about them.

A document that is a piece of a larger source says so in its metadata: `source` (a path or a module), `start` and `end`
(characters of the source, so that `text == source_text[start:end]`). Gold that is kept as spans of sources survives
another way of cutting (`goldproof.corpus.gold_spans`).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import orjson

from goldproof.core.errors import InputError
from goldproof.core.plain_values import plain_value, write_down

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from goldproof.core.records import Document


_OPTIONS = orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS | orjson.OPT_APPEND_NEWLINE


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Documents, each with an id of its own.

    name: the spec that opens it again (`folder:docs/`). facts: what a card says of it (versions, counts, chunking).
    remarks: what was passed over on the way, in sentences.
    """

    name: str
    documents: tuple[Document, ...]
    facts: Mapping[str, object] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.documents)

    def key(self) -> str:
        """Return the sha256 of all that can be searched: ids, titles, texts, metadata."""
        return documents_key(self.documents)


def documents_key(documents: Iterable[Document]) -> str:
    """Return the sha256 (hex) of documents, in their order: the same in any process.

    Metadata may hold dates, bytes, sets and numbers of any size. What has no form of its own is refused.
    """
    digest = hashlib.sha256()
    for document in documents:
        digest.update(_line(document))
    return digest.hexdigest()


def _line(document: Document) -> bytes:
    values = [document.id, document.title, document.text, dict(document.metadata)]
    try:
        return orjson.dumps(values, default=plain_value, option=_OPTIONS)
    except TypeError:  # perhaps half a surrogate pair, or a number beyond 64 bits, which the slower one can write
        pass
    try:
        return write_down(values).encode() + b"\n"
    except (TypeError, ValueError) as error:
        raise InputError(
            f"document {document.id!r}: its metadata cannot be written down ({error}); expected text, numbers, dates, "
            "lists and mappings with names for keys."
        ) from error
