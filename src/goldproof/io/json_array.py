"""The elements of a JSON array, one after the other, however large the array is.

Objects and lists are found by their brackets (`goldproof.io.json_structure`); what stands between two of them is a
comma, as a rule, and else is cut at its commas. Each element comes as its text, not yet parsed, so that a damaged one
costs no other. Memory: one piece and the element in hand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from goldproof.io.json_structure import scan_brackets

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from goldproof.io.complaints import Complaints
    from goldproof.io.json_structure import Brackets

_COMMAS = (b",", b", ", b",\n")
_PLAIN_BYTES = 16 << 20  # more without any object or list is no file of records
_STRING_OR_COMMA = re.compile(rb'"(?:[^"\\]|\\.)*"?|,', re.DOTALL)
CUT_OFF = "Copy or download the file again; it is incomplete."


class Element(NamedTuple):
    """The text of one element, its number from 1, and the line where it begins."""

    number: int
    line: int
    text: bytes


def array_elements(
    pieces: Iterable[bytes], complaints: Complaints, *, line: int = 1, whole: bool = True
) -> Iterator[Element]:
    """Yield the elements of the array whose opening bracket is the last byte before the pieces, on `line`.

    whole: nothing may come after the array; otherwise reading stops at its closing bracket.
    """
    state = _Reading(complaints, line=line)
    scanned = scan_brackets(pieces)
    for brackets in scanned:
        yield from state.elements(brackets)
        if state.closed:
            if whole:
                state.check_rest(later.text for later in scanned)
            return
    raise complaints.fatal(
        f"the JSON array is cut off: after {state.count} elements the file ends, and no bracket closes the array.",
        line=state.line,
        hint=CUT_OFF,
    )


@dataclass(slots=True)
class _Reading:
    """Where reading stands: `held` is the text since the last cut, inside an element or between two."""

    complaints: Complaints
    line: int
    count: int = 0
    inside: bool = False
    after_element: bool = False
    closed: bool = False
    held: list[bytes] = field(default_factory=list)

    def elements(self, brackets: Brackets) -> Iterator[Element]:
        """Yield the elements that end in a piece."""
        text, start = brackets.text, 0
        cuts, end = _cuts(brackets)
        for cut in cuts:
            piece = self._piece(text[start:cut])
            start = cut
            if self.inside:
                self.count += 1
                yield Element(self.count, self.line, piece)
                self.after_element = True
            elif not (self.after_element and piece in _COMMAS):
                yield from self._between(piece, before_element=True)
            self.line += piece.count(b"\n")
            self.inside = not self.inside
        self._hold(text[start:end])
        if end is not None:
            piece = self._piece(b"")
            yield from self._between(piece, before_element=False)
            self.line += piece.count(b"\n")
            self.held = [text[end + 1 :]]
            self.closed = True

    def check_rest(self, pieces: Iterable[bytes]) -> None:
        """Refuse what comes after the array."""
        for piece in chain(self.held, pieces):
            if rest := piece.strip():
                shown = rest[:20].decode("utf-8", "replace")
                raise self.complaints.fatal(
                    f"the JSON array ends after {self.count} elements, but the file goes on with {shown!r}.",
                    line=self.line + piece[: piece.index(rest[:1])].count(b"\n"),
                    hint="Keep one array, or write one JSON object per line.",
                )
            self.line += piece.count(b"\n")

    def _piece(self, text: bytes) -> bytes:
        if self.held:
            text = b"".join((*self.held, text))
            self.held.clear()
        return text

    def _hold(self, text: bytes) -> None:
        self.held.append(text)
        if not self.inside and sum(map(len, self.held)) > _PLAIN_BYTES:
            raise self.complaints.fatal(
                f"the JSON array holds no object in {_PLAIN_BYTES >> 20} MB, expected an array of objects.",
                line=self.line,
            )

    def _between(self, text: bytes, *, before_element: bool) -> Iterator[Element]:
        """Yield the plain values (numbers, texts, ...) between two elements, or complain of what is none."""
        parts = _parts(text)
        if parts == [b""] and not (self.after_element and before_element):
            return
        inner = parts[int(self.after_element) : len(parts) - before_element]
        stray = [*(parts[:1] if self.after_element else []), *(parts[-1:] if before_element else [])]
        if any(stray) or len(parts) < self.after_element + before_element:
            found = text.strip()[:40].decode("utf-8", "replace")
            problem = f"no comma after element {self.count} of the array{f', but {found!r}' if found else ''}."
            self.complaints.add(problem, line=self.line, hint="Put one comma, and nothing else, between two elements.")
        for part in inner:
            self.count += 1
            yield Element(self.count, self.line, part)


def _cuts(brackets: Brackets) -> tuple[list[int], int | None]:
    """Return where elements begin and end (in turn), and where the array's closing bracket stands, if it does."""
    closing = np.flatnonzero(brackets.depth < 0)
    last = int(closing[0]) if len(closing) else len(brackets.at)
    at, opens, depth = brackets.at[:last], brackets.opens[:last], brackets.depth[:last]
    edges = depth == opens  # up to 1 by an opening bracket, down to 0 by a closing one
    return (at[edges] + ~opens[edges]).tolist(), int(brackets.at[last]) if len(closing) else None


def _parts(text: bytes) -> list[bytes]:
    """Cut at the commas that stand in no string."""
    parts, start = [], 0
    for found in _STRING_OR_COMMA.finditer(text):
        if found[0] == b",":
            parts.append(text[start : found.start()].strip())
            start = found.end()
    return [*parts, text[start:].strip()]
