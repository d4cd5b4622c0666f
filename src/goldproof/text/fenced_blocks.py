"""Fenced code blocks in Markdown prose: where they stand, and what is left without them; HTML comments around them.

A fence is a line of at least three backticks or tildes, however far indented; it is closed by a line with at least as
many of the same and nothing else, or by the end of the text. A line of backticks that has a backtick in what follows
them is inline code, not a fence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_FENCE = re.compile(r"([ \t]*(?:>[ \t]?)*(?:[-*+] +|\d+[.)] +)?)(`{3,}|~{3,})[ \t]*([^\n]*)")
_QUOTED = re.compile(r"[ \t]*>[ \t]?")
_TAB = 4


@dataclass(frozen=True, slots=True)
class FencedBlock:
    """`code` between two fences; `info` is what follows the opening one ("python", "12:40:src/app.py").

    start, end: the whole block in the text, fences included. margin: what stands before the opening fence: blanks, a
    list's mark, quotation marks.
    """

    info: str
    code: str
    start: int
    end: int
    margin: str = ""

    @property
    def own_code(self) -> str:
        """The code without the indentation or quotation marks that it has for standing in a list or a quotation."""
        depth, width = self.margin.count(">"), _width(self.margin.rpartition(">")[2])
        if not depth and not width:
            return self.code
        return "".join(_without_margin(line, depth, width) for line in self.code.splitlines(keepends=True))


def fenced_blocks(text: str) -> tuple[FencedBlock, ...]:
    """Return the fenced blocks of a text in order."""
    blocks: list[FencedBlock] = []
    opened: re.Match[str] | None = None
    start = code_start = position = 0
    for line in text.splitlines(keepends=True):
        fence = _FENCE.fullmatch(line.rstrip("\r\n"))
        if opened is None and fence and _opens(fence):
            opened, start, code_start = fence, position, position + len(line)
        elif opened is not None and fence and _closes(fence, opened):
            end = position + len(line)
            blocks.append(FencedBlock(opened[3].strip(), text[code_start:position], start, end, margin=opened[1]))
            opened = None
        position += len(line)
    if opened is not None:
        blocks.append(FencedBlock(opened[3].strip(), text[code_start:], start, len(text), margin=opened[1]))
    return tuple(blocks)


def without_fenced_blocks(text: str, *, keep_info: bool = False) -> str:
    """Return the prose around the blocks; with `keep_info` what followed an opening fence stands in a block's place."""
    parts: list[str] = []
    position = 0
    for block in fenced_blocks(text):
        parts += [text[position : block.start], f"{block.info}\n" if keep_info else "\n"]
        position = block.end
    return "".join([*parts, text[position:]])


def without_html_comments(text: str) -> str:
    """Return the text without `<!-- ... -->`, and without fences in there; in code such a comment stays.

    A comment that is never closed runs to the end.
    """
    kept: list[str] = []
    opened: re.Match[str] | None = None
    hidden = False
    for line in text.splitlines(keepends=True):
        shown = line
        if opened is None:
            shown, hidden = _visible(line, hidden=hidden)
        fence = _FENCE.fullmatch(shown.rstrip("\r\n"))
        if fence and opened is None:
            opened = fence if _opens(fence) else None
        elif fence and opened is not None and _closes(fence, opened):
            opened = None
        kept.append(shown)
    return "".join(kept)


def _visible(line: str, *, hidden: bool) -> tuple[str, bool]:
    """Return what a line shows, and whether a comment goes on after it; hidden: whether it begins in one."""
    parts: list[str] = []
    position = 0
    while True:
        if hidden:
            end = line.find("-->", position)
            if end < 0:
                return "".join(parts), True
            position = end + len("-->")
        start = line.find("<!--", position)
        while start >= 0 and line.count("`", 0, start) % 2:  # inside of inline code
            start = line.find("<!--", start + 1)
        if start < 0:
            return "".join([*parts, line[position:]]), False
        parts.append(line[position:start])
        position, hidden = start + len("<!--"), True


def _opens(fence: re.Match[str]) -> bool:
    return not (fence[2][0] == "`" and "`" in fence[3])


def _closes(fence: re.Match[str], opened: re.Match[str]) -> bool:
    return fence[2][0] == opened[2][0] and len(fence[2]) >= len(opened[2]) and not fence[3].strip()


def _width(margin: str) -> int:
    return sum(_TAB if mark == "\t" else 1 for mark in margin)


def _without_margin(line: str, depth: int, width: int) -> str:
    """Cut quotation marks up to a depth, then blanks up to a width; never anything else."""
    for _ in range(depth):
        line = _QUOTED.sub("", line, count=1) if _QUOTED.match(line) else line
    while width > 0 and line[:1] in (" ", "\t"):
        width -= _width(line[0])
        line = line[1:]
    return line
