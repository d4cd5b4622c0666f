"""Cutting a source into chunks: spans of its characters, never copies that somebody has rewritten.

A source is first cut into pieces by its own structure (`by`), then a piece longer than `size` characters into parts:

    auto      Markdown and reStructuredText by headings, code by symbols, other text by paragraphs
    headings  by headings where the format has them, all else by size
    symbols   by functions, classes and methods where it is code, all else by size
    size      windows of at most `size` characters
    file      the whole file, however long

Every character of the source that is not blank stands in a chunk, and in one only unless parts overlap. A chunk begins
with a whole line (its indentation stays) and does not end in blanks. It is never longer than `size`, except by `file`.
Line ends are kept as they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from goldproof.core.errors import InputError, UnknownNameError
from goldproof.text.chunks_code import code_pieces
from goldproof.text.chunks_headings import markdown_pieces, rst_pieces
from goldproof.text.chunks_paragraphs import paragraph_pieces
from goldproof.text.chunks_pieces import Piece, trimmed
from goldproof.text.chunks_python import python_pieces
from goldproof.text.chunks_size import split_span
from goldproof.text.fenced_blocks import fenced_blocks

By = Literal["auto", "headings", "symbols", "size", "file"]
DEFAULT_SIZE = 1500
LEAST_SIZE = 50
PROSE = ("markdown", "rst", "text")


@dataclass(frozen=True, slots=True)
class Cutting:
    """How sources are cut; overlap: characters that a part repeats of the part before it, at most half of size."""

    size: int = DEFAULT_SIZE
    overlap: int = 0
    by: By = "auto"

    def __post_init__(self) -> None:
        if self.by not in get_args(By):
            raise UnknownNameError("way of cutting (by)", str(self.by), get_args(By))
        if self.size < LEAST_SIZE:
            raise InputError(f"size={self.size} is too small for a chunk; expected at least {LEAST_SIZE} characters.")
        if not 0 <= self.overlap <= self.size // 2:
            raise InputError(f"overlap={self.overlap} does not fit; expected 0 to {self.size // 2}, half of the size.")


class Chunk(NamedTuple):
    """Characters `start` to `end` of a source.

    path: the headings, or the names of the symbols, that lead there. part: 1, 2, ... within a piece that was too long.
    """

    start: int
    end: int
    kind: str
    path: tuple[str, ...] = ()
    name: str = ""
    part: int = 1


def cut_source(text: str, language: str = "text", *, cutting: Cutting | None = None) -> tuple[Chunk, ...]:
    """Cut a source, in its order; language: a name of `goldproof.text.languages`."""
    how = cutting or Cutting()
    protected = _protected(text, language)
    chunks: list[Chunk] = []
    for piece in _pieces(text, language, how):
        start, end = trimmed(text, piece.start, piece.end)
        if start == end:
            continue
        if how.by == "file":
            chunks.append(Chunk(start, end, piece.kind, piece.path, piece.name))
            continue
        spans = split_span(
            text, (start, end), size=how.size, overlap=how.overlap, prose=language in PROSE, protected=protected
        )
        chunks += [Chunk(*span, piece.kind, piece.path, piece.name, n) for n, span in enumerate(spans, start=1)]
    return tuple(chunks)


def _pieces(text: str, language: str, how: Cutting) -> tuple[Piece, ...]:
    has_headings = language in ("markdown", "rst")
    if how.by in ("auto", "headings") and has_headings:
        return markdown_pieces(text) if language == "markdown" else rst_pieces(text)
    if how.by in ("auto", "symbols") and language not in PROSE:
        parsed = python_pieces(text) if language == "python" else None
        return code_pieces(text, language, size=how.size) if parsed is None else parsed
    if how.by == "auto":
        return paragraph_pieces(text, size=how.size)
    return (Piece(0, len(text), "file" if how.by == "file" else "window"),)


def _protected(text: str, language: str) -> tuple[tuple[int, int], ...]:
    """Return where a cut is bad style: inside a fenced block."""
    if language != "markdown" or not re.search("```|~~~", text):
        return ()
    return tuple((block.start, block.end) for block in fenced_blocks(text))
