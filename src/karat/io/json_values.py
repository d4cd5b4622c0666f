"""One JSON value from bytes, or a sentence that says what is wrong with them.

NaN and Infinity are no JSON numbers, but Python writes them, so datasets hold them: they are read as null.
"""

from __future__ import annotations

import json
from typing import cast

import orjson


class BadJsonError(ValueError):
    """Bytes that are not one JSON value; the text says so in a sentence."""


def parse_value(text: bytes) -> object:
    """Return the value."""
    try:
        return cast("object", orjson.loads(text))
    except orjson.JSONDecodeError as error:
        if b"NaN" in text or b"Infinity" in text:
            return _without_nan(text)
        raise BadJsonError(_why(text, error)) from error


def _without_nan(text: bytes) -> object:
    try:
        return cast("object", json.loads(text, parse_constant=lambda _: None))
    except (ValueError, RecursionError) as error:
        raise BadJsonError(f"is not JSON ({error}).") from error


def _why(text: bytes, error: orjson.JSONDecodeError) -> str:
    if not text.strip():
        return "is empty, expected a JSON object."
    try:
        text.decode("utf-8")
    except UnicodeDecodeError as found:
        return f"byte {found.start + 1} (0x{text[found.start]:02X}) is not UTF-8."
    if "infinity" in error.msg:
        return f"holds a number beyond double precision (column {error.colno}), which is not finite."
    return f"is not JSON ({error.msg}, column {error.colno})."
