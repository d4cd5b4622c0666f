"""Filling quotas from a pool: quotas first, then difficulty, then strata, then the order of the pool.

Quotas. A cell (a doc_type and question_type, or a whole doc_type) takes as many as it has places, or all there are.

Difficulty and strata. `filling` chooses: no selection that fills the quotas is closer to the shares, and none with the
same counts per cell and difficulty is more even over the strata.

Order. Among equals the smaller `order` wins, then the smaller id. Nothing depends on the order of the input; an id that
is given twice counts once.

Borrowing. After the fill, rule by rule: free places of `short` take what is left of `lender`, chosen by the same rules,
so that the shares of the lender's doc_type, to which they still count, stay close too. A loan to a whole doc_type fills
its cells in the order of their names.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from goldproof.errors import InputError
from goldproof.jobs.build.sampling.filling import Tally, best_fill
from goldproof.jobs.build.sampling.selection import ANY_TYPE, BorrowOutcome, CellOutcome, DifficultyOutcome, Selection

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from goldproof.jobs.build.recipes.recipe import Borrow
    from goldproof.jobs.build.sample import Candidate

Cell = tuple[str, str]


def choose(
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
    """A selection in the making."""

    pool: list[Candidate]
    places: Mapping[Cell, int]
    shares: Mapping[str, Fraction] | None
    chosen: dict[str, Candidate] = field(default_factory=dict)
    filled: Counter[Cell] = field(default_factory=Counter)
    loans: dict[Cell, Counter[str]] = field(default_factory=dict)
    rules: list[BorrowOutcome] = field(default_factory=list)
    tallies: dict[str, Tally] = field(default_factory=dict)

    def fill(self) -> None:
        """Fill the places of every cell from its own candidates."""
        found: dict[str, list[tuple[str, Candidate]]] = {}
        for candidate in self.pool:
            cell = _cell(candidate, self.places)
            if cell is not None:
                found.setdefault(cell[0], []).append((cell[1], candidate))
        for doc_type, grouped in sorted(found.items()):
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

    def tally(self, doc_type: str) -> Tally:
        if doc_type not in self.tallies:
            self.tallies[doc_type] = Tally()
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
        found = sorted({(candidate.doc_type, candidate.stratum) for candidate in self.pool})
        counts: dict[str, dict[str, int]] = {doc_type: {} for doc_type, stratum in found if stratum}
        for doc_type, stratum in found:
            if doc_type in counts:
                counts[doc_type][stratum] = self.tally(doc_type).strata[stratum]
        return counts


def _pool(candidates: Iterable[Candidate], *, places: Mapping[Cell, int], borrow: Sequence[Borrow]) -> list[Candidate]:
    """Return what a quota or a borrow rule could use, each id once, smallest order first."""
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
    """Return how a borrow rule may speak of a cell or of a candidate."""
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
