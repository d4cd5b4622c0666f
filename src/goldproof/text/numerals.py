"""Numerals: which runs of digits are a number, and which are a date, a time, a version, a telephone number.

A run is digits with single joints between them: points, commas, apostrophes, narrow blanks, slashes, colons, dashes.
It is one number where the joints are thousands separators (1,234,567, Indian 12,34,567, 1'234, 1 234 with a no-break
blank) and at most one decimal point. A decimal comma is read only where nothing else is possible: after points as
thousands separators (1.234,56), or before one or two digits where a unit shows that it is one number ("12,5 %"). Two
numbers with a dash are a range, and with a comma that groups nothing a list ("2018,2019"), unless a piece would be no
number by itself ("1,000,00": 000). Anything else (12/31/06, 10:30, 1.2.3, 555-12-34) is no number, and is never torn
into some.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final, NamedTuple

_NARROW: Final = "\u00a0\u2009\u202f"
_APOSTROPHE: Final = "'\u2019"
# For use inside the brackets of a pattern.
DASHES: Final = r"\-\u2010\u2011\u2012\u2013\u2212"
MOST_DIGITS: Final = 40

RUN: Final = re.compile(rf"[0-9]+(?:[.,/:{_APOSTROPHE}{_NARROW}{DASHES}][0-9]+)*")
_GROUPS: Final = (
    rf"[0-9]{{1,3}}(?:,[0-9]{{3}})+|[0-9]{{1,2}}(?:,[0-9]{{2}})+,[0-9]{{3}}"
    rf"|[0-9]{{1,3}}(?:[{_NARROW}][0-9]{{3}})+|[0-9]{{1,3}}(?:[{_APOSTROPHE}][0-9]{{3}})+"
)
_NUMERAL: Final = re.compile(rf"({_GROUPS}|[0-9]+)(?:\.([0-9]+))?")
_EUROPEAN: Final = re.compile(rf"([0-9]{{1,3}}(?:\.[0-9]{{3}})+|[0-9]{{1,3}}(?:[{_NARROW}][0-9]{{3}})+),([0-9]{{1,2}})")
_DECIMAL_COMMA: Final = re.compile(r"([0-9]+),([0-9]{1,2})")
_POINT_GROUPS: Final = re.compile(r"([0-9]{1,3}(?:\.[0-9]{3}){2,})()")
_SEPARATORS: Final = re.compile(rf"[.,{_APOSTROPHE}{_NARROW}]")
_RANGE: Final = re.compile(rf"([0-9][0-9.,]*)[{DASHES}]([0-9][0-9.,]*)")
_PADDED: Final = re.compile(r"0[0-9]")  # how no number begins that stands for itself
_OTHER_JOINT: Final = re.compile(rf"[/:{DASHES}]")
_SHORT_YEAR_RANGE: Final = re.compile(rf"((?:1[0-9]|20)[0-9]{{2}})[{DASHES}][0-9]{{2}}")


class Numeral(NamedTuple):
    """A number without sign, unit or scale, as printed at `start` to `end`; grouped: it has thousands separators."""

    value: Decimal
    decimals: int
    grouped: bool
    start: int
    end: int


def is_numeral(run: str) -> bool:
    """Say whether a run is one number whatever stands beside it."""
    return _NUMERAL.fullmatch(run) is not None


def numerals_of(run: str, *, at: int, unit_near: bool) -> list[Numeral]:
    """Return the numbers of a run that begins at a place of the text; none where it is something else.

    unit_near: a currency or percent sign stands beside it, so that it is one number.
    """
    if run.isdigit():
        return _kept(_numeral(run, "", at=at, printed=run))
    found = _NUMERAL.fullmatch(run) or _EUROPEAN.fullmatch(run)
    if found is None and unit_near:
        found = _DECIMAL_COMMA.fullmatch(run) or _POINT_GROUPS.fullmatch(run)
    if found is not None:
        return _kept(_numeral(found[1], found[2] or "", at=at, printed=run))
    return _several(run, at=at)


def _several(run: str, *, at: int) -> list[Numeral]:
    if year := _SHORT_YEAR_RANGE.fullmatch(run):
        return numerals_of(year[1], at=at, unit_near=False)
    if span := _RANGE.fullmatch(run):
        parts = [_NUMERAL.fullmatch(span[1]), _NUMERAL.fullmatch(span[2])]
        if not all(parts):
            return []
        return [n for i in (1, 2) for n in numerals_of(span[i], at=at + span.start(i), unit_near=False)]
    if _OTHER_JOINT.search(run) or run.count(".") > 1:
        return []
    return _listed(run, at=at)


def _listed(run: str, *, at: int) -> list[Numeral]:
    """Return the numbers of a list without blanks ("2018,2019"): a comma that groups nothing parts two numbers."""
    listed: list[Numeral] = []
    for piece in re.finditer(r"[^,]+", run):
        if _NUMERAL.fullmatch(piece[0]) is None or _PADDED.match(piece[0]):
            return []
        listed += numerals_of(piece[0], at=at + piece.start(), unit_near=False)
    return listed


def _numeral(whole: str, decimals: str, *, at: int, printed: str) -> Numeral:
    digits = _SEPARATORS.sub("", whole)
    value = Decimal(f"{digits}.{decimals}" if decimals else digits)
    return Numeral(value, len(decimals), digits != whole, at, at + len(printed))


def _kept(numeral: Numeral) -> list[Numeral]:
    # Longer runs of digits are keys and hashes, not amounts.
    return [numeral] if numeral.end - numeral.start <= MOST_DIGITS else []
