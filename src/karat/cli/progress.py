"""How far a long reading is: one line on a terminal, rewritten in place; nothing where nobody watches."""

from __future__ import annotations

import sys
from typing import Self


class ReadingProgress:
    """Shows what has been read so far, on stderr if that is a terminal."""

    def __init__(self) -> None:
        self._watched = sys.stderr.isatty()
        self._width = 0

    def __call__(self, name: str, conversations: int, results: int) -> None:
        """Rewrite the line."""
        self._write(f"{name}: {conversations:,} conversations, {results:,} results read")

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
