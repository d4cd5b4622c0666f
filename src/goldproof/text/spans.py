"""Find words or a quote in a text, tolerant of case, blanks, quotation marks and dashes.

Both want the same words in the same order, prefer a place where they stand to the letter, and take the first of
several. Tolerated are: case; any blanks for any blanks; the many quotation marks, apostrophes and dashes for each
other; blanks beside punctuation, which tokenised datasets add ("limit , or", "Person - centered"), but not inside a
number ("1 , 000" is not "1,000"); characters without a shape (soft hyphens, zero-width blanks); accents as characters
of their own.

`find_words` looks for answers, as whole words if wanted, by a pattern made of the words.

`find_quote` looks for quotes of a model, which may be long: it takes less time. Texts are compared in a normal form:
every run of blanks and line breaks is one blank, case is folded (German sharp s is ss, a ligature is its letters),
quotation marks and dashes are one each. A quote may be wrapped in quotation marks, and an ellipsis may stand at either
end; no part may be left out. Only where it is not found so may blanks differ beside punctuation, and beside characters
of scripts that are written without. A quote without a letter or digit proves nothing and is never found.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Final, NamedTuple
from unicodedata import normalize

_QUOTES: Final = "'\"`\u00b4\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2032\u2033\u00ab\u00bb\u2039\u203a"

_DASHES: Final = "\\-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"

_SHAPELESS: Final = "\u00ad\u200b\u200c\u200d\u2060\ufeff"

_MOST_TOKENS: Final = 1_000

_HAS_SHAPELESS: Final = re.compile(f"[{_SHAPELESS}]")

_ELLIPSIS: Final = "\u2026"

_DOTS: Final = re.compile(r"\.\.\.")

# A number with its separators is one token; two single quotation marks are a double one; two hyphens are a dash.
_TOKEN: Final = re.compile(rf"[0-9]+(?:[.,][0-9]+)+\w*|\w+|[{_QUOTES}]{{1,2}}|[{_DASHES}]{{1,3}}|[^\w\s]")


class Span(NamedTuple):
    """Characters `start` to `end` of a text, counted from 0, the end not included."""

    start: int
    end: int


def find_words(wanted: str, text: str, *, whole_words: bool = False, same_case: bool = False) -> Span | None:
    """Return where the words stand, None where they do not, or where they are nothing but blanks.

    More than a thousand words and signs are looked for to the letter only: as a pattern they take too long.
    whole_words: they must not begin or end inside a word or a number.
    """
    for form in (wanted,) if wanted.isascii() else (wanted, normalize("NFC", wanted), normalize("NFD", wanted)):
        span = _find(form, text, whole_words=whole_words, same_case=same_case)
        if span is not None:
            return span
    return None


def is_whole(text: str, start: int, end: int) -> bool:
    """Say whether the characters from start to end do not begin or end inside a word or a number."""
    return not _splits(text, start) and not _splits(text, end)


def _find(wanted: str, text: str, *, whole_words: bool, same_case: bool) -> Span | None:
    exact = _to_the_letter(wanted, text, whole_words=whole_words)
    if exact is not None:
        return exact
    shapeless = _HAS_SHAPELESS.search(text) is not None
    tokens = _tokens(wanted)
    if len(tokens) > _MOST_TOKENS:
        return None
    if not tokens or not (shapeless or _may_stand(tokens, text)):
        return None
    pattern = _pattern(tokens, whole_words=whole_words, same_case=same_case, shapeless=shapeless)
    match = pattern.search(text)
    return None if match is None else Span(*match.span())


def _to_the_letter(wanted: str, text: str, *, whole_words: bool) -> Span | None:
    bare = wanted.strip()
    start = text.find(bare) if bare else -1
    while start >= 0:
        end = start + len(bare)
        if not whole_words or is_whole(text, start, end):
            return Span(start, end)
        start = text.find(bare, start + 1)
    return None


def _splits(text: str, at: int) -> bool:
    """Say whether a word or number goes on across a place of the text."""
    if at == 0 or at >= len(text):
        return False
    left, right = text[at - 1], text[at]
    if _is_word(left) and _is_word(right):
        return True
    if left in ".,":
        return right.isdigit() and text[at - 2 : at - 1].isdigit()
    return right in ".," and left.isdigit() and text[at + 1 : at + 2].isdigit()


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


@lru_cache(maxsize=1024)
def _tokens(wanted: str) -> tuple[str, ...]:
    return tuple(_TOKEN.findall(_DOTS.sub(_ELLIPSIS, _HAS_SHAPELESS.sub("", wanted))))


def _may_stand(tokens: tuple[str, ...], text: str) -> bool:
    """Say whether all words stand in the text in any order, which is quickly answered and mostly no."""
    lowered = text.lower()
    return all(token.lower() in lowered for token in tokens if token.isascii() and token.isalnum())


@lru_cache(maxsize=1024)
def _pattern(tokens: tuple[str, ...], *, whole_words: bool, same_case: bool, shapeless: bool) -> re.Pattern[str]:
    nothing = f"[{_SHAPELESS}]*" if shapeless else ""
    # Only where it is needed: a set of characters takes a millisecond to compile where case is ignored.
    blank = rf"[\s{_SHAPELESS}]" if shapeless else r"\s"
    parts = [_token_pattern(tokens[0], nothing)]
    for last, token in pairwise(tokens):
        both_words = _is_word(last[-1]) and _is_word(token[0])
        parts += [f"{blank}{'+' if both_words else '*'}", _token_pattern(token, nothing)]
    before = r"(?<!\w)(?<![0-9][.,])" if _is_word(tokens[0][0]) else ""
    after = r"(?!\w)(?![.,][0-9])" if _is_word(tokens[-1][-1]) else ""
    body = "".join(parts)
    return re.compile(before + body + after if whole_words else body, 0 if same_case else re.IGNORECASE)


def _token_pattern(token: str, nothing: str) -> str:
    if token[0] in _QUOTES:
        return f"[{_QUOTES}]{{1,2}}"
    if token[0] in _DASHES:
        return f"[{_DASHES}]{{1,3}}"
    if token == _ELLIPSIS:
        return r"(?:\u2026|\.\s?\.\s?\.)"
    return nothing.join(re.escape(character) for character in token) if nothing else re.escape(token)


_QUOTE_DASHES: Final = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"

_ELLIPSIS_FORMS: Final = r"(?:\u2026|\.{3,})"

_PLAIN_WRAP: Final = rf"[\s{re.escape(_QUOTES)}{_SHAPELESS}]|{_ELLIPSIS_FORMS}"

_WRAP: Final = re.compile(rf"(?:{_PLAIN_WRAP}|[\[(]\s*{_ELLIPSIS_FORMS}\s*[\])])*")

_WRAP_BACKWARDS: Final = re.compile(rf"(?:{_PLAIN_WRAP}|[\])]\s*{_ELLIPSIS_FORMS}\s*[\[(])*")

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


def unwrapped(quote: str) -> str:
    """Return a quote without the blanks, quotation marks and ellipses around it."""
    start = _end_of(_WRAP, quote)
    backwards = quote[: start - 1 if start else None : -1]
    return quote[start : len(quote) - _end_of(_WRAP_BACKWARDS, backwards)]


def _end_of(pattern: re.Pattern[str], text: str) -> int:
    match = pattern.match(text)
    return match.end() if match else 0


class _Folding(dict[int, str]):
    """Character -> its folded form, computed once."""

    def __missing__(self, code: int) -> str:
        folded = self[code] = _folded(chr(code))
        return folded


def _folded(character: str) -> str:
    if character in _SHAPELESS:
        return ""
    if character == "\u2026":
        return "..."
    # Decomposed, since a composed accent has no place of its own that an offset could name.
    plain = normalize("NFD", normalize("NFD", character).casefold())
    if plain in _QUOTES:
        return "'"
    return "-" if plain in _QUOTE_DASHES else plain


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
    """Return the first place of the needle that splits no character, as a span of the original text."""
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
    """Maps characters of a normal form to their places in the text.

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
        spans = [word.span() for word in _WORD.finditer(folded)]
        return cls([start for start, _ in spans], list(accumulate(end - start for start, end in spans)))

    def place(self, number: int) -> int:
        """Return where the character with this number, blanks not counted, stands in the folded text."""
        word = bisect_right(self.counts, number)
        return self.starts[word] + number - (self.counts[word - 1] if word else 0)
