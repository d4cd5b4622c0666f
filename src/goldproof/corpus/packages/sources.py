"""A source file as Python reads it: decoded by its coding line (UTF-8 by default), line ends as a newline.

Positions are characters of that text (what `tokenize.open(path).read()` gives, without a byte order mark). Lines are
counted as the parser counts them, by newlines alone: a form feed or a line separator inside a string ends no line.
"""

from __future__ import annotations

import tokenize
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path


class Part(NamedTuple):
    """Lines of a document. start: where they stand in the source, to the letter; None where they are not from it."""

    text: str
    start: int | None = None


@dataclass(frozen=True, slots=True)
class SourceFile:
    """The text of one file with the position at which each line starts."""

    path: Path
    relative: str
    text: str
    starts: tuple[int, ...]

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return start and end of the lines from first to last (from 1, both included), without the last newline."""
        start = self.starts[min(first, len(self.starts)) - 1]
        end = self.starts[last] - 1 if last < len(self.starts) else len(self.text)
        return start, max(start, end)

    def lines(self, first: int, last: int) -> str:
        """Return the text of the lines from first to last."""
        start, end = self.span(first, last)
        return self.text[start:end]

    def part(self, first: int, last: int) -> Part:
        """Return the lines from first to last with their place."""
        return Part(self.lines(first, last), self.span(first, last)[0])


def read_source(path: Path, *, relative: str) -> SourceFile:
    """Read a file; raises OSError, SyntaxError (an unknown coding) or UnicodeDecodeError."""
    with tokenize.open(path) as stream:
        text = stream.read()
    return SourceFile(path=path, relative=relative, text=text, starts=line_starts(text))


def line_starts(text: str) -> tuple[int, ...]:
    """Return where each line begins."""
    starts = [0]
    at = text.find("\n")
    while at != -1:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return tuple(starts)
