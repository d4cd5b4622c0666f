"""Documents of a span as results: which key of a document is which column.

A document is an object, a text that holds one as JSON, or a text that is its content. Its keys may carry the prefix of
OpenInference (`document.id`), or stand in an object `document` or `node`. `id`, `url`, `title`, `snippet`, `type` and
`gain` are taken from the document or else from its metadata, by the names below; scores are left out, since documents
stand in the order in which they were returned; all else is a field. Only a key named `gain` is a label: a `score` or
`relevance` is the system's own opinion of itself.

`source`, `link`, `uri` and `href` are a URL only where they look like one (`://`). Otherwise they name a file of which
many chunks may be found, and to take it for the address of each would make duplicates of them all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from goldproof.core.traces import HIGHEST_GAIN, RESULT_COLUMNS
from goldproof.io.jsonl import BadRecordError, JsonObject, json_kind
from goldproof.io.traces.cells import bad_gain
from goldproof.io.traces.span_text import text_of
from goldproof.io.traces.span_values import parse_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.core.traces import Fields

DOCUMENT_KEYS: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "_id", "id_", "chunk_id", "node_id", "doc_id", "docid", "document_id"),
    "url": ("url", "link", "uri", "href", "source"),
    "title": ("title", "name"),
    "snippet": ("content", "text", "snippet", "page_content", "description"),
    "type": ("type",),
    "metadata": ("metadata", "meta", "payload", "_source", "extra_info"),
    "score": ("score", "_score", "relevance_score", "similarity", "distance", "rank"),
}
PASSAGE = "passage"
_NO_TYPES = (None, "Document", "TextNode", "text")  # the last three only name a class of LangChain's or LlamaIndex's
_COLUMN_OF = {key: column for column in RESULT_COLUMNS for key in DOCUMENT_KEYS[column]}
_SCORES = frozenset(DOCUMENT_KEYS["score"])
_WRAPPERS = ("document", "node")
_PREFIX = "document."
_DEEPEST = 16


class Result(NamedTuple):
    """One document as it was returned."""

    id: str | None = None
    url: str | None = None
    title: str | None = None
    snippet: str | None = None
    type: str | None = None
    gain: int | None = None
    fields: Fields | None = None


def read_results(documents: object) -> tuple[Result, ...]:
    """Return the documents of a span that names them as such; raise BadRecordError where they cannot be read.

    What a retriever returns are passages, many of which may share a URL, unless a document says what it is.
    """
    found = parse_json(documents) if isinstance(documents, str) else documents
    if isinstance(found, dict):
        found = next((found[key] for key in ("documents", "results", "records") if key in found), [found])
    if not isinstance(found, list):
        shown = f"the text {documents[:40]!r}" if isinstance(documents, str) else json_kind(documents)
        raise BadRecordError(f"the documents of the search are {shown}, expected a list or its JSON text.")
    return tuple(one._replace(type=PASSAGE) if one.type in _NO_TYPES else one for one in read_list(found))


def read_list(documents: list[object]) -> tuple[Result, ...]:
    """Return documents as results."""
    return tuple(_result(document, number) for number, document in enumerate(documents, start=1))


def unwrapped(document: JsonObject) -> JsonObject:
    """Return a document without prefix and without the object it is wrapped in."""
    for wrapper in _WRAPPERS:
        inner = document.get(wrapper)
        if isinstance(inner, dict):
            outer = {key: value for key, value in document.items() if key != wrapper}
            document = {**outer, **inner}
    for key in document:
        if key.startswith(_PREFIX):
            return {name.removeprefix(_PREFIX): value for name, value in document.items()}
    return document


def _result(document: object, number: int) -> Result:
    if isinstance(document, str):
        inner = parse_json(document)
        document = inner if isinstance(inner, dict) else {"content": document}
    if not isinstance(document, dict):
        raise BadRecordError(f"document {number} is {json_kind(document)}, expected an object or text.")
    try:
        return _from_object(unwrapped(document))
    except BadRecordError as error:
        raise BadRecordError(f"document {number}: {error}") from error


def _from_object(document: JsonObject) -> Result:
    rest = dict(document)
    metadata = _take_metadata(rest)
    columns: dict[str, str] = {}
    gain: int | None = None
    for part in (rest, metadata):  # what a document says itself counts more than what its metadata says
        for column in {_COLUMN_OF[key] for key in part if key in _COLUMN_OF} - columns.keys():
            text = _take(part, column)
            if text is not None:
                columns[column] = text
        label = _take_gain(part)
        gain = label if gain is None else gain
    return Result(
        **{column: columns.get(column) for column in RESULT_COLUMNS}, gain=gain, fields=_fields({**metadata, **rest})
    )


def _take_metadata(document: JsonObject) -> JsonObject:
    for key in DOCUMENT_KEYS["metadata"]:
        value = document.get(key)
        if isinstance(value, str):
            value = parse_json(value)
        if isinstance(value, dict):
            del document[key]
            return dict(value)
    return {}


def _take(document: JsonObject, column: str) -> str | None:
    """Take the text of a column out of a document."""
    for key in DOCUMENT_KEYS[column]:
        value = document.get(key)
        if column == "snippet":
            text = text_of(value)
        elif isinstance(value, int) and not isinstance(value, bool) and column == "id":
            text = str(value)
        else:
            text = value if isinstance(value, str) else None
        if text and column == "id":
            text = text.strip()
        if text and (column != "url" or key == "url" or "://" in text):
            del document[key]
            return text
    return None


def _take_gain(document: JsonObject) -> int | None:
    gain = document.pop("gain", None)
    if gain is None:
        return None
    if isinstance(gain, dict | list):
        raise BadRecordError(f"key 'gain' is {json_kind(gain)}, expected a whole number from 0 to {HIGHEST_GAIN}.")
    if isinstance(gain, bool) or not isinstance(gain, int | float) or gain not in range(HIGHEST_GAIN + 1):
        raise BadRecordError(f"{bad_gain(gain)}.")
    return int(gain)


def _fields(rest: JsonObject) -> Fields | None:
    kept = {k: v for k, v in rest.items() if v is not None and v != "" and k not in _SCORES}
    for key, value in kept.items():
        if isinstance(value, dict | list) and _deeper(value, _DEEPEST):
            raise BadRecordError(f"key {key!r} is nested deeper than {_DEEPEST} levels.")
    return kept or None


def _deeper(value: object, levels: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(levels == 0 or _deeper(item, levels - 1) for item in inner)
