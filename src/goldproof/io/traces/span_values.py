"""Values as exporters write them: OTLP's tagged values, ids in hexadecimal or base64, times in many units.

- OTLP JSON tags every value with its type, and writes 64-bit whole numbers as text: `{"intValue": "3"}`. Tools that
  keep the names of the protocol buffers write `{"int_value": 3}`.
- The OTLP specification wants ids in hexadecimal; plain protocol-buffer JSON has base64; the Python SDK has `0x...`.
  All become lower-case hexadecimal. An id of zeros means that there is none.
- Times become whole nanoseconds. A number without a unit in its name is seconds, milliseconds (as pandas writes),
  microseconds or nanoseconds by its size; `[seconds, nanoseconds]` is JavaScript's; text is ISO 8601, UTC if it does
  not say otherwise.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
from datetime import UTC, datetime

import orjson

from goldproof.io.jsonl import BadRecordError, json_kind

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
    """Return what a JSON object or list in a text says, or None where the text is no such thing."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        found: object = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return found


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
    """Return the names and still tagged values of `[{"key": ..., "value": ...}]`; what is no such pair is left out."""
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
    """Return a time in nanoseconds since 1970, None where there is none; raise BadRecordError for what is no time."""
    match value:
        case None | "":
            return None
        case [int() as seconds, int() as nano]:
            found = seconds * _NANO + nano
        case str() if (iso := _ISO.fullmatch(value.strip())) is not None:
            found = _iso_time(*iso.groups(default=""), shown=value)
        case str() if _WHOLE.fullmatch(value.strip()):
            found = _scaled(int(value), nanoseconds=nanoseconds)
        case bool():
            raise _no_time(value)
        case int() | float() if math.isfinite(value):
            found = _scaled(value, nanoseconds=nanoseconds)
        case _:
            raise _no_time(value)
    if abs(found) > _LATEST:
        raise _no_time(value)
    return found or None


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
