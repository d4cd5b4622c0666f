"""Sections of code files, between two marked lines:

    # --8<-- [start:NAME]
    ...
    # --8<-- [end:NAME]

The marks stand on lines of their own, at any indentation, behind any sign for a comment (`//`, `--`, `<!-- -->`, none).
Marks of other sections that stand inside are dropped. The text is moved to the left as far as it goes, and blank lines
around it are dropped.
"""

from __future__ import annotations

import re
import textwrap
from difflib import get_close_matches
from typing import NamedTuple

from goldproof.io.cases.fields import BadCaseError

_MARK = re.compile(
    r"\s*(?:(?:[^\w\s'\"]{1,4}|rem)\s*)??-+8<-+\s*\[\s*(start|end)\s*:\s*([^\]\s]+)\s*\]\s*(?:[^\w\s'\"]{1,3})?\s*",
    re.IGNORECASE,
)


class _Mark(NamedTuple):
    row: int
    starts: bool
    name: str


def section_of(text: str, name: str) -> str:
    """Return the text of a section."""
    lines = _lines(text)
    marks = _marks(lines)
    starts = [mark.row for mark in marks if mark.starts and mark.name == name]
    if not starts:
        raise BadCaseError(_missing(name, [mark.name for mark in marks if mark.starts]))
    if len(starts) > 1:
        raise BadCaseError(f"its section {name!r} begins twice there, in lines {starts[0] + 1} and {starts[1] + 1}")
    ends = [mark.row for mark in marks if not mark.starts and mark.name == name and mark.row > starts[0]]
    if not ends:
        raise BadCaseError(f"its section {name!r} begins in line {starts[0] + 1} there and has no end")
    return _tidy(lines[starts[0] + 1 : ends[0]])


def first_row_of(text: str, name: str) -> int | None:
    """Return how many lines of a file stand before a section, None where it has no such section."""
    rows = (mark.row for mark in _marks(_lines(text)) if mark.starts and mark.name == name)
    return next(rows, None)


def without_marks(text: str) -> str:
    """Return a whole file without the marks of its sections."""
    return _tidy(_lines(text))


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").split("\n")  # not splitlines: a form feed does not end a line of code


def _marks(lines: list[str]) -> list[_Mark]:
    found = ((row, _mark(line)) for row, line in enumerate(lines))
    return [_Mark(row, mark[1].lower() == "start", mark[2]) for row, mark in found if mark]


def _mark(line: str) -> re.Match[str] | None:
    return _MARK.fullmatch(line) if "8<-" in line else None


def _tidy(lines: list[str]) -> str:
    kept = [line for line in lines if _mark(line) is None]
    return textwrap.dedent("\n".join(kept)).strip("\n").rstrip()


def _missing(name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, n=3, cutoff=0.6) or list(dict.fromkeys(known))[:5]
    listed = f"; it has {', '.join(map(repr, near))}" if near else "; it has none"
    return f"its section {name!r} is not there{listed}"
