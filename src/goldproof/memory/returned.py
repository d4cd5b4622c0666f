"""Read the ids and memories that a memory system returned, in every usual shape.

Ids: an id (text, a whole number, a UUID); a list of them; None, true or false, or an empty list: none; a mapping or
object with `id`, or with `ids`, `results` or `memories` that list such. Of results with an `event`, as mem0 has them,
those that were deleted or left as they were do not count.

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
from goldproof.user_code.calls import FailedAnswer

if TYPE_CHECKING:
    from collections.abc import Container

LIST_KEYS = ("hits", "results", "memories", "documents")
STORED_KEYS = ("ids", "results", "memories")
TEXT_KEYS = ("content", "memory", "text", "page_content")
_ID_NAMES = (*ID_KEYS, "memory_id")
_UNCHANGED = ("DELETE", "NONE", "NOOP")
_HALF = "which has half a surrogate pair that UTF-8 cannot hold"
_EXPECTED_IDS = 'expected an id, a list of ids (which may be empty), {"ids": [...]} or None'


class ReturnedMemory(NamedTuple):
    """A memory that was returned; similarity: where the system gave it under this name."""

    id: str
    score: float | None
    text: str | None
    similarity: float | None = None


def read_ids(returned: object) -> tuple[str, ...]:
    """Return the ids of what was stored or changed, each once; FailedAnswer where they cannot be read."""
    ids = tuple(dict.fromkeys(_ids(returned, returned)))
    for memory_id in ids:
        if not can_be_written(memory_id):
            raise FailedAnswer(f"add returned the id {shown(memory_id)}, {_HALF}; fix the id.")
    return ids


def read_memories(returned: object, query: str, *, known: Container[str]) -> list[ReturnedMemory]:
    """Return the memories in the order of the answer; FailedAnswer where it cannot be read.

    known: the ids that `add` returned.
    """
    if isinstance(returned, Mapping):
        returned = next((returned[key] for key in LIST_KEYS if key in returned), returned)
    if isinstance(returned, Iterable) and not isinstance(returned, str | bytes | Mapping):
        returned = list(returned) if not hasattr(returned, "columns") else returned
    results = returned if isinstance(returned, list) else []
    for number, result in enumerate(results, start=1):
        _check_text(result, f"result {number} for {shown(query)}")
    similarities = [_similarity(result) for result in results]
    documents = read_documents([_with_id(result) for result in results] if results else returned, query)
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
        return [memory_id for item in returned for memory_id in _ids(item, whole)]
    memory_id = _id_of_object(returned)
    if memory_id is None:
        raise FailedAnswer(f"add returned {kind_of(whole)} ({shown(whole)}); {_EXPECTED_IDS}.")
    return _ids(memory_id, whole)


def _ids_of_mapping(returned: Mapping[Any, Any], whole: object) -> Iterable[str]:
    listed = next((returned[key] for key in STORED_KEYS if key in returned), None)
    if isinstance(listed, list | tuple):
        return [memory_id for item in listed for memory_id in _ids(item, whole)]
    if str(returned.get("event", "")).upper() in _UNCHANGED:
        return ()
    memory_id = _id_of_mapping(returned)
    if memory_id is None and not any(key in returned for key in _ID_NAMES):
        raise FailedAnswer(f"add returned {shown(whole)}, which names no id; {_EXPECTED_IDS}.")
    return _ids(memory_id, whole)


def _check_text(result: object, where: str) -> None:
    """Refuse a result whose text is of another type, or cannot be written."""
    text = _text_value(result)
    if text is None:
        return
    if not isinstance(text, str):
        raise FailedAnswer(f"{where} has {kind_of(text)} ({shown(text)}) for a text; expected text, or no text at all.")
    if not can_be_written(text):
        raise FailedAnswer(f"{where} has {shown(text)}, {_HALF}; fix the text where it is stored or cut.")


def _text_value(result: object) -> object:
    """Return the value in the place of a result's text, of whatever type; None where there is none or a method."""
    if isinstance(result, str):
        return result
    if isinstance(result, tuple | list):
        third = result[2] if len(result) > 2 else None
        return third if third is not None or not result else _text_value(result[0])
    if isinstance(result, Mapping):
        values = [result.get(key) for key in TEXT_KEYS]
    else:
        holder = getattr(result, "node", None) or result
        values = [value for key in TEXT_KEYS if not callable(value := getattr(holder, key, None))]
    text = _first_text(values)
    return next((value for value in values if value is not None), None) if text is None else text


def _with_id(result: object) -> object:
    """Return a result in a form that `read_documents` reads; one without an id is named after its text."""
    if isinstance(result, UUID):
        return str(result)
    if isinstance(result, Mapping):
        text = _first_text(result.get(key) for key in TEXT_KEYS)
        return _as_mapping(result, text, _id_or_metadata_id(result)) if text is not None else result
    if isinstance(result, tuple | list) and result:
        return (_with_id(result[0]), *result[1:])
    if isinstance(result, str | Integral | tuple | list | Hit) or hasattr(result, "node"):
        return result
    text = _first_text(getattr(result, key, None) for key in TEXT_KEYS)
    if text is None:
        return result
    values = {"score": getattr(result, "score", None), "metadata": getattr(result, "metadata", None)}
    memory_id = _id_of_object(result)
    return _as_mapping(values, text, _id_or_metadata_id(values) if memory_id is None else memory_id)


def _as_mapping(result: Mapping[Any, Any], text: str, memory_id: object) -> dict[str, object]:
    named = text_id(text) if memory_id is None else str(memory_id) if isinstance(memory_id, UUID) else memory_id
    return {"id": named, "score": result.get("score"), "text": text}


def _id_or_metadata_id(result: Mapping[Any, Any]) -> object:
    memory_id = _id_of_mapping(result)
    inner = result.get("metadata")
    return _id_of_mapping(inner) if memory_id is None and isinstance(inner, Mapping) else memory_id


def _id_of_mapping(values: Mapping[Any, Any]) -> object:
    return next((values[key] for key in _ID_NAMES if values.get(key) is not None), None)


def _id_of_object(holder: object) -> object:
    return next((value for name in _ID_NAMES if (value := getattr(holder, name, None)) is not None), None)


def _returned_memory(document: ReturnedDocument, similarity: float | None, known: Container[str]) -> ReturnedMemory:
    if document.text is None and document.id not in known:
        return ReturnedMemory(text_id(document.id), document.score, document.id, similarity)
    return ReturnedMemory(document.id, document.score, document.text, similarity)


def _similarity(result: object) -> float | None:
    if isinstance(result, MemoryHit):
        return result.similarity
    value = result.get("similarity") if isinstance(result, Mapping) else getattr(result, "similarity", None)
    is_cosine = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= 1.001
    return float(value) if is_cosine and value is not None else None


def _first_text(values: Iterable[object]) -> str | None:
    return next((value for value in values if isinstance(value, str)), None)
