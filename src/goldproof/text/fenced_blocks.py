"""Fenced code blocks in Markdown prose: where they stand, and what is left without them.

A fence is a line of at least three backticks or tildes, however far indented; it is closed by a line with at least as
many of the same and nothing else, or by the end of the text. A line of backticks that has a backtick in what follows
them is inline code, not a fence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_FENCE = re.compile(r"[ \t]*(?:>[ \t]?)*(?:[-*+] +|\d+[.)] +)?(`{3,}|~{3,})[ \t]*([^\n]*)")


@dataclass(frozen=True, slots=True)
class FencedBlock:
    """`code` between two fences; `info` is what follows the opening one ("python", "12:40:src/app.py").

    start, end: the whole block in the text, fences included.
    """

    info: str
    code: str
    start: int
    end: int


def fenced_blocks(text: str) -> tuple[FencedBlock, ...]:
    """Return the fenced blocks of a text in order."""
    blocks: list[FencedBlock] = []
    opened: re.Match[str] | None = None
    start = code_start = position = 0
    for line in text.splitlines(keepends=True):
        fence = _FENCE.fullmatch(line.rstrip("\r\n"))
        if opened is None and fence and not (fence[1][0] == "`" and "`" in fence[2]):
            opened, start, code_start = fence, position, position + len(line)
        elif opened is not None and fence and _closes(fence, opened):
            blocks.append(FencedBlock(opened[2].strip(), text[code_start:position], start, position + len(line)))
            opened = None
        position += len(line)
    if opened is not None:
        blocks.append(FencedBlock(opened[2].strip(), text[code_start:], start, len(text)))
    return tuple(blocks)


def without_fenced_blocks(text: str, *, keep_info: bool = False) -> str:
    """Return the prose around the blocks; with `keep_info` what followed an opening fence stands in a block's place."""
    parts: list[str] = []
    position = 0
    for block in fenced_blocks(text):
        parts += [text[position : block.start], f"{block.info}\n" if keep_info else "\n"]
        position = block.end
    return "".join([*parts, text[position:]])


def _closes(fence: re.Match[str], opened: re.Match[str]) -> bool:
    return fence[1][0] == opened[1][0] and len(fence[1]) >= len(opened[1]) and not fence[2].strip()
