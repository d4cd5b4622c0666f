"""Comparing one value of the metadata with one value of a filter; `filters` says by which rules."""

from __future__ import annotations

import operator
from datetime import date
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from goldproof.retrieve.timing.moments import parse_date, year_span

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.retrieve.timing.moments import Span

Operator: TypeAlias = Literal["eq", "gte", "gt", "lte", "lt"]

_PLAIN: dict[Operator, Callable[[Any, Any], bool]] = {
    "eq": operator.eq,
    "gte": operator.ge,
    "gt": operator.gt,
    "lte": operator.le,
    "lt": operator.lt,
}


def holds(found: object, how: Operator, value: object) -> bool:
    """Say whether `found` (of the metadata) is equal to, at least, ... the value (of the filter)."""
    if type(found) is str and found == value and how == "eq":
        return True
    moment = parse_date(found)
    if moment is not None and (span := _span(value)) is not None:
        return _holds_in_time(moment.start, how, span)
    if _kind(found) is None or _kind(found) != _kind(value):
        return False
    return bool(_PLAIN[how](found, value))


def comparable(found: object, value: object) -> bool:
    """Say whether two values are of kinds that can be compared at all."""
    if parse_date(found) is not None and _span(value) is not None:
        return True
    return _kind(found) is not None and _kind(found) == _kind(value)


def _holds_in_time(moment: float, how: Operator, span: Span) -> bool:
    """Compare with a day, month or year as a whole: later than a day is from the next midnight on."""
    inside = moment == span.start or span.start <= moment < span.end
    before, after = moment < span.start, not inside and moment > span.start
    return {"eq": inside, "gte": not before, "gt": after, "lte": not after, "lt": before}[how]


def _span(value: object) -> Span | None:
    if isinstance(value, int | float) and 1000 <= value <= 9999 and value == int(value):
        return year_span(int(value))
    return parse_date(value)


def _kind(value: object) -> str | None:
    if isinstance(value, bool):
        return "flag"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, date):
        return "date"
    return "text" if isinstance(value, str) else None
