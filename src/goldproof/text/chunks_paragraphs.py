"""Pieces by paragraphs: text between blank lines.

A paragraph too short to be found by itself (a title, a date) is joined to those after it, until together they are long
enough or would not fit. Wherever a paragraph is long enough a piece ends, so a change of the text moves the borders
around it and no others. A piece is named after its first words.
"""

from __future__ import annotations

import re

from goldproof.text.chunks_pieces import Piece, first_words

_BREAK = re.compile(r"(?:\r\n|\r|\n)(?:[^\S\r\n]*(?:\r\n|\r|\n))+")
_SHORT = 8  # a paragraph is short below this part of the size


def paragraph_pieces(text: str, *, size: int) -> tuple[Piece, ...]:
    """Cut text by paragraphs."""
    pieces: list[Piece] = []
    start = 0
    ends = [match.end() for match in _BREAK.finditer(text)]
    bounds = [*ends, len(text)] if not ends or ends[-1] < len(text) else ends
    for index, end in enumerate(bounds):
        following = bounds[index + 1] if index + 1 < len(bounds) else None
        joined = following is not None and end - start < size // _SHORT and following - start <= size
        if not joined and start < end:
            pieces.append(Piece(start, end, "paragraph", (), first_words(text, start, end)))
            start = end
    return tuple(pieces)
