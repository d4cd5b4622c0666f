"""Filling places so that the colours of what fills them come out as level as the supply allows.

Places stand in slots, things have a colour, and of each colour a slot can take so many things. The level of a colour
is where it starts plus how many were taken. The next place always goes to the colour with the lowest level that can
still be given one, if need be by moving earlier things of other colours to other slots (which changes no level); a
colour that cannot be given one any more never can be again.

Among all ways to fill as many places as possible, the result has the smallest sum of f(level), for every convex f at
once: smallest largest level, smallest sum of squares, smallest sum of |level|. The counts per colour that can be had
form a polymatroid, and on one the greedy choice by marginal cost is best; f(level + 1) - f(level) never falls with the
level, so that one order of choices serves every f.

    A. Federgruen, H. Groenevelt, The greedy procedure for resource allocation problems, 1986.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from fractions import Fraction

Slot = tuple[str, ...]
Supply = dict[tuple[Slot, str], int]
# Level, whether something has to move, the slot's preference, the colour: the smallest is next.
_Turn = tuple["Fraction | int", bool, float, str]


def level_fill(
    places: Mapping[Slot, int],
    supply: Mapping[tuple[Slot, str], int],
    *,
    start: Mapping[str, Fraction | int],
    prefer: Callable[[Slot, str, int], float],
) -> Supply:
    """Return how many of each colour each slot takes, where it takes any; nothing depends on the order of the mappings.

    places: how many a slot takes. supply: how many of a colour a slot could take. start: the level of a colour before,
    0 where it is not named. prefer(slot, colour, taken): the smaller is chosen, among the slots for a colour, and among
    colours of one level; it must not fall with `taken`.
    """
    filling = _Filling(dict(places), supply, start, prefer)
    turns = [filling.turn(colour) for colour in filling.slots]
    heapify(turns)
    free = sum(places.values())
    while turns and free:
        turn = heappop(turns)
        colour = turn[-1]
        now = filling.turn(colour)
        if now == turn and filling.give(colour):
            free -= 1
            heappush(turns, filling.turn(colour))
        elif now != turn:  # a slot was filled since
            heappush(turns, now)
    return {(slot, colour): n for slot in sorted(places) for colour, n in sorted(filling.taken[slot].items()) if n}


@dataclass(slots=True)
class _Filling:
    """What is free, what was taken, and which slots can never take another thing (`closed`)."""

    free: dict[Slot, int]
    supply: Mapping[tuple[Slot, str], int]
    start: Mapping[str, Fraction | int]
    prefer: Callable[[Slot, str, int], float]
    slots: dict[str, list[Slot]] = field(default_factory=dict)
    taken: dict[Slot, dict[str, int]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    closed: set[Slot] = field(default_factory=set)
    moves: dict[Slot, dict[Slot, dict[str, None]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.taken = {slot: {} for slot in self.free}
        self.moves = {slot: {} for slot in self.free}
        for slot, colour in sorted(self.supply):
            if slot in self.free:
                self.slots.setdefault(colour, []).append(slot)

    def turn(self, colour: str) -> _Turn:
        level = self.start.get(colour, 0) + self.counts.get(colour, 0)
        slot = self.free_slot(colour)
        return (level, slot is None, 0 if slot is None else self.preference(slot, colour), colour)

    def preference(self, slot: Slot, colour: str) -> float:
        return self.prefer(slot, colour, self.taken[slot].get(colour, 0))

    def open_slots(self, colour: str) -> list[Slot]:
        """Return the slots that could take one more of a colour, if they had a place free."""
        return [
            slot
            for slot in self.slots[colour]
            if slot not in self.closed and self.taken[slot].get(colour, 0) < self.supply[slot, colour]
        ]

    def free_slot(self, colour: str) -> Slot | None:
        free = [slot for slot in self.open_slots(colour) if self.free[slot]]
        return min(free, key=lambda slot: (self.preference(slot, colour), slot), default=None)

    def give(self, colour: str) -> bool:
        """Take one more of a colour; False where no moving of others makes room for it."""
        slot = self.free_slot(colour)
        chain = self.chain(colour) if slot is None else [(slot, colour)]
        if not chain:
            return False
        self.free[chain[-1][0]] -= 1
        self.counts[colour] = self.counts.get(colour, 0) + 1
        for place, (to, moved) in enumerate(chain):
            self.change(to, moved, by=1)
            if place:
                self.change(chain[place - 1][0], moved, by=-1)
        return True

    def chain(self, colour: str) -> list[tuple[Slot, str]]:
        """Return slots, and what each takes in: the colour, then what the slot before gives up; the last has a place.

        The search is breadth first. Empty where no chain ends at a free place.
        """
        came: dict[Slot, list[tuple[Slot, str]]] = {slot: [(slot, colour)] for slot in self.open_slots(colour)}
        waiting = deque(came)
        while waiting:
            slot = waiting.popleft()
            if self.free[slot]:
                return came[slot]
            for target, movable in self.moves[slot].items():
                if movable and target not in came and target not in self.closed:
                    came[target] = [*came[slot], (target, next(iter(movable)))]
                    waiting.append(target)
        # Nothing leads out of these slots, now or later: no later search has to look at them again.
        self.closed.update(came)
        return []

    def change(self, slot: Slot, colour: str, *, by: int) -> None:
        self.taken[slot][colour] = self.taken[slot].get(colour, 0) + by
        for other in self.slots[colour]:
            if other != slot:
                self.note_moves(slot, other, colour=colour)
                self.note_moves(other, slot, colour=colour)

    def note_moves(self, slot: Slot, target: Slot, *, colour: str) -> None:
        """Keep up which colours could move from one slot to another, if that one had a place free."""
        movable = self.moves[slot].setdefault(target, {})
        if self.taken[slot].get(colour, 0) and self.taken[target].get(colour, 0) < self.supply[target, colour]:
            movable[colour] = None
        else:
            movable.pop(colour, None)
