"""Pieces of code in any language: blocks of lines that begin at the left margin after a blank line.

A block that goes on after a blank line goes on indented, or with a closing bracket or word. Blocks without a definition
of their own that are short (imports, a comment above a function) are joined to the block after them. A piece is named
after the function or class that it defines (`goldproof.text.symbols`: by the form of definitions, so it can be fooled),
else after its first words.
"""

from __future__ import annotations

import re

from goldproof.text.chunks_pieces import Piece, first_words, text_lines
from goldproof.text.symbols import enclosing_symbol

_GOES_ON = re.compile(r"\s|[)\]}>]|(?:end|else|elif|elsif|fi|done|esac|catch|finally|rescue|ensure)\b")
_SHORT = 8


def code_pieces(text: str, language: str, *, size: int) -> tuple[Piece, ...]:
    """Cut code by its blocks."""
    pieces: list[Piece] = []
    start = 0
    bounds = [*_block_starts(text), len(text)]
    for index, end in enumerate(bounds):
        symbol = enclosing_symbol(text[start:end], language) if start < end else None
        following = bounds[index + 1] if index + 1 < len(bounds) else None
        short = end - start < size // _SHORT and following is not None and following - start <= size
        if start == end or (symbol is None and short):
            continue
        if symbol is None:
            pieces.append(Piece(start, end, "block", (), first_words(text, start, end)))
        else:
            pieces.append(Piece(start, end, symbol.kind, (symbol.name,), symbol.name))
        start = end
    return tuple(pieces)


def _block_starts(text: str) -> list[int]:
    """Return where blocks begin, but for the first."""
    starts: list[int] = []
    blank = False
    for line in text_lines(text):
        if not line.text.strip():
            blank = True
            continue
        if blank and line.start and not _GOES_ON.match(line.text):
            starts.append(line.start)
        blank = False
    return starts
