"""Where a file first differs from the lines that it should hold, byte for byte, line ends included.

Of a long line the part around the first character that differs is shown, of both the same part. What cannot be seen,
such as a carriage return, is shown as Python writes it.
"""

from __future__ import annotations

from itertools import takewhile, zip_longest
from typing import TYPE_CHECKING, NamedTuple

from goldproof.io.text_files import open_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_SHOWN = 100
_BEFORE = 40


class Difference(NamedTuple):
    """The line, and what it says and should say."""

    line: int
    said: str


def first_difference(path: Path, expected: Iterable[bytes]) -> Difference | None:
    """Return the first line that is not as expected; a piece may hold several lines, but always ends with one."""
    lines = (line + b"\n" for piece in expected for line in piece[:-1].split(b"\n"))
    with open_bytes(path) as stream:
        for number, (here, there) in enumerate(zip_longest(stream, lines), start=1):
            if here != there:
                return Difference(number, _said(here, there))
    return None


def _said(here: bytes | None, there: bytes | None) -> str:
    if here is None or there is None:
        return f"says {_shown(here)}, expected {_shown(there)}"
    if here.endswith(b"\n") and there.endswith(b"\n"):
        here, there = here[:-1], there[:-1]
    found, wanted = (line.decode("utf-8", "backslashreplace") for line in (here, there))
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(found, wanted, strict=False)))
    start = max(0, same - _BEFORE) if max(len(found), len(wanted)) > _SHOWN else 0
    return f"says {_part(found, start)}, expected {_part(wanted, start)}"


def _shown(line: bytes | None) -> str:
    return "nothing" if line is None else _part(line.removesuffix(b"\n").decode("utf-8", "backslashreplace"), 0)


def _part(text: str, start: int) -> str:
    """Return what can be shown of a line from a place on."""
    end = start + _SHOWN
    shown = "".join(c if c.isprintable() or c == "\t" else repr(c)[1:-1] for c in text[start:end])
    return ("..." if start else "") + (shown or "an empty line") + ("..." if end < len(text) else "")
