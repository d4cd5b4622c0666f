"""Turns, dates and durations as numbers.

A turn is a number, or text that is one. A time is a date (`2024-05-01`, `2024-05`), a date with a time of day
(`2024-05-01T09:30:00+01:00`), both as text or as Python's own, or seconds since 1970; a number of 10^11 and more is
milliseconds, microseconds or nanoseconds, by its size. Without a zone a time is in UTC. A date stands for a span, its
day or month, and begins with it. A duration is `30s`, `30m`, `12h`, `7d` or `2w`, or a bare number of days.

The clock is never read.
"""

from __future__ import annotations

import math
import re
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

_SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}
DAY = _SECONDS["d"]
_DURATION = re.compile(r"(\d+(?:\.\d+)?|\.\d+)\s*([smhdw])", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_ISO = re.compile(r"\d{4}-\d\d(?:-\d\d(?:[Tt ]\d.*)?)?")
_MONTH, _DAY_LENGTH = 7, 10
# Up to the year 5138 a time in seconds is below 1e11.
_SCALES = ((1e11, 1.0), (1e14, 1e-3), (1e17, 1e-6), (math.inf, 1e-9))


class Span(NamedTuple):
    """The start of a time in seconds since 1970, and its end: of a day or a month, else the time itself."""

    start: float
    end: float


def parse_turn(value: object) -> float | None:
    """Return a turn as a number, None where the value is none."""
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:  # an int may be larger than any float
        return None
    return number if math.isfinite(number) else None


def parse_time(value: object) -> float | None:
    """Return a time in seconds since 1970, None where the value is none."""
    if isinstance(value, str) and not _NUMBER.fullmatch(value.strip()):
        span = parse_date(value)
        return None if span is None else span.start
    if isinstance(value, date):
        return _seconds(value)
    number = parse_turn(value)
    if number is None:
        return None
    return number * next(scale for below, scale in _SCALES if abs(number) < below)


def parse_date(value: object) -> Span | None:
    """Return the span of an ISO date (with or without a time of day), None where the value is none."""
    if isinstance(value, str):
        return _span(value.strip())
    if isinstance(value, datetime):
        return Span(_seconds(value), _seconds(value))
    if isinstance(value, date):
        return Span(_seconds(value), _seconds(value) + DAY)
    return None


def year_span(year: int) -> Span:
    """Return a whole year."""
    return Span(_seconds(date(year, 1, 1)), _seconds(date(year, 12, 31)) + DAY)


def parse_duration(value: object) -> float | None:
    """Return a duration in seconds, None where the value is none; a bare number counts days."""
    if isinstance(value, timedelta):
        return value.total_seconds()
    duration = _DURATION.fullmatch(value.strip()) if isinstance(value, str) else None
    if duration:
        return float(duration[1]) * _SECONDS[duration[2].lower()]
    days = parse_turn(value)
    return None if days is None else days * DAY


@lru_cache(maxsize=65536)
def _span(text: str) -> Span | None:
    if not _ISO.fullmatch(text):
        return None
    try:
        if len(text) == _MONTH:
            start = date.fromisoformat(f"{text}-01")
            return Span(_seconds(start), _seconds((start + timedelta(days=31)).replace(day=1)))
        moment = datetime.fromisoformat(text)
    except (ValueError, OverflowError):
        return None
    return Span(_seconds(moment), _seconds(moment) + (DAY if len(text) == _DAY_LENGTH else 0.0))


def _seconds(moment: date) -> float:
    if not isinstance(moment, datetime):
        moment = datetime(moment.year, moment.month, moment.day, tzinfo=UTC)
    elif moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment.timestamp()
