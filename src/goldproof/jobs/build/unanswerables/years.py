"""Years in a question: where they are named, how they shift, and which numbers are none.

A year is four digits from 1500 to 2099 that stand alone or in a range, a fiscal year (FY 2018, FY18), a two-digit end
of a range (2018-19) or a decade (1990s). An amount, a catalogue number (BWV 1033), a standard (ASU 2016-02) and a part
of a larger number are none.

A date keeps its place in the year: the last day of a month stays the last; another day of a fiscal period ends on the
same weekday, since such years have 52 or 53 whole weeks.
"""

from __future__ import annotations

import calendar
import datetime as dt
import re
from dataclasses import dataclass
from functools import lru_cache

_MONTHS = {name: number for number, name in enumerate(calendar.month_name) if name}
_MONTH = "|".join(_MONTHS)
_FULL = r"(?:1[5-9]|20)\d\d"
_NO_YEAR_BEFORE = r"(?<![\d$€£#.,\w])(?<!\bBWV )(?<!\bASU )(?<!\bNo\. )(?<!\bModel )(?<!\bRoute )(?<!\bRule )"
_NO_YEAR_AFTER = r"(?![.,]?\d|%|\s?(?:percent|million|billion|thousand|shares|units|people)\b|-\d\d\b(?!\d))"
YEAR = re.compile(rf"{_NO_YEAR_BEFORE}{_FULL}{_NO_YEAR_AFTER}(?!\w)")

_PIECE = re.compile(
    rf"(?P<month_first>(?:{_MONTH}) \d{{1,2}}, {_FULL}\b)"
    rf"|(?P<day_first>\b\d{{1,2}} (?:{_MONTH}) {_FULL}\b)"
    rf"|(?P<season>{_NO_YEAR_BEFORE}(?P<start>{_FULL})(?P<dash>[-/\u2013])(?P<end>\d\d)\b(?!\d))"
    rf"|(?P<fiscal>\bFY? ?'?(?P<short>\d\d)\b)"
    rf"|(?P<fiscal_full>\bFY(?P<long>{_FULL})\b)"
    rf"|(?P<decade>\b(?P<tens>(?:1[5-9]|20)\d)0'?s\b)"
    rf"|(?P<year>{YEAR.pattern})",
    re.IGNORECASE,
)
_LOOKS_LIKE_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_AMOUNT = re.compile(
    r"[$€£¥]\s?\d|\d\s?%|\d[\d,]*\.\d|\d,\d{3}\b|\b(?:million|billion|thousand)s?\b(?<=\d million)|"
    r"\b\d[\d,.]*\s?(?:million|billion|thousand|percent|basis points|GWh|shares)\b",
    re.IGNORECASE,
)
_PLAIN_NUMBER = re.compile(r"(?<![\w.-])\d+(?![\w.]*\w)(?!-[KQ]\b)")


@dataclass(frozen=True, slots=True)
class YearMention:
    """One mention of a year in a question: its characters, and the year (of a season, the first)."""

    start: int
    end: int
    year: int
    kind: str


@lru_cache(maxsize=256)
def year_mentions(question: str) -> tuple[YearMention, ...]:
    """Return the mentions of years, in order."""
    matches = ((match, match.lastgroup and _kind(match)) for match in _PIECE.finditer(question))
    return tuple(YearMention(m.start(), m.end(), _year_of(m, kind), kind) for m, kind in matches if kind)


def years_in(text: str) -> frozenset[int]:
    """Return the numbers of a long text that look like years; a wrong one now and then does no harm."""
    return frozenset(map(int, _LOOKS_LIKE_YEAR.findall(text)))


def shifted(question: str, delta: int) -> str:
    """Return the question with every year moved by `delta`."""
    return _PIECE.sub(lambda match: _moved(match, delta), question)


@lru_cache(maxsize=256)
def states_amounts(question: str) -> bool:
    """Whether the question quotes figures, which belong to its own year and subject."""
    if _AMOUNT.search(question):
        return True
    rest = _PIECE.sub(" ", re.sub(rf"(?:{_MONTH}) \d{{1,2}}|\b\d{{1,2}} (?:{_MONTH})", " ", question))
    return any(int(number) >= 10 for number in _PLAIN_NUMBER.findall(rest) if len(number) < 15)


def _kind(match: re.Match[str]) -> str:
    kinds = ("month_first", "day_first", "season", "fiscal", "fiscal_full", "decade", "year")
    return next(kind for kind in kinds if match.group(kind) is not None)


def _year_of(match: re.Match[str], kind: str) -> int:
    if kind == "fiscal":
        return 2000 + int(match["short"])
    if kind == "decade":
        return int(match["tens"]) * 10
    if kind == "season":
        return int(match["start"])
    return int(match["long"] or re.findall(_FULL, match.group())[-1])


def _moved(match: re.Match[str], delta: int) -> str:
    kind, text = _kind(match), match.group()
    year = _year_of(match, kind) + delta
    if kind == "fiscal":
        return f"{text[:-2]}{year % 100:02d}"
    if kind == "season":
        return f"{year}{match['dash']}{(year + 1) % 100:02d}" if _is_next(match) else _moved_range(match, delta)
    if kind == "decade":
        return text.replace(f"{match['tens']}0", str(year))
    if kind in {"month_first", "day_first"}:
        return _moved_date(text, year, month_first=kind == "month_first")
    return re.sub(_FULL, str(year), text)


def _is_next(match: re.Match[str]) -> bool:
    return (int(match["start"]) + 1) % 100 == int(match["end"])


def _moved_range(match: re.Match[str], delta: int) -> str:
    return f"{int(match['start']) + delta}{match['dash']}{(int(match['end']) + delta) % 100:02d}"


def _moved_date(text: str, year: int, *, month_first: bool) -> str:
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    day, old_year = numbers
    month = _MONTHS[(re.findall(r"[A-Za-z]+", text)[0]).capitalize()]
    moved = _same_place(day, month, old_year=old_year, new_year=year)
    name = calendar.month_name[moved.month]
    return f"{name} {moved.day}, {moved.year}" if month_first else f"{moved.day} {name} {moved.year}"


def _same_place(day: int, month: int, *, old_year: int, new_year: int) -> dt.date:
    last_old = calendar.monthrange(old_year, month)[1]
    last_new = calendar.monthrange(new_year, month)[1]
    if day >= last_old or day in {1, 15, 30} or day > last_new:
        return dt.date(new_year, month, last_new if day >= last_old else min(day, last_new))
    old, plain = dt.date(old_year, month, day), dt.date(new_year, month, day)
    back = (plain.weekday() - old.weekday()) % 7
    moved = plain - dt.timedelta(days=back if back <= 3 else back - 7)
    return moved if moved.year == new_year else plain
