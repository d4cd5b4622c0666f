"""Fill quotas from the pool: by difficulty, then strata, then pool order.

Quotas. A cell (a doc_type and question_type, or a whole doc_type) takes as many as it has places, or all there are.

Difficulty. With q = share * (all samples of the doc_type), the counts per difficulty have the smallest deviations from
q that any selection filling the places has: smallest largest deviation, and smallest sum of absolute and of squared
deviations (`level_fill`, started at count - q). Between the groups of a doc_type a difficulty is spread in proportion
to their size, where the pool leaves a choice.

Strata. With these counts per group and difficulty, the counts per stratum are as even as they can be. Candidates
without a value are one stratum.

Order. Among equals the smaller `order` wins, then the smaller id. Nothing depends on the order of the input; an id that
is given twice counts once.

Borrowing. After the fill, rule by rule: free places of `short` take what is left of `lender`, chosen by the same rules,
so that the shares of the lender's doc_type, to which they still count, stay close too. A loan to a whole doc_type fills
its cells in the order of their names.

Level filling (`level_fill`). Slots have places, items have a colour, and of each colour a slot can take so many items.
The level of a colour is its start plus how many were taken. The next place always goes to the colour with the lowest
level that can still be given one, if need be by moving earlier items of other colours to other slots (which changes no
level); a colour that cannot be given one any more never can be again. Among all ways to fill as many places as
possible, the result has the smallest sum of f(level), for every convex f at once: smallest largest level, smallest sum
of squares, smallest sum of |level|. The counts per colour that can be had form a polymatroid, and on one the greedy
choice by marginal cost is best; f(level + 1) - f(level) never falls with the level, so that one order of choices serves
every f.

    A. Federgruen, H. Groenevelt, The greedy procedure for resource allocation problems, 1986.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

from goldproof.errors import InputError
from goldproof.jobs.build.sampling.selection import ANY_TYPE, BorrowOutcome, CellOutcome, DifficultyOutcome, Selection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from goldproof.jobs.build.recipe import Borrow
    from goldproof.jobs.build.records import Candidate

Cell = tuple[str, str]


def fill_quotas(
    candidates: Iterable[Candidate],
    *,
    places: Mapping[Cell, int],
    taken: Mapping[tuple[str, str], int],
    difficulty: Mapping[str, Fraction] | None,
    borrow: Sequence[Borrow],
) -> Selection:
    """Return the samples that fill the places best.

    places: (doc_type, question_type) -> free places; question_type `*` for a whole doc_type. taken: (doc_type,
    difficulty) -> samples that are already there and count towards the shares. difficulty: the shares wanted.
    """
    _check(places)
    draw = _Draw(_pool(candidates, places=places, borrow=borrow), places, difficulty)
    for (doc_type, level), count in sorted(taken.items()):
        draw.tally(doc_type).difficulty[level] += count
    draw.fill()
    for rule in borrow:
        draw.lend(rule)
    return draw.selection()


@dataclass(slots=True)
class _Draw:
    """State of a selection: candidates, places, and what was chosen and borrowed so far."""

    pool: list[Candidate]
    places: Mapping[Cell, int]
    shares: Mapping[str, Fraction] | None
    chosen: dict[str, Candidate] = field(default_factory=dict)
    filled: Counter[Cell] = field(default_factory=Counter)
    loans: dict[Cell, Counter[str]] = field(default_factory=dict)
    rules: list[BorrowOutcome] = field(default_factory=list)
    tallies: dict[str, DocTypeCounts] = field(default_factory=dict)

    def fill(self) -> None:
        """Fill the places of every cell from its own candidates."""
        by_doc_type: dict[str, list[tuple[str, Candidate]]] = {}
        for candidate in self.pool:
            cell = _cell(candidate, self.places)
            if cell is not None:
                by_doc_type.setdefault(cell[0], []).append((cell[1], candidate))
        for doc_type, grouped in sorted(by_doc_type.items()):
            room = {cell[1]: n for cell, n in self.places.items() if cell[0] == doc_type}
            picked = best_fill(grouped, room=room, shares=self.shares, before=self.tally(doc_type))
            self.filled.update((doc_type, question_type) for question_type, _ in picked)
            self.keep(doc_type, [candidate for _, candidate in picked])

    def lend(self, rule: Borrow) -> None:
        """Give free places to what is left of another cell or doc_type."""
        left = [c for c in self.pool if c.id not in self.chosen and rule.lender in _names(c.doc_type, c.question_type)]
        cells = [cell for cell in sorted(self.places) if rule.short in _names(*cell)]
        free = sum(self.free(cell) for cell in cells)
        room = min(free, len(left) if rule.at_most is None else rule.at_most)
        lender = rule.lender.partition("/")[0]
        grouped = [(ANY_TYPE, candidate) for candidate in left]
        picked = best_fill(grouped, room={ANY_TYPE: room}, shares=self.shares, before=self.tally(lender))
        for _ in picked:
            cell = next(cell for cell in cells if self.free(cell))
            self.loans.setdefault(cell, Counter())[rule.lender] += 1
        self.keep(lender, [candidate for _, candidate in picked])
        self.rules.append(BorrowOutcome(rule, free=free, left=len(left), taken=len(picked)))

    def keep(self, doc_type: str, picked: list[Candidate]) -> None:
        self.chosen.update((candidate.id, candidate) for candidate in picked)
        self.tallies[doc_type] = self.tally(doc_type).plus(picked)

    def tally(self, doc_type: str) -> DocTypeCounts:
        if doc_type not in self.tallies:
            self.tallies[doc_type] = DocTypeCounts()
        return self.tallies[doc_type]

    def free(self, cell: Cell) -> int:
        return self.places[cell] - self.filled[cell] - self.loans.get(cell, Counter()).total()

    def selection(self) -> Selection:
        return Selection(
            chosen=tuple(sorted(self.chosen.values(), key=_rank)),
            cells=tuple(self.cells()),
            borrowed=tuple(self.rules),
            difficulty=tuple(self.difficulties()),
            strata=self.strata(),
        )

    def cells(self) -> Iterator[CellOutcome]:
        available = Counter(_cell(candidate, self.places) for candidate in self.pool)
        for cell, wanted in sorted(self.places.items()):
            loans = dict(self.loans.get(cell, {}))
            yield CellOutcome(*cell, wanted, available[cell], self.filled[cell], loans)

    def difficulties(self) -> Iterator[DifficultyOutcome]:
        available = Counter((candidate.doc_type, candidate.difficulty) for candidate in self.pool)
        doc_types = {cell[0] for cell in self.places} | {t for t, tally in self.tallies.items() if tally.difficulty}
        for doc_type in sorted(doc_types):
            counts = self.tally(doc_type).difficulty
            levels = {level for known, level in available if known == doc_type} | set(counts) | set(self.shares or ())
            for level in sorted(levels):
                target = None if self.shares is None else Fraction(self.shares.get(level, 0))
                supply = available[doc_type, level]
                yield DifficultyOutcome(doc_type, level, target, counts[level], counts.total(), supply)

    def strata(self) -> dict[str, dict[str, int]]:
        pairs = sorted({(candidate.doc_type, candidate.stratum) for candidate in self.pool})
        counts: dict[str, dict[str, int]] = {doc_type: {} for doc_type, stratum in pairs if stratum}
        for doc_type, stratum in pairs:
            if doc_type in counts:
                counts[doc_type][stratum] = self.tally(doc_type).strata[stratum]
        return counts


def _pool(candidates: Iterable[Candidate], *, places: Mapping[Cell, int], borrow: Sequence[Borrow]) -> list[Candidate]:
    """Return the candidates that a quota or a borrow rule could use, each id once, smallest order first."""
    lenders = {rule.lender for rule in borrow}
    usable = (
        candidate
        for candidate in candidates
        if _cell(candidate, places) or not lenders.isdisjoint(_names(candidate.doc_type, candidate.question_type))
    )
    return list({candidate.id: candidate for candidate in sorted(usable, key=_rank)}.values())


def _rank(candidate: Candidate) -> tuple[int, str]:
    return candidate.order, candidate.id


def _cell(candidate: Candidate, places: Mapping[Cell, int]) -> Cell | None:
    """Return the cell in which a candidate counts."""
    for cell in ((candidate.doc_type, candidate.question_type), (candidate.doc_type, ANY_TYPE)):
        if cell in places:
            return cell
    return None


def _names(doc_type: str, question_type: str) -> tuple[str, str]:
    """Return the names by which a borrow rule may mean a cell or a candidate."""
    return doc_type, f"{doc_type}/{question_type}"


def _check(places: Mapping[Cell, int]) -> None:
    for (doc_type, question_type), wanted in sorted(places.items()):
        if wanted < 0:
            raise InputError(f"{doc_type}/{question_type} has {wanted} places, expected 0 or more.")
        if question_type != ANY_TYPE and (doc_type, ANY_TYPE) in places:
            raise InputError(
                f"{doc_type} has places for {question_type!r} and for any type, expected one or the other: "
                "give the doc_type a total, or a number for each of its question types."
            )


Grouped = tuple[str, "Candidate"]


@dataclass(frozen=True, slots=True)
class DocTypeCounts:
    """Samples of a doc_type so far, by difficulty and by stratum."""

    difficulty: Counter[str] = field(default_factory=Counter)
    strata: Counter[str] = field(default_factory=Counter)

    def plus(self, candidates: Sequence[Candidate]) -> DocTypeCounts:
        """Return the counts with some more samples."""
        return DocTypeCounts(
            self.difficulty + Counter(c.difficulty for c in candidates),
            self.strata + Counter(c.stratum for c in candidates),
        )


def best_fill(
    candidates: Sequence[Grouped],
    *,
    room: Mapping[str, int],
    shares: Mapping[str, Fraction] | None,
    before: DocTypeCounts,
) -> list[Grouped]:
    """Return the candidates that fill each group's room, or all of a group that has too few.

    found: group and candidate, smallest order first. shares: wanted per difficulty; None: no target.
    """
    sizes = Counter(group for group, _ in candidates)
    sizes = Counter({group: min(room.get(group, 0), n) for group, n in sizes.items()})
    if shares is None:
        return _spread(
            [((group,), c) for group, c in candidates], places={(g,): n for g, n in sizes.items()}, before=before
        )
    places = _by_difficulty(candidates, sizes=sizes, shares=shares, before=before)
    return _spread([((group, c.difficulty), c) for group, c in candidates], places=places, before=before)


def _by_difficulty(
    candidates: Sequence[Grouped], *, sizes: Counter[str], shares: Mapping[str, Fraction], before: DocTypeCounts
) -> dict[Slot, int]:
    """Return how many of each difficulty each group takes."""
    supply: Counter[tuple[Slot, str]] = Counter(((group,), candidate.difficulty) for group, candidate in candidates)
    total = before.difficulty.total() + sizes.total()
    start = {level: before.difficulty[level] - shares.get(level, 0) * total for _, level in supply}
    taken = level_fill(
        {(group,): n for group, n in sizes.items()},
        supply,
        start=start,
        prefer=lambda slot, _, n: (n + 1) / sizes[slot[0]],
    )
    return {(*slot, level): n for (slot, level), n in taken.items()}


def _spread(
    candidates: Sequence[tuple[Slot, Candidate]], *, places: Mapping[Slot, int], before: DocTypeCounts
) -> list[Grouped]:
    """Return the candidates that fill the places with strata as even as possible."""
    queues: dict[tuple[Slot, str], list[Candidate]] = {}
    for slot, candidate in candidates:
        if places.get(slot):
            queues.setdefault((slot, candidate.stratum), []).append(candidate)
    taken = level_fill(
        {slot: n for slot, n in places.items() if n},
        {key: len(queue) for key, queue in queues.items()},
        start=before.strata,
        prefer=lambda slot, stratum, n: queues[slot, stratum][n].order,
    )
    return [(key[0][0], candidate) for key, n in taken.items() for candidate in queues[key][:n]]


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
    """State of a level filling: places free, items taken, and slots that can never take another (`closed`)."""

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
