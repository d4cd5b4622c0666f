"""An answered query, reduced to what measures need: expected memories and returned items.

A returned item matches stored memories: one, none, or several where the system merged them. A query that expects
nothing is a negative one: the right answer is to return nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

Order = Literal["newest", "oldest"]


@dataclass(frozen=True, slots=True)
class ReturnedItem:
    """One returned item, in the order of the system.

    memories: ids of the stored memories it matches. gain: its grade as 0 to 1 (2/1/0 -> 1/.5/0, or judge/10).
    similarity: of query and item as reported by the system; None where it reports none. tokens: of its text.
    """

    memories: tuple[str, ...]
    gain: float
    similarity: float | None = None
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """One answered query.

    expected: memory -> its grade as 0 to 1, above 0. kernels: sets of memories of which any one, complete, suffices.
    moments: when each expected memory was stored (turn or time). order: the order asked for; None: any.
    """

    expected: Mapping[str, float]
    returned: tuple[ReturnedItem, ...]
    kernels: tuple[frozenset[str], ...] = ()
    moments: Mapping[str, float] = field(default_factory=dict)
    order: Order | None = None

    @property
    def is_negative(self) -> bool:
        """Whether nothing is expected."""
        return not self.expected

    @property
    def found(self) -> frozenset[str]:
        """The expected memories that were returned."""
        return frozenset(memory for item in self.returned for memory in item.memories if memory in self.expected)

    def is_expected(self, item: ReturnedItem) -> bool:
        """Return whether an item matches an expected memory."""
        return not self.expected.keys().isdisjoint(item.memories)


class Measured(NamedTuple):
    """A value, or the reason why there is none; failed: the system or the judge failed."""

    value: float | None
    reason: str = ""
    failed: bool = False
