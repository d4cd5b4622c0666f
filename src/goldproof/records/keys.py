"""Content keys (sha256 of canonical JSON), and JSON forms of dates, bytes and sets.

Dates, times, bytes, sets and numbers of any size have a form of their own, the same in any process. Anything else is a
TypeError: a form that depends on `repr` would differ between processes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence, Set
from datetime import date, time, timedelta
from numbers import Number
from pathlib import PurePath
from uuid import UUID

# Made once: json.dumps would make one for every call.
_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def content_key(*parts: object) -> str:
    """Return the sha256 (hex) of the parts in canonical JSON.

    Mapping order does not matter; the types do (1 and "1" differ). Anything that JSON cannot hold is an error, since a
    key that depends on `repr` would differ between processes.
    """
    return hashlib.sha256(_CANONICAL.encode(parts).encode("utf-8", "surrogatepass")).hexdigest()


def plain_value(value: object) -> object:
    """Return the JSON form of a value that JSON does not know; a set is sorted."""
    if isinstance(value, Set):
        return {"set": sorted(_ENCODER.encode(member) for member in value)}
    if isinstance(value, bytes | bytearray):
        return {"bytes": value.hex()}
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta | Number | PurePath | UUID):
        return str(value)
    if callable(numbers := getattr(value, "tolist", None)):  # of numpy
        return numbers()
    raise TypeError(f"it holds a {type(value).__name__}")


def canonical_json(value: object) -> str:
    """Return a value as JSON in one line, mappings sorted; raise TypeError or ValueError where it has no JSON form."""
    try:
        return _ENCODER.encode(value)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


# Made once: json.dumps would make one for every call.
_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), default=plain_value)
