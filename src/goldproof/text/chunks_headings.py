"""Pieces by headings: Markdown (`# ...` and underlined) and reStructuredText (underlined, or over- and underlined).

A piece is a heading with all that stands below it up to the next heading of any level. What stands before the first
heading is a piece without a path; front matter (`---` or `+++` lines at the very top) one of its own. A line that looks
like a heading inside a fenced block is none. The path of a piece is its heading after those that it stands under.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from goldproof.text.chunks_pieces import Piece, TextLine, slug, text_lines
from goldproof.text.fenced_blocks import fenced_blocks

_ATX = re.compile(r" {0,3}(#{1,6})(?=[ \t])")
_CLOSING = re.compile(r"(?:^|[ \t])#+$")
_LONGEST = 1000  # a longer line is no heading
_SETEXT = re.compile(r" {0,3}(=+|-{2,})[ \t]*")
_NOT_A_PARAGRAPH = re.compile(r" {0,3}(?:[-*+>|]|\d+[.)]|#|```|~~~)|\s*$|(?: {4}|\t)")
_LINK = re.compile(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])")
_OWN_ID = re.compile(r"[ \t]*\{#([\w.:-]+)[^}]*\}[ \t]*$")
_RST_RULE = re.compile(r"([!-/:-@\[-`{-~])\1+[ \t]*")


class _Heading(NamedTuple):
    start: int
    level: int
    text: str
    name: str


def markdown_pieces(text: str) -> tuple[Piece, ...]:
    """Cut Markdown by its headings."""
    lines = text_lines(text)
    body = _front_matter_end(lines)
    begins = lines[body - 1].next if body else 0
    headings = _markdown_headings(text, lines[body:])
    front = (Piece(0, begins, "front matter", (), "front-matter"),) if body else ()
    return (*front, *_sections(headings, begins, len(text)))


def rst_pieces(text: str) -> tuple[Piece, ...]:
    """Cut reStructuredText by its section titles; the order in which kinds of underline appear gives the levels."""
    return _sections(_rst_headings(text_lines(text)), 0, len(text))


def _sections(headings: list[_Heading], begins: int, end: int) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    above: list[_Heading] = []
    ends = [heading.start for heading in headings[1:]] + [end]
    first = headings[0].start if headings else end
    if first > begins:
        pieces.append(Piece(begins, first, "text"))
    for heading, stop in zip(headings, ends, strict=True) if headings else ():
        above = [h for h in above if h.level < heading.level] + [heading]
        pieces.append(Piece(heading.start, stop, "section", tuple(h.text for h in above), heading.name))
    return tuple(pieces)


def _front_matter_end(lines: list[TextLine]) -> int:
    """Return the number of lines of the front matter, 0 where there is none."""
    if not lines or lines[0].text.rstrip() not in ("---", "+++"):
        return 0
    closing = {lines[0].text.rstrip()} | ({"..."} if lines[0].text.startswith("-") else set())
    return next((i for i, line in enumerate(lines[1:], start=2) if line.text.rstrip() in closing), 0)


def _markdown_headings(text: str, lines: list[TextLine]) -> list[_Heading]:
    fences = [(block.start, block.end) for block in fenced_blocks(text)]
    found: list[_Heading] = []
    position = 0
    for index, line in enumerate(lines):
        while position < len(fences) and fences[position][1] <= line.start:
            position += 1
        in_fence = position < len(fences) and fences[position][0] <= line.start
        if in_fence or len(line.text) > _LONGEST:
            continue
        heading = _atx(line) or _setext(line, lines[index - 1] if index else None)
        # The line above an underline was looked at as a line of its own, and is no heading by itself.
        if heading:
            found.append(heading)
    return found


def _atx(line: TextLine) -> _Heading | None:
    match = _ATX.match(line.text)
    written = _CLOSING.sub("", line.text[match.end() :].strip()).strip() if match else ""
    return _heading(line.start, len(match[1]), written) if match and written else None


def _setext(line: TextLine, above: TextLine | None) -> _Heading | None:
    match = _SETEXT.fullmatch(line.text)
    if match is None or above is None or len(above.text) > _LONGEST or _NOT_A_PARAGRAPH.match(above.text):
        return None
    return _heading(above.start, 1 if match[1][0] == "=" else 2, above.text)


def _heading(start: int, level: int, written: str) -> _Heading:
    written = " ".join(written.split())
    own = _OWN_ID.search(written)
    text = _LINK.sub(r"\1", _OWN_ID.sub("", written)).replace("`", "").strip()
    return _Heading(start, level, text, own[1] if own else slug(text))


def _rst_headings(lines: list[TextLine]) -> list[_Heading]:
    levels: dict[tuple[str, bool], int] = {}
    found: list[_Heading] = []
    for index in range(1, len(lines)):
        above, line = lines[index - 1], lines[index]
        if not _underlines(line, above):
            continue
        over = index >= 2 and lines[index - 2].text.rstrip() == line.text.rstrip()
        if not over and index >= 2 and lines[index - 2].text.strip() and not _RST_RULE.fullmatch(lines[index - 2].text):
            continue  # the last line of a paragraph
        level = levels.setdefault((line.text[0], over), len(levels) + 1)
        title = above.text.strip()
        found.append(_Heading(lines[index - 2].start if over else above.start, level, title, slug(title)))
    return found


def _underlines(line: TextLine, above: TextLine) -> bool:
    if not _RST_RULE.fullmatch(line.text) or not above.text.strip() or _RST_RULE.fullmatch(above.text):
        return False
    # Docutils wants the underline as long as the title; a title of wide characters is shorter than it looks.
    return len(line.text.rstrip()) >= max(3, len(above.text.rstrip()) - 1)
