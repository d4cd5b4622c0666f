"""Cut a source into chunks: pieces by structure, then parts by size.

A source is first cut into pieces by its own structure (`by`), then a piece longer than `size` characters into parts:

    auto      Markdown and reStructuredText by headings, code by symbols, other text by paragraphs
    headings  by headings where the format has them, all else by size
    symbols   by functions, classes and methods where it is code, all else by size
    size      windows of at most `size` characters
    file      the whole file, however long

Every character of the source that is not blank stands in a chunk, and in one only unless parts overlap. A chunk begins
with a whole line (its indentation stays) and does not end in blanks. It is never longer than `size`, except by `file`.
Line ends are kept as they are.

A part ends at the best place that fits. Best is the end of a paragraph (a blank line), then in prose the end of a
sentence, in code the end of a line, then the other of the two, then a blank, and where there is none, as in a long
number, the last character that fits. A place counts where the part is then at least a quarter full. Places inside a
fenced block count only where no other does.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from goldproof.errors import InputError, UnknownNameError
from goldproof.text.chunk_boundaries import (
    Piece,
    code_pieces,
    markdown_pieces,
    paragraph_pieces,
    python_pieces,
    rst_pieces,
    trimmed,
)
from goldproof.text.code_blocks import fenced_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    """Return the spans of fenced blocks, in which a cut is avoided."""
    if language != "markdown" or not re.search("```|~~~", text):
        return ()
    return tuple((block.start, block.end) for block in fenced_blocks(text))


Spans = tuple[tuple[int, int], ...]

_PARAGRAPH = re.compile(r"(?:\r\n|\r|\n)[^\S\r\n]*(?:\r\n|\r|\n)")

_LINE = re.compile(r"\r\n|\r|\n")

_SENTENCE = re.compile(r"[.!?。！？][\"')\]»”’]*(?=\s)|[。！？]")  # noqa: RUF001 - full stops of other scripts

_BLANK = re.compile(r"\s")

_BLANK_LINES = re.compile(r"\s*(?:\r\n|\r|\n)")

_WORD_START = re.compile(r"(?<=\s)\S")

_IN_PROSE = (_PARAGRAPH, _SENTENCE, _LINE, _BLANK)

_IN_CODE = (_PARAGRAPH, _LINE, _SENTENCE, _BLANK)


def split_span(
    text: str, span: tuple[int, int], *, size: int, overlap: int = 0, prose: bool = True, protected: Spans = ()
) -> Spans:
    """Return the parts of a span, none longer than size; the span itself where it fits."""
    start, end = span
    parts: list[tuple[int, int]] = []
    patterns = _IN_PROSE if prose else _IN_CODE
    while end - start > size:
        cut = _cut(text, start, size=size, least=max(size // 4, overlap + 1), patterns=patterns, protected=protected)
        parts.append((start, _without_blanks_after(text, start, cut)))
        start = _next_start(text, cut, overlap=overlap, end=end)
    # A part may be nothing but a very long indentation.
    return tuple((low, high) for low, high in (*parts, (start, end)) if low < high)


def _cut(
    text: str, start: int, *, size: int, least: int, patterns: tuple[re.Pattern[str], ...], protected: Spans
) -> int:
    """Return the end of the part that begins at start."""
    first = max(0, bisect_left(protected, (start,)) - 1)
    inside = [block for block in protected[first : bisect_left(protected, (start + size,))] if block[1] > start]
    for free in (inside, []) if inside else ([],):
        for pattern in patterns:
            places = [p for p in _places(pattern, text, start + least, start + size) if not _within(p, free)]
            if places:
                return places[-1]
    hard = start + size
    return hard - 1 if text[hard - 1 : hard + 1] == "\r\n" else hard


def _places(pattern: re.Pattern[str], text: str, low: int, high: int) -> Iterator[int]:
    """Yield the places right after a match, from low to high."""
    # A match may begin before low and a part may end right before a blank, which is dropped: look one further.
    for match in pattern.finditer(text, max(0, low - 4), high + 1):
        place = min(match.end(), high) if match[0].isspace() else match.end()
        if low <= place <= high:
            yield place


def _within(place: int, blocks: list[tuple[int, int]]) -> bool:
    return any(low < place < high for low, high in blocks)


def _without_blanks_after(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1].isspace():
        end -= 1
    return end


def _next_start(text: str, cut: int, *, overlap: int, end: int) -> int:
    """Return where the next part begins: at the cut, or at the first word of the last `overlap` characters before."""
    begins = _WORD_START.search(text, cut - overlap, cut) if overlap else None
    start = begins.start() if begins else cut
    blank_lines = _BLANK_LINES.match(text, start, end)
    if blank_lines:
        return blank_lines.end()  # the indentation of a line stays with it
    return start if _at_line_start(text, start) else _skip_blanks(text, start, end)


def _skip_blanks(text: str, start: int, end: int) -> int:
    while start < end and text[start].isspace():
        start += 1
    return start


def _at_line_start(text: str, at: int) -> bool:
    return at == 0 or text[at - 1] in "\r\n"
