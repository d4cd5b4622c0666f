"""How far a long reading is: one line on a terminal, rewritten in place; nothing where nobody watches."""

from __future__ import annotations

import sys
from typing import Self


class ProgressLine:
    """A line on stderr, if that is a terminal; it is cleared at the end."""

    def __init__(self) -> None:
        self._watched = sys.stderr.isatty()
        self._width = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Clear the line, so that an error does not begin in the middle of it."""
        if self._width:
            self._write("")

    def _write(self, line: str) -> None:
        if self._watched:
            sys.stderr.write(f"\r{line.ljust(self._width)}" + ("" if line else "\r"))
            sys.stderr.flush()
            self._width = len(line)


class ReadingProgress(ProgressLine):
    """Shows how many conversations of a file of traces have been read."""

    def __call__(self, name: str, conversations: int, results: int) -> None:
        """Rewrite the line."""
        self._write(f"{name}: {conversations:,} conversations, {results:,} results read")


class RecordProgress(ProgressLine):
    """Shows how many records of a source have been read."""

    def __call__(self, name: str, records: int) -> None:
        """Rewrite the line."""
        self._write(f"{name}: {records:,} records read")
