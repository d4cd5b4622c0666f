"""Which results of a conversation are duplicates of an earlier one."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.core.arrays import BoolArray, IntArray
    from goldproof.dedup.repeats import Repeats

_NOTHING: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """The outcome for every row of a `ResultTable`.

    size: how many rows there are. repeats: the duplicates, and for each the first occurrence of the same document in
    its conversation. steps: how many duplicates each step decided, by the step's name. notices: what else the marking
    came across, by name, where it did:
    `ids_overruled`: duplicates whose id differs from that of their first occurrence;
    `equal_id_rejected`: comparisons of results of equal id that were found to be different;
    `equal_id_snippet_differs`: duplicates of equal id whose snippet differs (it depends on the query);
    `without_id`: results without an id, where only ids are looked at.
    """

    size: int
    repeats: Repeats
    steps: Mapping[str, int]
    notices: Mapping[str, int] = field(default_factory=lambda: _NOTHING)

    @property
    def origin(self) -> IntArray:
        """Per row, the row of the first occurrence of the same document; itself where it is the first."""
        origin = np.arange(self.size)
        origin[self.repeats.rows] = self.repeats.firsts
        return origin

    @property
    def duplicate(self) -> BoolArray:
        """True where the result was seen before."""
        seen = np.zeros(self.size, dtype=np.bool_)
        seen[self.repeats.rows] = True
        return seen
