"""Find words in a text although they are not written exactly the same, and say where they stand.

Tolerated are: case; any blanks for any blanks; the many quotation marks, apostrophes and dashes for each other; blanks
before or after punctuation, which tokenised datasets add ("limit , or", "Person - centered"), but not inside a number;
characters without a shape (soft hyphens, zero-width blanks); accents as characters of their own. Words must be the same
words in the same order. A place where they stand to the letter is preferred; of several the first counts. For quotes
of a model, which may be long, `goldproof.text.quotes` takes less time.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
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
    found = pattern.search(text)
    return None if found is None else Span(*found.span())


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
