"""Is this quote really in this text? For quotes that a model gives as evidence; says where, in linear time.

Two texts are the same quote when they are equal in their normal form: every run of blanks and line breaks is one blank,
case is folded (German sharp s is ss, a ligature is its letters), an accent is the same whether it is a character of its
own or not, the many quotation marks and dashes are one each, characters without a shape (soft hyphens, zero-width
blanks) are gone. A quote may be wrapped in quotation marks, and an ellipsis may stand at either end. Where it is not
found so, blanks beside punctuation may differ as well, as tokenised datasets add them ("limit , or"), and beside
characters of scripts that are written without, but not inside a number ("1 , 000" is not "1,000"). The words must be
the same words in the same order: no part may be left out.

A quote that stands there to the letter is preferred; of several places the first counts. A quote without a letter or
digit proves nothing and is never found. `goldproof.text.spans` looks for answers, as whole words if wanted; it takes
more time, and knows no ellipsis.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import Final, NamedTuple

from goldproof.text.spans import Span

_QUOTES: Final = "'\"`\u00b4\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2032\u2033\u00ab\u00bb\u2039\u203a"
_DASHES: Final = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_SHAPELESS: Final = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_DOTS: Final = r"(?:\u2026|\.{3,})"
_PLAIN_WRAP: Final = rf"[\s{re.escape(_QUOTES)}{_SHAPELESS}]|{_DOTS}"
_WRAP: Final = re.compile(rf"(?:{_PLAIN_WRAP}|[\[(]\s*{_DOTS}\s*[\])])*")
_WRAP_BACKWARDS: Final = re.compile(rf"(?:{_PLAIN_WRAP}|[\])]\s*{_DOTS}\s*[\[(])*")
_WORD: Final = re.compile(r"\S+")
# A blank beside punctuation, or in a script that has none between words, but not one within a number. The pattern
# begins with the blank, which makes it five times as fast.
_BARE: Final = r"(?:[^\w\s]|[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])"
_NUMBER: Final = r"(?!(?<=[0-9] )[.,] ?[0-9])(?!(?<=[0-9][.,] )[0-9])(?!(?<=[0-9] [.,] )[0-9])"
_SPARE_BLANK: Final = re.compile(rf" (?:(?={_BARE})|(?<={_BARE} )){_NUMBER}")
_MOST_TRIES: Final = 1_000


def find_quote(quote: str, text: str) -> Span | None:
    """Return where the quote stands in the text, None where it does not."""
    wanted = unwrapped(quote)
    if not any(map(str.isalnum, wanted)):
        return None
    start = text.find(wanted)
    if start >= 0:
        return Span(start, start + len(wanted))
    folded = _fold(text)
    needle, hay = _one_blank(_fold(wanted)), _one_blank(folded)
    return _locate(needle, hay, folding=(text, folded)) or _locate(
        _squeezed(needle), _squeezed(hay), folding=(text, folded)
    )


def normal_quote(quote: str) -> str:
    """Return the form in which quotes are compared, blanks beside punctuation apart."""
    return _one_blank(_fold(unwrapped(quote)))


def unwrapped(quote: str) -> str:
    """Return a quote without what may stand around it: blanks, quotation marks, ellipses."""
    start = _end_of(_WRAP, quote)
    backwards = quote[: start - 1 if start else None : -1]
    return quote[start : len(quote) - _end_of(_WRAP_BACKWARDS, backwards)]


def _end_of(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.match(text)
    return found.end() if found else 0


class _Folding(dict[int, str]):
    """What becomes of each character, worked out once."""

    def __missing__(self, code: int) -> str:
        folded = self[code] = _folded(chr(code))
        return folded


def _folded(character: str) -> str:
    if character in _SHAPELESS:
        return ""
    if character == "\u2026":
        return "..."
    # Decomposed, since a composed accent has no place of its own that an offset could name.
    plain = unicodedata.normalize("NFD", unicodedata.normalize("NFD", character).casefold())
    if plain in _QUOTES:
        return "'"
    return "-" if plain in _DASHES else plain


_FOLDING: Final = _Folding()


def _fold(text: str) -> str:
    if text.isascii():  # twenty times as fast, and one character stays one
        return text.lower().replace('"', "'").replace("`", "'")
    return text.translate(_FOLDING)


def _one_blank(folded: str) -> str:
    return " ".join(folded.split())


def _squeezed(normal: str) -> str:
    return _SPARE_BLANK.sub("", normal)


def _locate(needle: str, hay: str, *, folding: tuple[str, str]) -> Span | None:
    """Return the place in the text of what stands in its normal form, the first that splits no character."""
    start = hay.find(needle)
    if start < 0:
        return None
    places = _Places.of(*folding, hay=hay)
    for _ in range(_MOST_TRIES):
        if (span := places.span(start, start + len(needle), hay=hay)) is not None:
            return span
        start = hay.find(needle, start + 1)
        if start < 0:
            return None
    return None


class _Places(NamedTuple):
    """Where the characters of a normal form stand in the text.

    leading: blanks before the first word. words: None where nothing else was taken out, so that every character has
    kept its place. ends: where each character of the text ends in the folded text; None where they are the same.
    """

    leading: int
    words: _Words | None
    ends: list[int] | None

    @classmethod
    def of(cls, text: str, folded: str, *, hay: str) -> _Places:
        leading = len(folded) - len(folded.lstrip())
        words = None if len(hay) == len(folded.strip()) else _Words.of(folded)
        lengths = None if text.isascii() else (len(_FOLDING[ord(character)]) for character in text)
        return cls(leading, words, None if lengths is None else list(accumulate(lengths)))

    def span(self, start: int, end: int, *, hay: str) -> Span | None:
        """Return the characters of the text, None where one of them would be only a part of a character."""
        first, last = start + self.leading, end - 1 + self.leading
        if self.words is not None:
            first = self.words.place(start - hay.count(" ", 0, start))
            last = self.words.place(end - 1 - hay.count(" ", 0, end))
        if self.ends is None:
            return Span(first, last + 1)
        begin, stop = bisect_right(self.ends, first), bisect_left(self.ends, last + 1)
        whole = (self.ends[begin - 1] if begin else 0) == first and self.ends[stop] == last + 1
        return Span(begin, stop + 1) if whole else None


class _Words(NamedTuple):
    """Where the words of a folded text begin, and how many characters other than blanks there are up to their ends."""

    starts: list[int]
    counts: list[int]

    @classmethod
    def of(cls, folded: str) -> _Words:
        spans = [found.span() for found in _WORD.finditer(folded)]
        return cls([start for start, _ in spans], list(accumulate(end - start for start, end in spans)))

    def place(self, number: int) -> int:
        """Return where the character with this number, blanks not counted, stands in the folded text."""
        word = bisect_right(self.counts, number)
        return self.starts[word] + number - (self.counts[word - 1] if word else 0)
