"""The fields of a document's metadata, by name; `meta.year` is the field `year` of the field `meta`.

A key that itself has a dot is found under its own name first. A field whose value is null counts as missing. The id and
the title of a document are fields too, unless its metadata has fields of these names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from goldproof.records.entities import Document


def value_of(metadata: Mapping[str, object], name: str) -> object | None:
    """Return the value of a field, None where it is missing."""
    if name in metadata:
        return metadata[name]
    first, dot, rest = name.partition(".")
    inner = metadata.get(first) if dot else None
    return value_of(inner, rest) if isinstance(inner, Mapping) else None


def document_value(document: Document, name: str) -> object | None:
    """Return the value of a field of a document, None where it is missing."""
    found = value_of(document.metadata, name)
    if found is None and name in ("id", "title"):
        return (document.id if name == "id" else document.title) or None
    return found


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
