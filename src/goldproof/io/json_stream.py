"""Elements of a JSON array, or members of a JSON object, of any size, in flat memory, each independent of damaged ones.

Objects and lists are found by their brackets; between two of them stands a comma as a rule, and other text is cut at
its commas. Each element comes as its text, not yet parsed, so that a damaged one costs no other. Memory: one piece and
the current element.

`object_members` does the same for an object whose values are objects, as in `{"q1": {...}, "q2": {...}}`.

`outline` finds the records inside an object: exactly one list among its values, and that list holds objects, as in
`{"version": "1.1", "data": [{...}, ...]}`. It too looks at brackets alone: nothing is parsed.

A bracket inside a string does not count. A string begins and ends at a quote that no backslash escapes, so a piece is
scanned as a whole: quotes and brackets by value, then each bracket counts if an even number of quotes stands before it.
The kinds of brackets are not matched against each other: parsing the text between them finds that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import orjson

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from goldproof.io.diagnostics import Diagnostics
    from goldproof.records.arrays import BoolArray, IntArray


_QUOTE = ord('"')
_CASE = 0x20  # "[" and "{" differ in this bit alone, as do "]" and "}"
_OPENS, _CLOSES = ord("{"), ord("}")
_COMMAS = (b",", b", ", b",\n")
_PLAIN_BYTES = 16 << 20  # more without any object or list is no file of records
_STRING_OR_COMMA = re.compile(rb'"(?:[^"\\]|\\.)*"?|,', re.DOTALL)
_KEY = re.compile(rb'\s*"(?:[^"\\]|\\.)*+"\s*:\s*', re.DOTALL)
_COMMA_AND_KEY = re.compile(rb"\s*," + _KEY.pattern, re.DOTALL)
_LAST_KEY = re.compile(rb'("(?:[^"\\]|\\.)*+")\s*:\s*\Z', re.DOTALL)
CUT_OFF = "Copy or download the file again; it is incomplete."


class Element(NamedTuple):
    """The text of one element, its number from 1, and the line where it begins."""

    number: int
    line: int
    text: bytes


def array_elements(
    pieces: Iterable[bytes], diagnostics: Diagnostics, *, line: int = 1, whole: bool = True
) -> Iterator[Element]:
    """Yield the elements of the array whose opening bracket is the last byte before the pieces, on `line`.

    whole: nothing may come after the array; otherwise reading stops at its closing bracket.
    """
    state = _ArrayReader(diagnostics, line=line)
    scanned = scan_brackets(pieces)
    for brackets in scanned:
        yield from state.elements(brackets)
        if state.closed:
            if whole:
                state.check_rest(later.text for later in scanned)
            return
    raise diagnostics.error(
        f"the JSON array is cut off: the file ends after {state.count} elements without a closing bracket.",
        line=state.line,
        hint=CUT_OFF,
    )


class Member(NamedTuple):
    """A member of an object: its key, the line where its value begins, and the text of the value."""

    key: str
    line: int
    text: bytes


def object_members(pieces: Iterable[bytes], diagnostics: Diagnostics) -> Iterator[Member]:
    """Yield the members of the one object that a file is; a value that is no object or list is reported."""
    pieces = iter(pieces)
    head = next(pieces)
    start = head.index(b"{")
    state = _ObjectReader(diagnostics, line=1 + head.count(b"\n", 0, start), what="object")
    scanned = scan_brackets(chain((head[start + 1 :],), pieces))
    for brackets in scanned:
        for element in state.elements(brackets):
            if state.key is not None:
                yield Member(state.key, element.line, element.text)
        if state.closed:
            state.check_rest(later.text for later in scanned)
            return
    raise diagnostics.error(
        f"the JSON object is cut off: after {state.count} members the file ends, and no bracket closes the object.",
        line=state.line,
        hint=CUT_OFF,
    )


@dataclass(slots=True)
class _ArrayReader:
    """State of reading: `held` is the text since the last cut, inside an element or between two."""

    diagnostics: Diagnostics
    line: int
    what: str = "array"
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
            elif self.what == "object" or not (self.after_element and piece in _COMMAS):
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
                raise self.diagnostics.error(
                    f"the JSON {self.what} ends after {self.count} elements, but the file goes on with {shown!r}.",
                    line=self.line + piece[: piece.index(rest[:1])].count(b"\n"),
                    hint=f"Keep one {self.what}, or write one JSON object per line.",
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
            raise self.diagnostics.error(
                f"the JSON {self.what} holds no object in {_PLAIN_BYTES >> 20} MB, expected an {self.what} of objects.",
                line=self.line,
            )

    def _between(self, text: bytes, *, before_element: bool) -> Iterator[Element]:
        """Yield the plain values (numbers, texts, ...) between two elements; report anything else."""
        parts = _parts(text)
        if parts == [b""] and not (self.after_element and before_element):
            return
        inner = parts[int(self.after_element) : len(parts) - before_element]
        stray = [*(parts[:1] if self.after_element else []), *(parts[-1:] if before_element else [])]
        if any(stray) or len(parts) < self.after_element + before_element:
            stray_text = text.strip()[:40].decode("utf-8", "replace")
            problem = (
                f"no comma after element {self.count} of the array{f', but {stray_text!r}' if stray_text else ''}."
            )
            self.diagnostics.report(
                problem, line=self.line, hint="Put one comma, and nothing else, between two elements."
            )
        for part in inner:
            self.count += 1
            yield Element(self.count, self.line, part)


@dataclass(slots=True)
class _ObjectReader(_ArrayReader):
    """The same for an object. key: of the value that was read last, None where it has none."""

    key: str | None = None

    def _between(self, text: bytes, *, before_element: bool) -> Iterator[Element]:
        self.key = None
        begins = _COMMA_AND_KEY if self.after_element else _KEY
        if begins.fullmatch(text) is None if before_element else text.strip():
            shown = text.strip()[:60].decode("utf-8", "replace")
            expected = 'a key and an object, such as "q1": {...}' if before_element else "the end of the object"
            self.diagnostics.report(f"found {shown!r}, expected {expected}.", line=self.line, unit="entry")
        found = _LAST_KEY.search(text) if before_element else None
        if found is not None:
            try:
                self.key = orjson.loads(found[1])
            except orjson.JSONDecodeError as error:
                self.diagnostics.report(f"a key is not JSON ({error.msg}).", line=self.line, unit="entry")
        yield from ()


def _cuts(brackets: Brackets) -> tuple[list[int], int | None]:
    """Return the positions where elements begin and end (in turn), and that of the array's closing bracket, if any."""
    closing = np.flatnonzero(brackets.depth < 0)
    last = int(closing[0]) if len(closing) else len(brackets.at)
    at, opens, depth = brackets.at[:last], brackets.opens[:last], brackets.depth[:last]
    edges = depth == opens  # up to 1 by an opening bracket, down to 0 by a closing one
    return (at[edges] + ~opens[edges]).tolist(), int(brackets.at[last]) if len(closing) else None


def _parts(text: bytes) -> list[bytes]:
    """Cut at the commas outside of strings."""
    parts, start = [], 0
    for match in _STRING_OR_COMMA.finditer(text):
        if match[0] == b",":
            parts.append(text[start : match.start()].strip())
            start = match.end()
    return [*parts, text[start:].strip()]


_LIST, _OBJECT = ord("["), ord("{")


class ListAt(NamedTuple):
    """Position of the opening bracket of a list."""

    offset: int
    line: int


@dataclass(frozen=True, slots=True)
class Outline:
    """Shape of a file: whether its first object is closed, whether the file goes on after it, and the records in it."""

    closed: bool
    goes_on: bool
    records: ListAt | None


def outline(pieces: Iterable[bytes]) -> Outline:
    """Return the outline of a file that begins with an object."""
    reading = _OutlineReader()
    scanned = scan_brackets(pieces)
    for brackets in scanned:
        end = reading.add(brackets)
        if end is not None:
            rest = brackets.text[end + 1 :].strip() or any(later.text.strip() for later in scanned)
            return Outline(closed=True, goes_on=bool(rest), records=reading.records())
    return Outline(closed=False, goes_on=False, records=None)


class _OutlineReader:
    """Collects the lists among the values of the first object, each with whether its first bracket opens an object."""

    def __init__(self) -> None:
        self.lists: list[tuple[ListAt, bool]] = []
        self._offset = 0
        self._line = 1
        self._waiting: ListAt | None = None  # a list whose first bracket is still to come

    def add(self, brackets: Brackets) -> int | None:
        """Scan a piece; return where the first object ends, if it does."""
        text, at, opens, depth = brackets
        closing = np.flatnonzero(depth <= 0)
        last = int(closing[0]) if len(closing) else len(at)
        codes = np.frombuffer(text, dtype=np.uint8)[at[:last]]
        if self._waiting is not None and last:
            self._note_list(self._waiting, holds_objects=bool(codes[0] == _OBJECT and opens[0]))
        for index in np.flatnonzero((codes == _LIST) & (depth[:last] == 2)).tolist():
            position = ListAt(self._offset + int(at[index]), self._line + text.count(b"\n", 0, int(at[index])))
            if index + 1 < last:
                self._note_list(position, holds_objects=bool(codes[index + 1] == _OBJECT))
            else:
                self._waiting = position
        self._offset += len(text)
        self._line += text.count(b"\n")
        return int(at[last]) if len(closing) else None

    def records(self) -> ListAt | None:
        """Return the one list that holds objects, where there is no other list."""
        return self.lists[0][0] if len(self.lists) == 1 and self.lists[0][1] else None

    def _note_list(self, position: ListAt, *, holds_objects: bool) -> None:
        self.lists.append((position, holds_objects))
        self._waiting = None


class Brackets(NamedTuple):
    """A piece of text and its brackets: their positions, which of them open, and the depth after each."""

    text: bytes
    at: IntArray
    opens: BoolArray
    depth: IntArray


def scan_brackets(pieces: Iterable[bytes]) -> Iterator[Brackets]:
    """Yield the pieces, cut so that no escape is torn apart, with their brackets."""
    depth, in_string = 0, False
    for text in _whole_escapes(pieces):
        codes = np.frombuffer(without_escapes(text), dtype=np.uint8)
        quotes = np.flatnonzero(codes == _QUOTE)
        folded = codes | _CASE
        at = np.flatnonzero((folded == _OPENS) | (folded == _CLOSES))
        at = at[(np.searchsorted(quotes, at) + in_string) % 2 == 0]
        opens = folded[at] == _OPENS
        depths = depth + np.cumsum(np.where(opens, 1, -1))
        depth = int(depths[-1]) if len(depths) else depth
        in_string = (len(quotes) + in_string) % 2 == 1
        yield Brackets(text, at, opens, depths)


def without_escapes(text: bytes) -> bytes:
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
