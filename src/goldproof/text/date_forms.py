"""The forms in which dates are written: a pattern, and how to read what it matched. Earlier forms win."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple


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
    found = match.groupdict()
    if found["year"] is None and match["month"] in ("may", "mar", "march"):
        return ()  # a verb
    day = found.get("day")
    return (Parts(int(found["year"]) if found["year"] else None, _month(match), int(day) if day else None),)


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
