"""Read ids and memories in every usual shape.

Ids: an id (text, a whole number, a UUID); a list of them; None, true or false, or an empty list: none; a mapping or
object with `id`, or with `ids`, `results` or `memories` that list such; of a result with an `event`, as mem0 has them,
one that was deleted or left as it was does not count.

Memories: whatever `goldproof.retrieve.external.hits` reads, and mappings or objects whose text is under `content`,
`memory` or `text`, perhaps without an id; a mapping may hold the list under `hits`, `results`, `memories` or
`documents`. A memory without an id is named after its text. Bare text is an id where it is one that `add` returned,
else a text.

A text that is something else (a number, a list) fails the query; so does a text or an id with half a surrogate pair,
which UTF-8 cannot hold, and with it no file of results.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from numbers import Integral
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from goldproof.errors import kind_of, shown
from goldproof.memory.system import MemoryHit
from goldproof.records.entities import Hit
from goldproof.retrieve.document_index import can_be_written
from goldproof.retrieve.external.hits import ID_KEYS, ReturnedDocument, read_documents
from goldproof.retrieve.parallel import FailedAnswer

if TYPE_CHECKING:
    from collections.abc import Container

LIST_KEYS = ("hits", "results", "memories", "documents")
STORED_KEYS = ("ids", "results", "memories")
TEXT_KEYS = ("content", "memory", "text", "page_content")
_ID_NAMES = (*ID_KEYS, "memory_id")
_UNCHANGED = ("DELETE", "NONE", "NOOP")
_HALF = "which has half a surrogate pair, and UTF-8 cannot hold that"
_EXPECTED_IDS = 'expected an id, a list of ids (which may be empty), {"ids": [...]} or None'


class ReturnedMemory(NamedTuple):
    """A memory that was returned; similarity: where the system gave it under this name."""

    id: str
    score: float | None
    text: str | None
    similarity: float | None = None


def read_ids(returned: object) -> tuple[str, ...]:
    """Return the ids of what was stored or changed, each once; anything unreadable fails."""
    ids = tuple(dict.fromkeys(_ids(returned, returned)))
    for one in ids:
        if not can_be_written(one):
            raise FailedAnswer(f"add returned the id {shown(one)}, {_HALF}; mend the id.")
    return ids


def read_found(returned: object, query: str, *, known: Container[str]) -> list[ReturnedMemory]:
    """Return the memories in the order in which they came; anything unreadable fails the query.

    known: the ids that `add` returned.
    """
    if isinstance(returned, Mapping):
        returned = next((returned[key] for key in LIST_KEYS if key in returned), returned)
    if isinstance(returned, Iterable) and not isinstance(returned, str | bytes | Mapping):
        returned = list(returned) if not hasattr(returned, "columns") else returned
    listed = returned if isinstance(returned, list) else []
    for number, one in enumerate(listed, start=1):
        _check_text(one, f"result {number} for {shown(query)}")
    similarities = [_similarity(one) for one in listed]
    documents = read_documents([_named(one) for one in listed] if listed else returned, query)
    similarities = similarities or [None] * len(documents)
    return [_returned_memory(document, cosine, known) for document, cosine in zip(documents, similarities, strict=True)]


def text_id(text: str) -> str:
    """Return the id of a memory that has none of its own."""
    return f"text-{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def _ids(returned: object, whole: object) -> Iterable[str]:
    if returned is None or isinstance(returned, bool):
        return ()
    if isinstance(returned, str | Integral | UUID):
        return (str(returned),) if str(returned) else ()
    if isinstance(returned, Mapping):
        return _ids_of_mapping(returned, whole)
    if isinstance(returned, Iterable) and not isinstance(returned, bytes):
        return [found for one in returned for found in _ids(one, whole)]
    own = next((value for name in _ID_NAMES if (value := getattr(returned, name, None)) is not None), None)
    if own is None:
        raise FailedAnswer(f"add returned {kind_of(whole)} ({shown(whole)}); {_EXPECTED_IDS}.")
    return _ids(own, whole)


def _ids_of_mapping(returned: Mapping[Any, Any], whole: object) -> Iterable[str]:
    listed = next((returned[key] for key in STORED_KEYS if key in returned), None)
    if isinstance(listed, list | tuple):
        return [found for one in listed for found in _ids(one, whole)]
    if str(returned.get("event", "")).upper() in _UNCHANGED:
        return ()
    own = next((returned[key] for key in _ID_NAMES if returned.get(key) is not None), None)
    if own is None and not any(key in returned for key in _ID_NAMES):
        raise FailedAnswer(f"add returned {shown(whole)}, which names no id; {_EXPECTED_IDS}.")
    return _ids(own, whole)


def _check_text(one: object, where: str) -> None:
    """Refuse a result whose text is something else, or cannot be written."""
    text = _text_place(one)
    if text is None:
        return
    if not isinstance(text, str):
        raise FailedAnswer(f"{where} has {kind_of(text)} ({shown(text)}) for a text; expected text, or no text at all.")
    if not can_be_written(text):
        raise FailedAnswer(f"{where} has {shown(text)}, {_HALF}; mend the text where it is stored or cut.")


def _text_place(one: object) -> object:
    """Return what stands where a result has its text; None where nothing does. A method is no text."""
    if isinstance(one, str):
        return one
    if isinstance(one, tuple | list):
        third = one[2] if len(one) > 2 else None
        return third if third is not None or not one else _text_place(one[0])
    if isinstance(one, Mapping):
        values = [one.get(key) for key in TEXT_KEYS]
    else:
        holder = getattr(one, "node", None) or one
        values = [value for key in TEXT_KEYS if not callable(value := getattr(holder, key, None))]
    text = _first_text(values)
    return next((value for value in values if value is not None), None) if text is None else text


def _named(one: object) -> object:
    """Return an item in a form that `read_documents` reads; one without an id is named after its text."""
    if isinstance(one, UUID):
        return str(one)
    if isinstance(one, Mapping):
        text = _first_text(one.get(key) for key in TEXT_KEYS)
        return _as_mapping(one, text, _id_in_mapping(one)) if text is not None else one
    if isinstance(one, tuple | list) and one:
        return (_named(one[0]), *one[1:])
    if isinstance(one, str | Integral | tuple | list | Hit) or hasattr(one, "node"):
        return one
    text = _first_text(getattr(one, key, None) for key in TEXT_KEYS)
    if text is None:
        return one
    values = {"score": getattr(one, "score", None), "metadata": getattr(one, "metadata", None)}
    own = next((value for key in _ID_NAMES if (value := getattr(one, key, None)) is not None), None)
    return _as_mapping(values, text, _id_in_mapping(values) if own is None else own)


def _as_mapping(one: Mapping[Any, Any], text: str, own: object) -> dict[str, object]:
    named = text_id(text) if own is None else str(own) if isinstance(own, UUID) else own
    return {"id": named, "score": one.get("score"), "text": text}


def _id_in_mapping(one: Mapping[Any, Any]) -> object:
    own = next((one[key] for key in _ID_NAMES if one.get(key) is not None), None)
    inner = one.get("metadata")
    if own is None and isinstance(inner, Mapping):
        own = next((inner[key] for key in _ID_NAMES if inner.get(key) is not None), None)
    return own


def _returned_memory(document: ReturnedDocument, similarity: float | None, known: Container[str]) -> ReturnedMemory:
    if document.text is None and document.id not in known:
        return ReturnedMemory(text_id(document.id), document.score, document.id, similarity)
    return ReturnedMemory(document.id, document.score, document.text, similarity)


def _similarity(one: object) -> float | None:
    if isinstance(one, MemoryHit):
        return one.similarity
    value = one.get("similarity") if isinstance(one, Mapping) else getattr(one, "similarity", None)
    is_cosine = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= 1.001
    return float(value) if is_cosine and value is not None else None


def _first_text(values: Iterable[object]) -> str | None:
    return next((value for value in values if isinstance(value, str)), None)
