"""What a file that begins with `{` is: JSON lines, one object, or one object around a list of records.

An object around records has exactly one list among its values, and what that list holds is objects, as in
`{"version": "1.1", "data": [{...}, ...]}`. Found by brackets alone, with flat memory: nothing is parsed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from goldproof.io.json_structure import scan_brackets

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goldproof.io.json_structure import Brackets

_LIST, _OBJECT = ord("["), ord("{")


class ListAt(NamedTuple):
    """Where the opening bracket of a list stands."""

    offset: int
    line: int


@dataclass(frozen=True, slots=True)
class Outline:
    """Whether the first object of a file is closed, whether the file goes on after it, and the records in it."""

    closed: bool
    goes_on: bool
    records: ListAt | None


def outline(pieces: Iterable[bytes]) -> Outline:
    """Look at a file that begins with an object."""
    reading = _Outlining()
    scanned = scan_brackets(pieces)
    for brackets in scanned:
        end = reading.add(brackets)
        if end is not None:
            rest = brackets.text[end + 1 :].strip() or any(later.text.strip() for later in scanned)
            return Outline(closed=True, goes_on=bool(rest), records=reading.records())
    return Outline(closed=False, goes_on=False, records=None)


class _Outlining:
    """The lists among the values of the first object, each with whether its first bracket opens an object."""

    def __init__(self) -> None:
        self.lists: list[tuple[ListAt, bool]] = []
        self._offset = 0
        self._line = 1
        self._waiting: ListAt | None = None  # a list whose first bracket is still to come

    def add(self, brackets: Brackets) -> int | None:
        """Take in a piece; returns where the first object ends, if it does."""
        text, at, opens, depth = brackets
        closing = np.flatnonzero(depth <= 0)
        last = int(closing[0]) if len(closing) else len(at)
        codes = np.frombuffer(text, dtype=np.uint8)[at[:last]]
        if self._waiting is not None and last:
            self._settle(self._waiting, holds_objects=bool(codes[0] == _OBJECT and opens[0]))
        for index in np.flatnonzero((codes == _LIST) & (depth[:last] == 2)).tolist():
            found = ListAt(self._offset + int(at[index]), self._line + text.count(b"\n", 0, int(at[index])))
            if index + 1 < last:
                self._settle(found, holds_objects=bool(codes[index + 1] == _OBJECT))
            else:
                self._waiting = found
        self._offset += len(text)
        self._line += text.count(b"\n")
        return int(at[last]) if len(closing) else None

    def records(self) -> ListAt | None:
        """Return the one list that holds objects, where there is no other list."""
        return self.lists[0][0] if len(self.lists) == 1 and self.lists[0][1] else None

    def _settle(self, found: ListAt, *, holds_objects: bool) -> None:
        self.lists.append((found, holds_objects))
        self._waiting = None
