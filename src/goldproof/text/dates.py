"""Dates in text, in normal form: what they name, how precisely, and where they stand.

Read are: 1817-12-10, 10 December 1817, December 10th, 1817, Dec. 10 (no year), December 1817, 12/31/2006 and 12/31/06,
10.12.1817, Q3 2012, third quarter of 2012, FY 2018, fiscal 2018, and bare years from 1000 to 2099. A date in figures
whose day and month can both be months has both readings. A year of two digits is of this century up to 49, of the last
from 50 on. Quarters and fiscal years follow no calendar that can be known here, so they hold no months and no days.

Two dates agree when one is the other or holds it: 1817 agrees with December 1817 and with 10 December 1817; 10 December
(of no year) agrees with 10 December 1817.
"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from typing import Literal

from goldproof.text.date_forms import FORMS, Parts

Precision = Literal["day", "month", "quarter", "year"]


@dataclass(frozen=True, slots=True)
class Date:
    """A day, month, quarter or year; a day may lack its year."""

    year: int | None
    month: int | None = None
    day: int | None = None
    quarter: int | None = None
    fiscal: bool = False

    @property
    def precision(self) -> Precision:
        """How precisely the date is given."""
        if self.day:
            return "day"
        if self.month:
            return "month"
        return "quarter" if self.quarter else "year"

    def holds(self, other: Date) -> bool:
        """Say whether the other date is this one or lies in it."""
        if (self.fiscal or self.quarter) and other.month:
            return False
        pairs = (
            (self.year, other.year),
            (self.month, other.month),
            (self.day, other.day),
            (self.quarter, other.quarter),
        )
        return all(mine is None or mine == theirs for mine, theirs in pairs)

    def __str__(self) -> str:
        """Return the normal form: 1817-12-10, 1817-12, 1817, --12-10 (no year), 2012-Q3, FY2018, FY2018-Q3."""
        if self.month is None:
            quarter = f"-Q{self.quarter}" if self.quarter else ""
            return f"{'FY' if self.fiscal else ''}{self.year:04d}{quarter}"
        year = "-" if self.year is None else f"{self.year:04d}"
        return f"{year}-{self.month:02d}" + (f"-{self.day:02d}" if self.day else "")


@dataclass(frozen=True, slots=True)
class FoundDate:
    """A date in a text: what it can mean (two readings where day and month cannot be told apart), and where it is."""

    readings: tuple[Date, ...]
    start: int
    end: int


def find_dates(text: str) -> list[FoundDate]:
    """Return the dates of a text in order; they do not overlap."""
    found: list[FoundDate] = []
    taken = bytearray(len(text))
    for form in FORMS:
        for match in form.pattern.finditer(text):
            start, end = match.span()
            readings = () if any(taken[start:end]) else _valid(form.read(match))
            if readings:
                found.append(FoundDate(readings, start, end))
                taken[start:end] = b"\1" * (end - start)
    return sorted(found, key=lambda date: date.start)


def parse_date(text: str) -> FoundDate | None:
    """Return the date that the whole text is, blanks and a full stop aside; None where it is anything else."""
    start, end = len(text) - len(text.lstrip()), len(text.rstrip(" \t\r\n."))
    found = find_dates(text[:end]) if 0 < end - start < 40 else []
    return found[0] if len(found) == 1 and (found[0].start, found[0].end) == (start, end) else None


def agree(a: FoundDate, b: FoundDate) -> bool:
    """Say whether some reading of one date is, or lies in, some reading of the other."""
    return any(x.holds(y) or y.holds(x) for x in a.readings for y in b.readings)


def _valid(parts: tuple[Parts, ...]) -> tuple[Date, ...]:
    dates = [Date(*part) for part in parts]
    return tuple(dict.fromkeys(date for date in dates if _exists(date)))


def _exists(date: Date) -> bool:
    if date.month is None:
        return True
    # A day without a year may be the 29th of February.
    return 1 <= date.month <= 12 and (date.day is None or 1 <= date.day <= monthrange(date.year or 2000, date.month)[1])
