"""Entries by key: adding, reading, removing, finding."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass
class Shelf:
    """A named collection of entries inside a pantry.

    Keys are text, values are whatever its codec can pack. Two shelves never share a key, even when it is spelled alike.
    """

    name: str
    room: int

    def put(self, key: str, value: object, *, keep: str | None = None) -> None:
        """Store a value, replacing an older one.

        keep: how long it stays good, as `parse_keep` reads it; 72 hours unless said otherwise. When the shelf is full,
        its rotation decides what has to go first.
        """

    def get(self, key: str, default: object = None, *, strict: bool = False) -> object:
        """Look a value up; a missing or stale one gives the default.

        strict: raise instead, `KeyError` for what was never there and `SpoiledError` for what is past its time. Every
        call counts as one use of the entry.
        """
        return default

    def peek(self, key: str) -> object:
        """Look without touching: as `get`, except that no use is counted, so nothing changes about what goes first."""
        return None

    def take(self, key: str) -> object:
        """Hand a value over and forget it, in a single step: of two callers at the same moment exactly one gets it."""
        return None

    def label(self, key: str, *labels: str) -> None:
        """Tie words to an entry. They vanish together with it, and an entry carries 16 of them at the most."""

    def find(self, label: str) -> Iterator[str]:
        """Go through the keys that carry a word, the freshest first. A trailing star stands for any ending."""
        return iter(())
