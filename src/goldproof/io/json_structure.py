"""Where the brackets of a JSON text stand and how deep they lead, found in pieces of any size with flat memory.

A bracket inside a string is none. A string begins and ends at a quote that no backslash escapes, so a piece is scanned
as a whole: quotes and brackets by value, then each bracket counts if an even number of quotes stands before it. The
kinds of brackets are not matched against each other: who parses the text between them will see that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from goldproof.core.arrays import BoolArray, IntArray

_QUOTE = ord('"')
_CASE = 0x20  # "[" and "{" differ in this bit alone, as do "]" and "}"
_OPENS, _CLOSES = ord("{"), ord("}")


class Brackets(NamedTuple):
    """A piece of text and its brackets: where they stand, which of them open, and the depth after each."""

    text: bytes
    at: IntArray
    opens: BoolArray
    depth: IntArray


def scan_brackets(pieces: Iterable[bytes]) -> Iterator[Brackets]:
    """Yield the pieces, cut so that no escape is torn apart, with their brackets."""
    depth, in_string = 0, False
    for text in _whole_escapes(pieces):
        codes = np.frombuffer(_without_escapes(text), dtype=np.uint8)
        quotes = np.flatnonzero(codes == _QUOTE)
        folded = codes | _CASE
        at = np.flatnonzero((folded == _OPENS) | (folded == _CLOSES))
        at = at[(np.searchsorted(quotes, at) + in_string) % 2 == 0]
        opens = folded[at] == _OPENS
        depths = depth + np.cumsum(np.where(opens, 1, -1))
        depth = int(depths[-1]) if len(depths) else depth
        in_string = (len(quotes) + in_string) % 2 == 1
        yield Brackets(text, at, opens, depths)


def _without_escapes(text: bytes) -> bytes:
    """Blank out escaped backslashes, then escaped quotes; the length stays."""
    return text.replace(b"\\\\", b"  ").replace(b'\\"', b"  ") if b"\\" in text else text


def _whole_escapes(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Move a backslash whose partner comes with the next piece to that piece."""
    held = b""
    for piece in pieces:
        text = held + piece
        torn = (len(text) - len(text.rstrip(b"\\"))) % 2
        held = text[len(text) - torn :]
        if text := text[: len(text) - torn]:
            yield text
    if held:
        yield held
