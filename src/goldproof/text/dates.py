"""Find dates in text, in many forms, and compare them.

Forms: 1817-12-10, 10 December 1817, December 10th, 1817, Dec. 10 (no year), December 1817, 12/31/2006 and 12/31/06,
10.12.1817, Q3 2012, third quarter of 2012, FY 2018, fiscal 2018, and bare years from 1000 to 2099. A date in figures
whose day and month can both be months has both readings. A year of two digits is of this century up to 49, of the last
from 50 on. Quarters and fiscal years follow no calendar that can be known here, so they hold no months and no days.

Two dates agree when one is the other or holds it: 1817 agrees with December 1817 and with 10 December 1817; 10 December
(of no year) agrees with 10 December 1817.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

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
    """A date in a text: its readings (two where day and month cannot be told apart), and its place."""

    readings: tuple[Date, ...]
    start: int
    end: int


def find_dates(text: str) -> list[FoundDate]:
    """Return the dates of a text in order; they do not overlap."""
    dates: list[FoundDate] = []
    taken = bytearray(len(text))
    for form in FORMS:
        for match in form.pattern.finditer(text):
            start, end = match.span()
            readings = () if any(taken[start:end]) else _valid(form.read(match))
            if readings:
                dates.append(FoundDate(readings, start, end))
                taken[start:end] = b"\1" * (end - start)
    return sorted(dates, key=lambda date: date.start)


def parse_date(text: str) -> FoundDate | None:
    """Return the date that the whole text is, blanks and a full stop aside; None where it is anything else."""
    start, end = len(text) - len(text.lstrip()), len(text.rstrip(" \t\r\n."))
    dates = find_dates(text[:end]) if 0 < end - start < 40 else []
    return dates[0] if len(dates) == 1 and (dates[0].start, dates[0].end) == (start, end) else None


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


class Parts(NamedTuple):
    """The parts of a date as read, not yet checked."""

    year: int | None
    month: int | None = None
    day: int | None = None
    quarter: int | None = None
    fiscal: bool = False


Read = Callable[[re.Match[str]], tuple[Parts, ...]]


class Form(NamedTuple):
    """One way to write dates; read gives several where a match can mean several dates."""

    pattern: re.Pattern[str]
    read: Read


_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

_MONTH: Final = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)(?![^\W_])\.?"
)

_YEAR: Final = r"(?P<year>(?:1[0-9]|20)[0-9]{2})(?![^\W_]|[.,:/][0-9])"

_DAY: Final = r"(?P<day>3[01]|[12][0-9]|0?[1-9])(?:st|nd|rd|th)?(?![^\W_])"

_START: Final = r"(?<![^\W_])(?<![0-9][.,/:-])"

_QUARTER: Final = r"(?P<quarter>q[1-4]|[1-4]q|(?:first|second|third|fourth)(?=\squarter))"

_ORDINALS: Final = ("first", "second", "third", "fourth")

_SHORT_YEAR: Final = r"['\u2019]?(?P<year>(?:1[0-9]|20)?[0-9]{2})(?![^\W_]|[.,:/%][0-9])"


def _month(match: re.Match[str]) -> int:
    # Patterns without case also match letters such as the long s; what is then no month has the number 0, no date.
    name = match["month"][:3].casefold()
    return _MONTHS.index(name) + 1 if name in _MONTHS else 0


def _full_year(digits: str) -> int:
    year = int(digits)
    return year if len(digits) == 4 else year + (2000 if year < 50 else 1900)


def _iso(match: re.Match[str]) -> tuple[Parts, ...]:
    return (Parts(int(match["year"]), int(match["month"]), int(match["day"]) if match["day"] else None),)


def _figures(match: re.Match[str]) -> tuple[Parts, ...]:
    year, first, second = _full_year(match["year"]), int(match["first"]), int(match["second"])
    if match["joint"] == ".":  # a point is written only where the day comes first
        return (Parts(year, second, first),)
    return Parts(year, first, second), Parts(year, second, first)


def _named(match: re.Match[str]) -> tuple[Parts, ...]:
    groups = match.groupdict()
    if groups["year"] is None and match["month"] in ("may", "mar", "march"):
        return ()  # a verb
    day = groups.get("day")
    return (Parts(int(groups["year"]) if groups["year"] else None, _month(match), int(day) if day else None),)


def _quarter(match: re.Match[str]) -> tuple[Parts, ...]:
    name = match["quarter"].casefold()
    number = _ORDINALS.index(name) + 1 if name in _ORDINALS else int(name.strip("q")) if "q" in name else 0
    if not number:
        return ()
    return (Parts(_full_year(match["year"]), quarter=number, fiscal=bool(match["fiscal"])),)


def _fiscal(match: re.Match[str]) -> tuple[Parts, ...]:
    return (Parts(_full_year(match["year"]), fiscal=True),)


def _year(match: re.Match[str]) -> tuple[Parts, ...]:
    return (Parts(int(match["year"])),)


def _form(pattern: str, read: Read) -> Form:
    return Form(re.compile(pattern, re.IGNORECASE), read)


_FIGURES: Final = _START + r"(?P<first>[0-9]{1,2})(?P<joint>[/.-])(?P<second>[0-9]{1,2})(?P=joint)"

_FIGURES_END: Final = r"(?![\w/-]|[.,][0-9])"

_FISCAL: Final = r"(?P<fiscal>(?:fy|fiscal(?:\syear)?)\s?)?"

FORMS: Final = (
    _form(
        _START + r"(?P<year>[12][0-9]{3})[-/](?P<month>[0-9]{1,2})[-/](?P<day>[0-9]{1,2})(?=T[0-9]|(?![\w/-]))", _iso
    ),
    _form(_START + r"(?P<year>(?:1[0-9]|20)[0-9]{2})-(?P<month>0[1-9]|1[0-2])(?P<day>)(?![\w-])", _iso),
    _form(rf"{_FIGURES}(?P<year>(?:1[0-9]|20)[0-9]{{2}}){_FIGURES_END}", _figures),
    _form(rf"{_FIGURES}(?<=/)(?P<year>[0-9]{{2}}){_FIGURES_END}", _figures),
    _form(rf"{_START}{_MONTH}\s{_DAY}(?:(?:\s?,\s?|\s(?:of\s)?){_YEAR})?", _named),
    _form(rf"{_START}{_DAY}\s(?:of\s)?{_MONTH}(?:(?:\s?,)?\s?{_YEAR})?", _named),
    _form(rf"{_START}{_MONTH}(?:\s?,)?\s(?:of\s)?{_YEAR}", _named),
    _form(rf"{_START}{_QUARTER}(?:\squarter)?(?:\s?,|\s(?:of|in))?\s?(?:the\s)?{_FISCAL}{_SHORT_YEAR}", _quarter),
    _form(rf"{_START}(?P<fiscal>fy\s?)?(?P<year>(?:1[0-9]|20)[0-9]{{2}})[\s-]?(?P<quarter>q[1-4])(?!\w)", _quarter),
    _form(rf"{_START}(?:fy\s?|fiscal\s(?:years?\s)?(?:ended\s|ending\s)?){_SHORT_YEAR}", _fiscal),
    _form(rf"(?<![\w$€£#])(?<![0-9][.,/:])(?<![$€£]\s)(?<![^\W0-9_][.]){_YEAR}(?!\s?%)", _year),
)
