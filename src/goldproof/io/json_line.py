"""One record as one line of JSON: compact, keys in their order, floats as short as they read back.

NaN and infinity are refused (orjson would write null), and so is whatever else JSON cannot hold.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import orjson

from goldproof.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator


def json_line(record: Mapping[str, object], *, where: str) -> bytes:
    """Return the line; `where` says whose record it is if it cannot be written."""
    try:
        line = orjson.dumps(record, default=_as_dict, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError as error:
        raise InputError(f"{where}: cannot be written as JSON ({error}).") from error
    # Only a line with a null in it can hold one that was a number: most need no closer look.
    odd = next(_not_finite(record, ""), None) if b"null" in line else None
    if odd is not None:
        raise InputError(f"{where}: {odd} is not a finite number, which JSON cannot hold; write null or leave it out.")
    return line


def _not_finite(value: object, path: str) -> Iterator[str]:
    """Yield the paths of numbers that are not finite."""
    if isinstance(value, float):
        if not math.isfinite(value):
            yield path
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _not_finite(item, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            if not isinstance(item, str):
                yield from _not_finite(item, f"{path}[{index}]")


def _as_dict(value: object) -> object:
    """Return a mapping of another type as a dict, which orjson knows."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a {type(value).__name__} is no JSON value")
