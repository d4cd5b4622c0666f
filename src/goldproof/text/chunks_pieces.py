"""A piece of a source as its own structure gives it, and the lines of a source.

Lines end with a line feed, a carriage return or both, and with nothing else: that is how Python counts the lines of a
program, and editors those of a file.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_BLANK_LINES = re.compile(r"\s*(?:\r\n|\r|\n)")
_WORD = re.compile(r"\w+")
_NAME_WORDS = 6


class Piece(NamedTuple):
    """Characters `start` to `end`; path: headings or symbols; name: what an id is made of (empty: the file itself)."""

    start: int
    end: int
    kind: str
    path: tuple[str, ...] = ()
    name: str = ""


class TextLine(NamedTuple):
    """One line without its end, and where the next one begins."""

    start: int
    next: int
    text: str


def text_lines(text: str) -> list[TextLine]:
    """Return the lines of a text."""
    return [TextLine(m.start(), m.end(), m[0].rstrip("\r\n")) for m in _LINE.finditer(text)]


class LineNumbers:
    """The line, counted from 1, on which a character stands."""

    def __init__(self, text: str) -> None:
        self._starts = [match.start() for match in _LINE.finditer(text)]

    def __call__(self, at: int) -> int:
        """Return the line of the character at a position."""
        return max(1, bisect_right(self._starts, at))


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span less blank lines before and blanks after; (start, start) where nothing else is left."""
    while end > start and text[end - 1].isspace():
        end -= 1
    blank = _BLANK_LINES.match(text, start, end)
    while blank:
        start = blank.end()
        blank = _BLANK_LINES.match(text, start, end)
    return start, end


def slug(heading: str) -> str:
    """Return the text as an anchor: lower case, words joined by hyphens; "section" where no word is left."""
    kept = re.sub(r"[^\w\-\s]", "", heading.casefold().strip())
    return re.sub(r"\s+", "-", kept).strip("-") or "section"


def first_words(text: str, start: int, end: int) -> str:
    """Return a name for a span that has none of its own: the first words of it."""
    words: list[str] = []
    for match in _WORD.finditer(text, start, end):
        words.append(match[0].casefold())
        if len(words) == _NAME_WORDS:
            break
    return "-".join(words)[:60] or "section"
