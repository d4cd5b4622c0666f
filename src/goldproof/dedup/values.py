"""Field values in comparable form: texts, numbers, lists, addresses, instants.

Text is in normal form; exact values, such as ids, only lose blanks at their ends. Numbers are written alike (`42`,
`42.0`). Lists are sorted sets, and a list of one is its member. Times are instants where they are one. Of an address,
`Anna <A@x.org>` or a mapping, the bare address in lower case is kept. Null, empty text and empty lists are no value.

An instant is ISO 8601 with a zone (`2026-03-01T09:30:00+01:00`, `...Z`), or the time since 1970 in seconds,
milliseconds, microseconds or nanoseconds, told apart by size. A time without a zone is not an instant, nor is a number
below 10^8.
"""

from __future__ import annotations

import math
import re
from enum import Enum
from typing import TYPE_CHECKING

from goldproof.dedup.rules import fold
from goldproof.text.near_duplicates import normal_text

if TYPE_CHECKING:
    from collections.abc import Iterable


# What lies deeper inside a value is not looked at: no real field is nested so, and comparing must end.
_DEEPEST = 16

_ADDRESS = re.compile(r"[^\s<>,;:\"'()\[\]]+@[^\s<>,;:\"'()\[\]]+")

_ADDRESS_KEYS = ("address", "email", "emailaddress", "mail", "upn", "userprincipalname")

Value = str | tuple["Value", ...]


class Kind(Enum):
    """The kind of value that a field holds."""

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
        return several(canonical(member, kind, depth + 1) for member in value)
    return _text(str(value), kind)


def _text(text: str, kind: Kind) -> Value | None:
    if kind is Kind.EXACT:
        return text.strip() or None
    if kind is Kind.TIME and (moment := instant(text)) is not None:
        return f"@{moment}"
    if kind is Kind.ADDRESS and (addresses := _ADDRESS.findall(text.lower())):
        return several(addresses)
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
            if (address := canonical(folded.get(key), kind, depth + 1)) is not None:
                return address
    parts = ((key, canonical(value, kind, depth + 1)) for key, value in folded.items())
    return tuple(sorted(((key, value) for key, value in parts if value is not None), key=repr)) or None


def several(values: Iterable[Value | None]) -> Value | None:
    """Return values as a sorted set; a single value as itself, None where there is none."""
    distinct = {value for value in values if value is not None}
    if len(distinct) > 1:
        return tuple(sorted(distinct, key=repr))
    return distinct.pop() if distinct else None


_ISO = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(?:([Zz])|([+-])(\d\d):?(\d\d)?)"
)

_NUMBER = re.compile(r"[+-]?\d{9,19}(?:\.\d+)?")

_MICROSECONDS = 1_000_000

# Up to the year 5138 a time in seconds is below 1e11; one in milliseconds is below that only before March 1973.
_LOWEST, _HIGHEST = 1e8, 2.0**63

_SCALES = ((1e11, 1e6), (1e14, 1e3), (1e17, 1.0), (float("inf"), 1e-3))


def instant(value: object) -> int | None:
    """Return microseconds since 1970, None where the value is not an instant."""
    if isinstance(value, str):
        text = value.strip()
        if match := _ISO.fullmatch(text):
            return _from_iso(match)
        return _from_number(float(text)) if _NUMBER.fullmatch(text) else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _from_number(value)
    return None


def _from_number(number: float) -> int | None:
    if not _LOWEST <= abs(number) < _HIGHEST:
        return None
    scale = next(scale for below, scale in _SCALES if abs(number) < below)
    return round(number * scale)


def _from_iso(match: re.Match[str]) -> int | None:
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
    fraction, _, sign, zone_hours, zone_minutes = match.groups()[6:]
    if not (1 <= month <= 12 and 1 <= day <= 31 and hour <= 24 and minute < 60 and second <= 60):
        return None
    shift = 60 * int(zone_hours or 0) + int(zone_minutes or 0)
    minutes = (_days(year, month, day) * 24 + hour) * 60 + minute - (shift if sign == "+" else -shift)
    return (minutes * 60 + second) * _MICROSECONDS + int(f"{fraction or '':0<6}"[:6])


def _days(year: int, month: int, day: int) -> int:
    """Return days since 1970-01-01 in the Gregorian calendar; the year begins in March, so leap days come last."""
    shifted = year - (month <= 2)
    months = (month + 9) % 12
    return 365 * shifted + shifted // 4 - shifted // 100 + shifted // 400 + (153 * months + 2) // 5 + day - 719_469
