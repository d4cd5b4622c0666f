"""Values of fields in the form in which they are compared: text, or a tuple where there are several.

Text is in normal form; exact values, such as ids, only lose blanks at their ends. Numbers are written alike (`42`,
`42.0`). Lists are sorted sets, and a list of one is its member. Times are instants where they are one. Of an address,
`Anna <A@x.org>` or a mapping, the bare address in lower case is kept. Null, empty text and empty lists are no value.
"""

from __future__ import annotations

import math
import re
from enum import Enum
from typing import TYPE_CHECKING

from goldproof.dedup.instants import instant
from goldproof.dedup.rules import fold
from goldproof.text.normal_form import normal_text

if TYPE_CHECKING:
    from collections.abc import Iterable

# What lies deeper inside a value is not looked at: no real field is nested so, and comparing must end.
_DEEPEST = 16
_ADDRESS = re.compile(r"[^\s<>,;:\"'()\[\]]+@[^\s<>,;:\"'()\[\]]+")
_ADDRESS_KEYS = ("address", "email", "emailaddress", "mail", "upn", "userprincipalname")
Value = str | tuple["Value", ...]


class Kind(Enum):
    """What a field holds."""

    TEXT = "text"
    EXACT = "exact"
    TIME = "time"
    ADDRESS = "address"


def canonical(value: object, kind: Kind, depth: int = 0) -> Value | None:
    """Return a value as it is compared, None where there is none."""
    if value is None or depth > _DEEPEST:
        return None
    if isinstance(value, str):
        return _text(value, kind)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return _number(value, kind)
    if isinstance(value, dict):
        return _mapping(value, kind, depth)
    if isinstance(value, list | tuple | set | frozenset):
        return several(canonical(one, kind, depth + 1) for one in value)
    return _text(str(value), kind)


def _text(text: str, kind: Kind) -> Value | None:
    if kind is Kind.EXACT:
        return text.strip() or None
    if kind is Kind.TIME and (moment := instant(text)) is not None:
        return f"@{moment}"
    if kind is Kind.ADDRESS and (found := _ADDRESS.findall(text.lower())):
        return several(found)
    return normal_text(text)


def _number(number: float, kind: Kind) -> str:
    if kind is Kind.TIME and (moment := instant(number)) is not None:
        return f"@{moment}"
    whole = number == int(number) if math.isfinite(number) else False
    return str(int(number)) if whole else str(number)


def _mapping(mapping: dict[object, object], kind: Kind, depth: int) -> Value | None:
    folded = {fold(str(key)): value for key, value in mapping.items()}
    if kind is Kind.ADDRESS:
        for key in _ADDRESS_KEYS:
            if (found := canonical(folded.get(key), kind, depth + 1)) is not None:
                return found
    parts = ((key, canonical(value, kind, depth + 1)) for key, value in folded.items())
    return tuple(sorted(((key, value) for key, value in parts if value is not None), key=repr)) or None


def several(values: Iterable[Value | None]) -> Value | None:
    """Return values as a sorted set; one alone is itself, and none is no value."""
    found = {value for value in values if value is not None}
    if len(found) > 1:
        return tuple(sorted(found, key=repr))
    return found.pop() if found else None
