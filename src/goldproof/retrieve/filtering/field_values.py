"""The distinct values of one metadata field over a corpus, to be looked for in queries.

Text is looked for by its words, numbers (and text that is one) by their size. True and false cannot be mentioned and
are left out. Of a list every item counts. Values that read alike ("Opponent", "opponent") are found together.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING

import numpy as np

from goldproof.retrieve.metadata_fields import document_value
from goldproof.retrieve.timing.moments import parse_turn
from goldproof.retrieve.wording.query_words import value_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.records.arrays import BoolArray
    from goldproof.retrieve.shelf import Shelf

_SEVERAL = (list, tuple, set, frozenset)
Reading = tuple[str, ...] | float


class FieldValues:
    """What one field holds. name_words: how a query names the field; `meta.turn_id` is named "turn id"."""

    def __init__(self, name: str, shelf: Shelf) -> None:
        self.name = name
        self.name_words = value_words(name.rpartition(".")[2])
        self._size = shelf.size
        self._places: dict[Reading, list[int]] = {}
        self._written: dict[Reading, dict[object, None]] = {}
        self.present = self._read(shelf)
        self.by_first: dict[str, list[tuple[str, ...]]] = {}
        for reading in self._places:
            if isinstance(reading, tuple):
                self.by_first.setdefault(reading[0], []).append(reading)
        self.numbers = tuple(sorted(reading for reading in self._places if isinstance(reading, float)))

    def mask(self, readings: tuple[Reading, ...]) -> BoolArray:
        """Return, of each document, whether it has one of these values."""
        mask = np.zeros(self._size, dtype=np.bool_)
        for reading in readings:
            mask[self._places[reading]] = True
        return mask

    def written(self, readings: tuple[Reading, ...]) -> list[object]:
        """Return the values as the documents have them."""
        return [value for reading in readings for value in self._written[reading]]

    def has(self, word: str) -> bool:
        """Say whether a single word is a value."""
        return (word,) in self._places

    def _read(self, shelf: Shelf) -> bool:
        """Take in the values of all documents; return whether any has the field."""
        present = False
        for place, document in enumerate(shelf.documents):
            for value in _items(document_value(document, self.name)):
                present = True
                reading = _reading(value)
                if reading is not None:
                    self._places.setdefault(reading, []).append(place)
                    self._written.setdefault(reading, {})[value] = None
        return present


def _items(value: object) -> Iterator[object]:
    if isinstance(value, _SEVERAL):
        for one in value:
            yield from _items(one)
    elif value is not None and not isinstance(value, Mapping):
        yield value


def _reading(value: object) -> Reading | None:
    """Return how a value is looked for; None where it cannot be."""
    number = parse_turn(value)
    if number is not None:
        return number
    if isinstance(value, date):
        return value_words(value.isoformat())
    return value_words(value) or None if isinstance(value, str) else None
