"""Is what a tool returned a list of documents, and which?

A tool may be anything, so its result is taken for a search only where it looks like one: a list of objects (or an
object that holds one under a usual name, or either as JSON text), every one of which has a URL, a title or a text, or
an id with a score. Parts of a message (`{"type": "text", "text": ...}`, as MCP and chat models return) are no
documents; what their texts hold may be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.io.traces.span_documents import DOCUMENT_KEYS, unwrapped
from goldproof.io.traces.span_values import parse_json

if TYPE_CHECKING:
    from goldproof.io.jsonl import JsonObject

LISTS = (
    *("results", "documents", "hits", "items", "organic", "organic_results", "matches", "data", "webPages", "web"),
    *("value", "result", "output", "structuredContent", "structured_content", "content", "kwargs"),
)
_TELLING = ("url", "link", "title", "content", "text", "snippet", "page_content", "description")
_PART_KEYS = frozenset({"type", "text", "id", "index", "annotations", "_meta", "meta"})
_DEEPEST = 6


def documents_in(result: object, *, depth: int = 0) -> list[object] | None:
    """Return the documents in the result of a tool (none where the list is empty), or None where it holds no list."""
    if depth > _DEEPEST:
        return None
    if isinstance(result, str):
        result = parse_json(result)
    if isinstance(result, list):
        return _documents_of_list(result, depth)
    if not isinstance(result, dict):
        return None
    inner = (documents_in(result[key], depth=depth + 1) for key in LISTS if key in result)
    return next((found for found in inner if found is not None), None)


def _documents_of_list(items: list[object], depth: int) -> list[object] | None:
    if not all(isinstance(item, dict) for item in items):
        return None
    objects: list[JsonObject] = items  # type: ignore[assignment]
    if objects and all(_is_part(item) for item in objects):
        return _documents_of_parts(objects, depth)
    return items if all(_is_document(item) for item in objects) else None


def _documents_of_parts(parts: list[JsonObject], depth: int) -> list[object] | None:
    found: list[object] = []
    for part in parts:
        text = part.get("text")
        inner = parse_json(text) if isinstance(text, str) else None
        if isinstance(inner, dict) and _is_document(inner):
            found.append(inner)
            continue
        documents = documents_in(inner, depth=depth + 1)
        if documents is None:
            return None
        found += documents
    return found


def _is_part(item: JsonObject) -> bool:
    return item.get("type") == "text" and isinstance(item.get("text"), str) and item.keys() <= _PART_KEYS


def _is_document(item: JsonObject) -> bool:
    document = unwrapped(item)
    if any(document.get(key) for key in _TELLING):
        return True
    scored = any(key in document for key in DOCUMENT_KEYS["score"])
    return scored and any(document.get(key) not in (None, "") for key in DOCUMENT_KEYS["id"])
