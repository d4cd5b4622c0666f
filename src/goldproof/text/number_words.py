"""Numbers written in words: "twenty-five", "two hundred and fifty thousand", "a million".

Ordinals ("twenty-first") are not numbers. A lone scale word ("million") is none either; "a million" is. Words in a row
that do not make one number ("two three", a year read aloud) are left alone.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Final, NamedTuple

from goldproof.text.quantity import SCALES, shifted

if TYPE_CHECKING:
    from collections.abc import Iterator

_TEENS: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_ONES: Final = {word: value for value, word in enumerate(_TEENS.split())}
_TENS_WORDS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS: Final = {word: 10 * value for value, word in enumerate(_TENS_WORDS.split(), start=2)}
_SMALL: Final = _ONES | _TENS
_LARGE: Final = {word: 10**places for word, places in SCALES.items() if places > 2}
_WORD: Final = "|".join([*_SMALL, "hundred", *(f"{word}s?" for word in _LARGE)])
_FIRST: Final = rf"{'|'.join(_SMALL)}|an?(?= (?:hundred|{'|'.join(_LARGE)})\b)"
_ORDINAL: Final = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth"
_PHRASE: Final = re.compile(
    # The letters with which numbers begin rule out most words at once.
    rf"(?<![\w.-])(?=[aefnostz])(?:{_FIRST})(?:(?: ?- ?| (?:and )?)(?:{_WORD})(?![^\W_]))*(?![^\W_])"
    rf"(?!-(?:{_ORDINAL})\b)",
    re.IGNORECASE,
)
_LETTERS: Final = re.compile(r"[a-z]+")
_LONGEST: Final = 200


class Spelled(NamedTuple):
    """A number in words: its value, the scale word that ends it, and where it stands."""

    value: Decimal
    scale: str
    start: int
    end: int


def spelled_numbers(text: str) -> Iterator[Spelled]:
    """Yield the numbers that are written in words, in order."""
    for found in _PHRASE.finditer(text):
        words = _words(found[0])
        value = _value(words) if len(found[0]) <= _LONGEST else None
        if value is not None:
            scale = words[-1] if words[-1] in _LARGE else ""
            yield Spelled(_at_scale(value, scale), scale, found.start(), found.end())


def first_word(value: int) -> str:
    """Return the word with which a number begins when it is written out: "twenty" for 25 and for 20,000."""
    while value >= 1000:
        value //= 1000
    lead = value // 100 if value >= 100 else value
    lead = lead if lead < 20 else lead // 10 * 10
    return next(word for word, number in _SMALL.items() if number == lead)


def _words(phrase: str) -> list[str]:
    found = _LETTERS.findall(phrase.lower())
    first, *rest = ("one" if word in ("a", "an") else word for word in found)
    return [first, *(word[:-1] if word[:-1] in _LARGE else word for word in rest if word != "and")]


def _value(words: list[str]) -> int | None:
    """Return the number that the words make, None where they make none."""
    total = group = 0
    last, smallest = "", 10**15
    for word in words:
        if word in _LARGE:
            if not group or _LARGE[word] >= smallest:
                return None
            total, group, smallest = total + group * _LARGE[word], 0, _LARGE[word]
        elif word == "hundred":
            if not 0 < group < 100:
                return None
            group *= 100
        elif not _may_follow(word, last):
            return None
        else:
            group += _SMALL[word]
        last = word
    return total + group


def _may_follow(word: str, last: str) -> bool:
    # A pattern without case also matches a dotless i, which makes no number.
    if word not in _SMALL or last in _ONES:
        return False
    return last not in _TENS or 0 < _SMALL[word] < 10


def _at_scale(value: int, scale: str) -> Decimal:
    """Return the value with the precision of its scale word: five million is 5E+6."""
    places = SCALES[scale]
    return shifted(Decimal(value // 10**places), places)
