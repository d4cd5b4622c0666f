"""Which of a table's leading rows are headings.

The rule. A *value* is a number (with currency, percent, brackets, scale word), a range of numbers, or a sign for
nothing ("—", "n/a"); a year, a date and a period ("2019", "2017/2018", "FY 2019", "53 weeks") are not values.
1. The lead is all rows before the first that has a value beyond its first column.
2. A row of the lead labels columns if it has a cell beyond the first, and is not a lone section title ("Assets:").
3. A row that has both a first cell and others is a heading only while something is still to be labelled: the first
   column, or one of the columns that it fills; or if the first cell is a note in brackets ("($ in millions)").
   Otherwise the body begins there, with a row of words.
4. The headings are the lead up to its last row that labels columns. Rows with only a first cell belong to them if such
   a row follows ("(in millions)" above the years), else they are section titles of the body.
Where a table has no value at all, everything in it is words: the first row is the heading, with those after it whose
first cell is empty. A first row is always a heading.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_NUMBER = r"\d(?:[\d,]*\d)?(?:\.\d+)?|\.\d+"
_MONEY = r"(?:[A-Z]{1,3})?[$€£¥₹]"
_AMOUNT = rf"""[-−–+~<>(]* \s* (?:{_MONEY})? \s* [-−–+(]* \s* (?:{_MONEY})? \s* (?:{_NUMBER})
    \s* [)%]* \s* (?: x | [kmb]n? | bps | pts? | thousand | million | billion
    | (?: (?<=\.\d) | (?<=\.\d\d) ) \s* years? )? [)%*]*"""
_VALUE = re.compile(
    rf"{_AMOUNT} (?: \s* (?:[-–—]|to) \s* {_AMOUNT} )? \s* (?: \( \s* \w{{1,2}} \s* \) )?", re.VERBOSE | re.IGNORECASE
)
_NOTHING = re.compile(r"[$€£¥(]*\s*(?:[-–—−_]+|n/?[am]|nil|none)\s*[)%]*", re.IGNORECASE)
_YEAR = r"(?:19|20)\d\d"
_PERIOD = re.compile(rf"{_YEAR}(?:\s*(?:[-–/]|to)\s*(?:{_YEAR}|\d\d))?\s*[*†]*(?:\s*\(\w{{1,2}}\))?[*†]*")
_NOTE = re.compile(r"\(.*\)", re.DOTALL)
_LONGEST_VALUE = 40
_SPACED_DIGITS = re.compile(r"(?<=\d) (?=\d)")


def count_header_rows(rows: Sequence[Sequence[str]]) -> int:
    """Return how many of the leading rows are headings; 0 for a table without rows."""
    if not rows:
        return 0
    lead = next((number for number, row in enumerate(rows) if any(map(is_value, row[1:]))), None)
    if lead is None:
        return _leading_without_label(rows)
    return max(1, _last_heading(rows[:lead]))


def is_value(cell: str) -> bool:
    """Return whether a cell holds a value, as the rule above has it."""
    text = _SPACED_DIGITS.sub("", cell.strip())
    if not text or len(text) > _LONGEST_VALUE or _PERIOD.fullmatch(text):
        return False
    return bool(_VALUE.fullmatch(text) or _NOTHING.fullmatch(text))


def _leading_without_label(rows: Sequence[Sequence[str]]) -> int:
    count = 1
    while count < len(rows) and any(rows[count]) and not rows[count][0]:
        count += 1
    return count


def _last_heading(lead: Sequence[Sequence[str]]) -> int:
    labelled: set[int] = set()
    last = 0
    for number, row in enumerate(lead, start=1):
        filled = {i for i, cell in enumerate(row) if cell}
        if not filled - {0} or _is_section_title(row, filled):
            continue
        if 0 in filled and labelled and filled <= labelled and not _NOTE.fullmatch(row[0]):
            break
        labelled |= filled
        last = number
    return last


def _is_section_title(row: Sequence[str], filled: set[int]) -> bool:
    return len(filled) == 1 and row[next(iter(filled))].endswith(":")
