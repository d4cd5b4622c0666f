"""Names of span attributes: one table for OpenInference, OpenTelemetry GenAI and their near relatives.

Where a span has several attributes for the same thing, the first in the table wins. An attribute may stand under its
dotted name (`{"input.value": ...}`) or nested (`{"input": {"value": ...}}`), or in any mixture of both; null counts as
absent. Lists may be flattened to numbered names (`retrieval.documents.0.document.id`), as OpenInference does.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

Attributes = dict[str, object]

ATTRIBUTES: Mapping[str, tuple[str, ...]] = {
    "kind": ("openinference.span.kind",),
    "operation": ("gen_ai.operation.name",),
    "entity": ("traceloop.span.kind", "langfuse.observation.type"),
    "conversation": (
        *("gen_ai.conversation.id", "session.id", "langfuse.session.id"),
        "traceloop.association.properties.session_id",
    ),
    "question": ("goldproof.question",),
    "cluster": ("goldproof.cluster",),
    "documents": ("retrieval.documents", "gen_ai.retrieval.documents", "gen_ai.memory.records"),
    "query": (
        *("gen_ai.retrieval.query.text", "gen_ai.retrieval.query", "retrieval.query", "gen_ai.memory.query.text"),
        *("gen_ai.tool.call.arguments", "input.value", "tool.parameters", "gen_ai.task.input"),
        *("traceloop.entity.input", "langfuse.observation.input"),
    ),
    "tool": ("gen_ai.tool.name", "tool.name", "traceloop.entity.name"),
    "result": (
        *("gen_ai.tool.call.result", "gen_ai.tool.result", "output.value", "gen_ai.task.output"),
        *("traceloop.entity.output", "langfuse.observation.output"),
    ),
    "input": ("input.value", "gen_ai.input.messages", "traceloop.entity.input", "langfuse.observation.input"),
    "error": ("error.type",),
}
_NAMES = frozenset(name for names in ATTRIBUTES.values() for name in names)
_LISTS = tuple(f"{name}." for name in ATTRIBUTES["documents"])


def is_used(name: str) -> bool:
    """Say whether an attribute of this name is ever looked at, so that the others need not be decoded."""
    return name in _NAMES or name.startswith(_LISTS)


def find_attribute(attributes: Attributes, role: str) -> object:
    """Return the value of the first attribute that plays a role, or None."""
    for name in ATTRIBUTES[role]:
        value = _get(attributes, name)
        if value is not None:
            return value
    return None


def find_documents(attributes: Attributes) -> object:
    """Return the documents that a span says it retrieved, or None; a flattened list is put together again."""
    for name in ATTRIBUTES["documents"]:
        value = _get(attributes, name)
        if value is None:
            value = _unflattened(attributes, f"{name}.")
        if value is not None:
            return _numbered_list(value) if isinstance(value, dict) else value
    return None


def _get(attributes: Attributes, name: str) -> object:
    value = attributes.get(name)
    if value is not None:
        return value
    for outer, rest in _splits(name):
        inner = attributes.get(outer)
        if isinstance(inner, dict):
            value = _get(inner, rest)
            if value is not None:
                return value
    return None


@cache
def _splits(name: str) -> list[tuple[str, str]]:
    """Return the ways to cut a name in two at a dot."""
    parts = name.split(".")
    return [(".".join(parts[:at]), ".".join(parts[at:])) for at in range(1, len(parts))]


def _unflattened(attributes: Attributes, prefix: str) -> dict[str, object] | None:
    """Return {"0": {"document.id": ...}, ...} made of the names that begin with the prefix, or None."""
    found: dict[str, object] = {}
    for name, value in attributes.items():
        if value is None or not name.startswith(prefix):
            continue
        number, _, rest = name[len(prefix) :].partition(".")
        if not _is_number(number):
            continue
        if not rest:
            found[number] = dict(value) if isinstance(value, dict) else value
            continue
        item = found.setdefault(number, {})
        if isinstance(item, dict):
            item[rest] = value
    return found or None


def _numbered_list(value: dict[str, object]) -> object:
    """Return the values in the order of their numbers where all keys are numbers, else the object itself."""
    if not value or not all(_is_number(key) for key in value):
        return value
    return [value[key] for key in sorted(value, key=int)]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10
