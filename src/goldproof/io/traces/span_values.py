"""Values of spans: tagged values, ids, times, and the attribute names of the conventions.

- OTLP JSON tags every value with its type, and writes 64-bit whole numbers as text: `{"intValue": "3"}`. Tools that
  keep the names of the protocol buffers write `{"int_value": 3}`.
- The OTLP specification wants ids in hexadecimal; plain protocol-buffer JSON has base64; the Python SDK has `0x...`.
  All become lower-case hexadecimal. An id of zeros means that there is none.
- Times become whole nanoseconds. A number without a unit in its name is seconds, milliseconds (as pandas writes),
  microseconds or nanoseconds by its size; `[seconds, nanoseconds]` is JavaScript's; text is ISO 8601, UTC unless it
  has a zone.

Where a span has several attributes for the same role, the first in the table wins. An attribute may stand under its
dotted name (`{"input.value": ...}`) or nested (`{"input": {"value": ...}}`), or in any mixture of both; null counts as
absent. Lists may be flattened to numbered names (`retrieval.documents.0.document.id`), as OpenInference does.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING

import orjson

from goldproof.io.json_files import BadRecordError, json_kind

if TYPE_CHECKING:
    from collections.abc import Mapping


_DEEPEST = 32

_HEX = re.compile(r"[0-9a-fA-F]+")

_BASE64_ID = re.compile(r"[A-Za-z0-9+/]{22}==|[A-Za-z0-9+/]{11}=")

_WHOLE = re.compile(r"[+-]?[0-9]{1,30}")

_ISO = re.compile(r"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)(?:[.,](\d{1,9})\d*)? ?(Z|z|UTC|[+-]\d\d:?\d\d)?", re.ASCII)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_NANO = 10**9

_LATEST = 2**63 - 1

_LARGEST_TIME = ((10**11, _NANO), (10**14, 10**6), (10**17, 10**3))


def parse_json(text: str) -> object:
    """Return the JSON object or list in a text, or None where it holds neither."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        value: object = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return value


def untagged(value: object, *, depth: int = 0) -> object:
    """Return the plain value of an OTLP value."""
    if not isinstance(value, dict):
        return value
    if depth > _DEEPEST:
        raise BadRecordError(f"an attribute is nested deeper than {_DEEPEST} levels.")
    for tag, inner in value.items():
        match tag:
            case "stringValue" | "string_value" | "boolValue" | "bool_value":
                return inner
            case "intValue" | "int_value":
                return _whole(inner)
            case "doubleValue" | "double_value":
                return inner if isinstance(inner, float | int) else None
            case "arrayValue" | "array_value":
                items = inner.get("values") if isinstance(inner, dict) else None
                return [untagged(item, depth=depth + 1) for item in items] if isinstance(items, list) else []
            case "kvlistValue" | "kvlist_value":
                pairs = inner.get("values") if isinstance(inner, dict) else None
                return {key: untagged(item, depth=depth + 1) for key, item in tagged_pairs(pairs)}
    return None


def tagged_pairs(pairs: object) -> list[tuple[str, object]]:
    """Return the names and still tagged values of `[{"key": ..., "value": ...}]`; other items are left out."""
    if not isinstance(pairs, list):
        return []
    return [(p["key"], p.get("value")) for p in pairs if isinstance(p, dict) and isinstance(p.get("key"), str)]


def parse_span_id(value: object) -> str | None:
    """Return the id of a trace or span as text, or None where there is none."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if value else None
    if not isinstance(value, str):
        return None
    text = value.strip().removeprefix("0x")
    if _BASE64_ID.fullmatch(text):
        text = _base64_id(text)
    elif _HEX.fullmatch(text):
        text = text.lower()
    return text if text.strip("0") else None


def parse_time(value: object, *, nanoseconds: bool) -> int | None:
    """Return a time in nanoseconds since 1970, None where there is none; raise BadRecordError for other values."""
    match value:
        case None | "":
            return None
        case [int() as seconds, int() as nano]:
            moment = seconds * _NANO + nano
        case str() if (iso := _ISO.fullmatch(value.strip())) is not None:
            moment = _iso_time(*iso.groups(default=""), shown=value)
        case str() if _WHOLE.fullmatch(value.strip()):
            moment = _scaled(int(value), nanoseconds=nanoseconds)
        case bool():
            raise _no_time(value)
        case int() | float() if math.isfinite(value):
            moment = _scaled(value, nanoseconds=nanoseconds)
        case _:
            raise _no_time(value)
    if abs(moment) > _LATEST:
        raise _no_time(value)
    return moment or None


def _whole(value: object) -> object:
    if isinstance(value, str):
        return int(value) if _WHOLE.fullmatch(value) else None
    return value if isinstance(value, int) else None


def _base64_id(text: str) -> str:
    try:
        return base64.b64decode(text, validate=True).hex()
    except binascii.Error:
        return text


def _scaled(value: float, *, nanoseconds: bool) -> int:
    if nanoseconds:
        return int(value)
    scale = next((scale for bound, scale in _LARGEST_TIME if abs(value) < bound), 1)
    if isinstance(value, int):
        return value * scale
    # A double holds no more than microseconds of today's time; what is beyond them is noise.
    return round(value * scale / 1000) * 1000


def _iso_time(moment: str, fraction: str, zone: str, *, shown: str) -> int:
    offset = "+00:00" if zone in ("", "Z", "z", "UTC") else zone
    try:
        passed = datetime.fromisoformat(moment + offset) - _EPOCH
    except (ValueError, OverflowError) as error:
        raise _no_time(shown) from error
    return (passed.days * 86_400 + passed.seconds) * _NANO + int(fraction.ljust(9, "0"))


def _no_time(value: object) -> BadRecordError:
    shown = repr(value[:40]) if isinstance(value, str) else json_kind(value)
    return BadRecordError(f"the time of the span is {shown}, expected ISO 8601 or a number.")


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
    """Return whether an attribute of this name is ever read, so that the others need not be decoded."""
    return name in _NAMES or name.startswith(_LISTS)


def find_attribute(attributes: Attributes, role: str) -> object:
    """Return the value of the first attribute of a role, or None."""
    for name in ATTRIBUTES[role]:
        value = _get(attributes, name)
        if value is not None:
            return value
    return None


def find_documents(attributes: Attributes) -> object:
    """Return the documents that a span records, or None; a flattened list is put together again."""
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
    items: dict[str, object] = {}
    for name, value in attributes.items():
        if value is None or not name.startswith(prefix):
            continue
        number, _, rest = name[len(prefix) :].partition(".")
        if not _is_number(number):
            continue
        if not rest:
            items[number] = dict(value) if isinstance(value, dict) else value
            continue
        item = items.setdefault(number, {})
        if isinstance(item, dict):
            item[rest] = value
    return items or None


def _numbered_list(value: dict[str, object]) -> object:
    """Return the values in the order of their numbers where all keys are numbers, else the object itself."""
    if not value or not all(_is_number(key) for key in value):
        return value
    return [value[key] for key in sorted(value, key=int)]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10
