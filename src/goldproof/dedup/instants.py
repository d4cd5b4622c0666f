"""Times as instants, so that one moment written in two ways is one value.

ISO 8601 with a zone (`2026-03-01T09:30:00+01:00`, `...Z`), or the time since 1970 in seconds, milliseconds,
microseconds or nanoseconds, told apart by size. A time without a zone is not an instant, nor is a number below 10^8.
"""

from __future__ import annotations

import re

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
        found = _ISO.fullmatch(text)
        if found:
            return _from_iso(found)
        return _from_number(float(text)) if _NUMBER.fullmatch(text) else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _from_number(value)
    return None


def _from_number(number: float) -> int | None:
    if not _LOWEST <= abs(number) < _HIGHEST:
        return None
    scale = next(scale for below, scale in _SCALES if abs(number) < below)
    return round(number * scale)


def _from_iso(found: re.Match[str]) -> int | None:
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    fraction, _, sign, zone_hours, zone_minutes = found.groups()[6:]
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
