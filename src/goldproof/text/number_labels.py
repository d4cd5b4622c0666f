"""Numerals that count nothing: days of a month, numbers of notes, sections and standards, parts of identifiers."""

from __future__ import annotations

import re
from typing import Final

_MONTH: Final = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)(?:\.|[a-z]{2,6})?"
_MONTH_BEFORE: Final = re.compile(rf"(?<![^\W_]){_MONTH}\s$", re.IGNORECASE)
_MONTH_AFTER: Final = re.compile(rf"\s(?:of\s)?{_MONTH}(?![^\W_])", re.IGNORECASE)
_DESIGNATOR: Final = re.compile(
    r"(?<![^\W_])(?:(?i:notes?|footnotes?|sections?|pages?|figures?|fig\.|chapters?|appendix|exhibit|version)|Nos?\.|no\.|№"
    r"|Level|Item|Topic|Op\.|BWV|IFRS|IAS|ASC|ASU|SFAS|FAS|FIN|ISO|RFC|Rule|Form|Tier|Phase)\s?$"
)
_LONGEST: Final = 12
# After digits: a letter or digit ("5th", "1990s", "0x1f"), "10-K" are no amounts.
_TORN_AFTER: Final = re.compile(r"[^\W_]|_\w|-[A-Z](?![a-z])")
_TORN_BEFORE: Final = re.compile(r"(?:[^\W_]|\w_|[^\W0-9_][.'\u2019-]|[#@\\])$")
_YEAR: Final = re.compile(r"(?:1[0-9]|20)[0-9]{2}")
_BEFORE_YEAR: Final = re.compile(r"[^\W0-9_]-$")


def is_label(text: str, start: int, end: int) -> bool:
    """Say whether the digits from start to end name something rather than count it."""
    if text[start:end] in ("401", "403") and text[end : end + 3] in ("(k)", "(b)"):
        return True
    before = text[max(0, start - _LONGEST) : start]
    if before[-1:] in (" ", "\u00a0", ".") and _DESIGNATOR.search(before):
        return True
    return end - start <= 2 and (_MONTH_BEFORE.search(before) is not None or _MONTH_AFTER.match(text, end) is not None)


def is_torn(text: str, start: int, end: int) -> bool:
    """Say whether what stands from start to end is only a piece of a word or an identifier."""
    if _TORN_AFTER.match(text, end):
        return True
    if start == 0 or text[start - 1] in " |\n(":
        return False
    before = text[max(0, start - 2) : start]
    if _TORN_BEFORE.search(before) is None:
        return False
    return not (_YEAR.fullmatch(text, start, end) and _BEFORE_YEAR.search(before))


def is_year(digits: str) -> bool:
    """Say whether a numeral looks like a year of our era: four digits from 1000 to 2099."""
    return _YEAR.fullmatch(digits) is not None
