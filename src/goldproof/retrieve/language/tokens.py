"""The text of a pipeline cut into tokens, and the error that points into it.

Tokens are words (letters, digits and `_ . / : @ + - % ~`), addresses (`https://...` up to a blank, comma, bar, bracket
or quote), quoted text (`"..."` or `'...'`; a quote within is doubled; a backslash is a backslash) and the marks
`| ( ) [ ] , =`. Blanks and line breaks between them mean nothing. Places are counted from 1 in messages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from goldproof.errors import InputError
from goldproof.retrieve.language.expression import URL, WORD, without_query

if TYPE_CHECKING:
    from collections.abc import Iterator

TokenKind: TypeAlias = Literal["word", "text", "mark", "end"]
_MARKS = "|()[],="
_QUOTES = "\"'"
_CURLED = "\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}\N{LEFT SINGLE QUOTATION MARK}"
_WIDTH = 100
# In quotes up to the quote; else up to where an address ends.
_ADDRESS = re.compile(rf"(?<=\")https?://[^\"\n]*|(?<=')https?://[^'\n]*|{URL.pattern}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Token:
    """One token; `at` counts from 0. Of quoted text, `text` is what it means."""

    kind: TokenKind
    text: str
    at: int

    def __str__(self) -> str:
        """How a message names it."""
        if self.kind == "end":
            return "the end"
        return f"the quoted text {self.shown!r}" if self.kind == "text" else repr(self.shown)

    @property
    def shown(self) -> str:
        """The text for a message: of an address without its query."""
        return without_query(self.text)


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens, then one of the kind "end"."""
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        found, at = _token(text, at)
        yield found
    yield Token("end", "", len(text.rstrip()))


def wrong(text: str, at: int, problem: str) -> InputError:
    """Return the error for a problem at a place of a pipeline; the caller raises it."""
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    text = _ADDRESS.sub(_masked, text)
    line = text[start : len(text) if end < 0 else end].replace("\t", " ").rstrip("\r")
    column = at - start
    cut = max(0, column - _WIDTH // 2)
    before, after = "..." if cut else "", "..." if len(line) > cut + _WIDTH else ""
    shown = f"{before}{line[cut : cut + _WIDTH]}{after}"
    return InputError(f"pipeline: {problem}\n  {shown}\n  {' ' * (len(before) + column - cut)}^")


def _masked(address: re.Match[str]) -> str:
    """Hide the query of an address, which may hold a key; what follows keeps its place."""
    shown = without_query(address[0])
    return shown + "*" * (len(address[0]) - len(shown))


def _token(text: str, at: int) -> tuple[Token, int]:
    if text[at] in _QUOTES:
        return _quoted(text, at)
    word = URL.match(text, at) or WORD.match(text, at)
    if word:
        return Token("word", word[0], at), word.end()
    if text[at] in _MARKS:
        return Token("mark", text[at], at), at + 1
    raise wrong(text, at, _stray(text, at))


def _quoted(text: str, at: int) -> tuple[Token, int]:
    quote = text[at]
    end = text.find(quote, at + 1)
    while end >= 0 and text.startswith(quote, end + 1):
        end = text.find(quote, end + 2)
    if end < 0:
        raise wrong(text, at, f"the quote opened at {at + 1} is never closed.")
    return Token("text", text[at + 1 : end].replace(quote * 2, quote), at), end + 1


def _stray(text: str, at: int) -> str:
    mark = text[at]
    if mark == "<":
        return "found '<': a pipeline printed with a Python object in it cannot be read back; name it as module:object."
    if mark == "\\":
        return "found '\\': a path with backslashes needs quotes, such as run(\"C:\\runs\\bm25.trec\")."
    if mark in _CURLED:
        return f"found {mark!r}; quotes are straight here: \" or '."
    return f"found {mark!r}, which means nothing here; text that holds it needs quotes."
