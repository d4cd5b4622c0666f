"""How the lines of a delimited file are cut, and which of its columns count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from goldproof.io.values import ValueKind

Separator = Literal["blanks", "\t", ","]


@dataclass(frozen=True, slots=True)
class Layout:
    """How the lines of a file are cut, and which columns count.

    names: what each column is called in messages. header: whether line 1 names the columns. comments: whether a line
    that begins with `#` is a comment. longer: whether fields after the last column are ignored.
    """

    separator: Separator
    names: tuple[str, ...]
    query: int
    document: int
    value: int
    kind: ValueKind
    header: bool = False
    comments: bool = False
    longer: bool = False

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.names)

    def column(self, index: int) -> str:
        """Say which column is meant."""
        where = f"column {index + 1} of {self.width}"
        return f"{self.names[index]!r}, {where}" if self.header else where
