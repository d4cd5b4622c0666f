"""What came for a query, seen from the expected memories: at which place, behind what, and how it is named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.errors import shortened
from goldproof.jobs.memory.analysis.stored import memories_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.jobs.memory.scored import Matched, ScoredQuery

LONGEST = 60
LONGEST_NAMED = 30
MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Item:
    """One returned item; place: from 1. grade: the highest of the expected memories it stands for, 0 where none."""

    place: int
    match: Matched
    grade: int
    role: str
    content: str

    @property
    def name(self) -> str:
        """The memories that it stands for, else its own id."""
        return " + ".join(self.match.memories) or self.match.hit.doc_id

    @property
    def named(self) -> str:
        """Its name and its content, shortened."""
        return f'{self.name} "{shortened(self.content, longest=LONGEST_NAMED)}"'


def items_of(row: ScoredQuery) -> tuple[Item, ...]:
    """Return what came, in its order."""
    stored, expected = memories_of(row.answered), row.answered.query.expected
    items = []
    for place, match in enumerate(row.matches, start=1):
        sources = [stored[memory] for memory in match.memories if memory in stored]
        roles = tuple(dict.fromkeys(memory.role for memory in sources))
        text = match.hit.text or " / ".join(memory.content for memory in sources)
        grade = max((expected.get(memory, 0) for memory in match.memories), default=0)
        items.append(Item(place, match, grade, role=", ".join(roles), content=one_line(text)))
    return tuple(items)


def place_of(memory: str, items: Sequence[Item]) -> int | None:
    """Return where a memory came first."""
    return next((item.place for item in items if memory in item.match.memories), None)


def all_named(items: Sequence[Item]) -> str:
    """Return the names of items with their contents; of many, the first."""
    named = ", ".join(item.named for item in items[:MOST_NAMED])
    return f"{named} and {len(items) - MOST_NAMED} more" if len(items) > MOST_NAMED else named


def one_line(text: str) -> str:
    """Return a text in one line, cut."""
    return shortened(" ".join(text.split()), longest=LONGEST)
