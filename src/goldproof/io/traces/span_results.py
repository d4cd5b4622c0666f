"""Retrieved documents, tool results and queries of a span.

A document is an object, a text that holds one as JSON, or a text that is its content. Its keys may carry the prefix of
OpenInference (`document.id`), or stand in an object `document` or `node`. `id`, `url`, `title`, `snippet`, `type` and
`gain` are taken from the document or else from its metadata, by the names below; scores are left out, since documents
stand in the order in which they were returned; all else is a field. Only a key named `gain` is a label: a `score` or
`relevance` is the system's own opinion of itself.

`source`, `link`, `uri` and `href` are a URL only where they look like one (`://`). Otherwise they name a file of which
many chunks may be found, and to take it for the address of each would make duplicates of them all.

A tool may be anything, so its result is taken for a search only where it looks like one: a list of objects (or an
object that holds one under a usual name, or either as JSON text), every one of which has a URL, a title or a text, or
an id with a score. Parts of a message (`{"type": "text", "text": ...}`, as MCP and chat models return) are no
documents; their texts may hold some.

The query is found in any of these inputs:

    "capital of France"    {"query": "capital of France"}    {"messages": [{"role": "user", "content": "..."}]}
    [{"role": "user", "parts": [{"type": "text", "content": "..."}]}]    {"messages": [["user", "..."]]}

Of messages the last one of the user counts. An object is searched for the usual names of a question; where it has none,
its JSON text is the query, since something was asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import orjson

from goldproof.io.json_files import BadRecordError, JsonObject, json_kind
from goldproof.io.traces.results import bad_gain
from goldproof.io.traces.span_values import parse_json
from goldproof.records.traces import HIGHEST_GAIN, RESULT_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.records.traces import Fields


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
    """Return the documents that a span names as such; raise BadRecordError where they cannot be read.

    What a retriever returns are passages, many of which may share a URL, unless a document says what it is.
    """
    listed = parse_json(documents) if isinstance(documents, str) else documents
    if isinstance(listed, dict):
        listed = next((listed[key] for key in ("documents", "results", "records") if key in listed), [listed])
    if not isinstance(listed, list):
        shown = f"the text {documents[:40]!r}" if isinstance(documents, str) else json_kind(documents)
        raise BadRecordError(f"the documents of the search are {shown}, expected a list or its JSON text.")
    return tuple(result._replace(type=PASSAGE) if result.type in _NO_TYPES else result for result in read_list(listed))


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
            text = content_text(value)
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


LISTS = (
    *("results", "documents", "hits", "items", "organic", "organic_results", "matches", "data", "webPages", "web"),
    *("value", "result", "output", "structuredContent", "structured_content", "content", "kwargs"),
)

_TELLING = ("url", "link", "title", "content", "text", "snippet", "page_content", "description")

_PART_KEYS = frozenset({"type", "text", "id", "index", "annotations", "_meta", "meta"})

_DEEPEST_RESULT = 6


def documents_in(result: object, *, depth: int = 0) -> list[object] | None:
    """Return the documents in the result of a tool (an empty list counts), or None where it holds no list."""
    if depth > _DEEPEST_RESULT:
        return None
    if isinstance(result, str):
        result = parse_json(result)
    if isinstance(result, list):
        return _documents_of_list(result, depth)
    if not isinstance(result, dict):
        return None
    inner = (documents_in(result[key], depth=depth + 1) for key in LISTS if key in result)
    return next((documents for documents in inner if documents is not None), None)


def _documents_of_list(items: list[object], depth: int) -> list[object] | None:
    if not all(isinstance(item, dict) for item in items):
        return None
    objects: list[JsonObject] = items  # type: ignore[assignment]
    if objects and all(_is_part(item) for item in objects):
        return _documents_of_parts(objects, depth)
    return items if all(_is_document(item) for item in objects) else None


def _documents_of_parts(parts: list[JsonObject], depth: int) -> list[object] | None:
    documents: list[object] = []
    for part in parts:
        text = part.get("text")
        inner = parse_json(text) if isinstance(text, str) else None
        if isinstance(inner, dict) and _is_document(inner):
            documents.append(inner)
            continue
        nested = documents_in(inner, depth=depth + 1)
        if nested is None:
            return None
        documents += nested
    return documents


def _is_part(item: JsonObject) -> bool:
    return item.get("type") == "text" and isinstance(item.get("text"), str) and item.keys() <= _PART_KEYS


def _is_document(item: JsonObject) -> bool:
    document = unwrapped(item)
    if any(document.get(key) for key in _TELLING):
        return True
    scored = any(key in document for key in DOCUMENT_KEYS["score"])
    return scored and any(document.get(key) not in (None, "") for key in DOCUMENT_KEYS["id"])


_DEEPEST_TEXT = 8

_ASKED = ("query", "question", "search_query", "q", "input", "user_input", "prompt", "text", "message", "value", "args")

_MESSAGES = ("messages", "chat_history", "input", "inputs")

_USERS = ("user", "human")


def query_of(value: object) -> str | None:
    """Return the query in an input, or None where it is empty."""
    return _words(value, 0) or _as_text(value)


def content_text(value: object) -> str | None:
    """Return content as text: itself, the texts of its parts, or its JSON; None where it is empty."""
    if isinstance(value, list) and value and all(isinstance(part, dict) for part in value):
        texts = [part.get("text", part.get("content")) for part in value]
        if all(isinstance(text, str) for text in texts):
            return "\n".join(str(text) for text in texts) or None
    return _as_text(value)


def _words(value: object, depth: int) -> str | None:
    if depth > _DEEPEST_TEXT:
        return None
    match value:
        case str():
            inner = parse_json(value) if not value.startswith('"') else _quoted(value)
            return value.strip() or None if inner is None else _words(inner, depth + 1)
        case dict():
            return _words_of_object(value, depth + 1)
        case [single] if not _is_message(single) and not isinstance(single, list):
            return _words(single, depth + 1)
        case [[dict(), *_] as single]:  # one conversation in a batch of one
            return _words(single, depth + 1)
        case list():
            return _last_user_message(value)
    return None


def _words_of_object(value: dict[str, object], depth: int) -> str | None:
    for key in _MESSAGES:
        messages = value.get(key)
        if isinstance(messages, list) and (words := _words(messages, depth)):
            return words
    if _is_message(value):
        return _last_user_message([value])
    return next((words for key in _ASKED if key in value and (words := _words(value[key], depth))), None)


def _last_user_message(messages: list[object]) -> str | None:
    for message in reversed(messages):
        match message:
            case [str() as role, str() as text] if role.lower() in _USERS:
                return text or None
            case dict():
                pass
            case _:
                continue
        inner = message.get("kwargs", message)  # LangChain's own way to write an object
        if isinstance(inner, dict) and _role(inner) in _USERS:
            return content_text(inner.get("content", inner.get("parts")))
    return None


def _is_message(value: object) -> bool:
    return isinstance(value, dict) and ("role" in value or "kwargs" in value or value.get("type") in _USERS)


def _role(message: dict[str, object]) -> str:
    role = message.get("role", message.get("type"))
    return role.lower() if isinstance(role, str) else ""


def _quoted(text: str) -> object:
    try:
        inner: object = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return inner


def _as_text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value or None
    try:
        return orjson.dumps(value).decode()
    except orjson.JSONEncodeError:
        return None  # nested deeper than JSON is written
