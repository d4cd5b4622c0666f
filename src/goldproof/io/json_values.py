"""One JSON value from bytes, or a sentence that says what is wrong with them.

NaN and Infinity are no JSON numbers, but Python writes them, so datasets hold them: they are read as null. What else
such a text holds is held to the same rules as any other: no lone surrogate, no number beyond double precision.
"""

from __future__ import annotations

import re
from typing import cast

import orjson

# A string is matched whole, or up to the end where nothing closes it: what stands inside is left alone.
_STRING_OR_NAN = re.compile(rb'"(?:[^"\\]|\\.)*+"?|(-?Infinity|NaN)', re.DOTALL)


class BadJsonError(ValueError):
    """Bytes that are not one JSON value; the text says so in a sentence."""


def parse_value(text: bytes) -> object:
    """Return the value."""
    try:
        return cast("object", orjson.loads(text))
    except orjson.JSONDecodeError as error:
        without = _without_nan(text)
        if without == text:
            raise BadJsonError(_why(text, error)) from error
    try:
        return cast("object", orjson.loads(without))
    except orjson.JSONDecodeError as error:
        raise BadJsonError(_why(text, error)) from error


def _without_nan(text: bytes) -> bytes:
    """Return the text with null for NaN and Infinity, as wide as they were where that is possible."""
    if b"NaN" not in text and b"Infinity" not in text:
        return text
    return _STRING_OR_NAN.sub(lambda found: b"null".ljust(len(found[0])) if found[1] else found[0], text)


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
