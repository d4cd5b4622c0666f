"""What an agent may use: a search over names, and a look at one of them. Nothing is run, nothing is imported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from goldproof.errors import shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_LINE = 120


@dataclass(frozen=True, slots=True)
class Found:
    """A name that a search found, with one line about it."""

    name: str
    line: str


@dataclass(frozen=True, slots=True)
class Inspected:
    """A document that was looked at. document: its id.

    names: what code that uses it must hold, all of them (a class: its name; a method: that of its class as well);
    empty where the document is nothing that code can use.
    """

    document: str
    text: str
    names: tuple[str, ...] = ()


class Tools(Protocol):
    """The two tools."""

    def search(self, words: str) -> Sequence[Found]:
        """Return names, best first."""

    def inspect(self, name: str) -> Inspected:
        """Return what is known of a name. UnknownNameError, with near names, where nothing is called so."""


def one_line(text: str) -> str:
    """Return the beginning of a text on one line."""
    return shortened(" ".join(text[: 4 * LONGEST_LINE].split()), longest=LONGEST_LINE)
