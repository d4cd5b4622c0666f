"""Which candidates of one doc_type fill its places: difficulty first, then strata, then the order of the pool.

Difficulty. With q = share * (all samples of the doc_type), the counts per difficulty have the smallest deviations from
q that any selection filling the places has: smallest largest deviation, and smallest sum of absolute and of squared
deviations (`levelling`, started at count - q). Between the groups of a doc_type a difficulty is spread in proportion
to their size, where the pool leaves a choice.

Strata. With the counts per group and difficulty as they are, the counts per stratum are as even as they can be.
Candidates without a value are one stratum.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from goldproof.jobs.build.sampling.levelling import Slot, level_fill

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from goldproof.jobs.build.sample import Candidate

Grouped = tuple[str, "Candidate"]


@dataclass(frozen=True, slots=True)
class Tally:
    """What a doc_type has so far, by difficulty and by stratum."""

    difficulty: Counter[str] = field(default_factory=Counter)
    strata: Counter[str] = field(default_factory=Counter)

    def plus(self, candidates: Sequence[Candidate]) -> Tally:
        """Return the counts with some more samples."""
        return Tally(
            self.difficulty + Counter(c.difficulty for c in candidates),
            self.strata + Counter(c.stratum for c in candidates),
        )


def best_fill(
    found: Sequence[Grouped], *, room: Mapping[str, int], shares: Mapping[str, Fraction] | None, before: Tally
) -> list[Grouped]:
    """Return what fills each group's room, or all of a group that has too few.

    found: group and candidate, smallest order first. shares: wanted per difficulty, None to take what comes.
    """
    sizes = Counter(group for group, _ in found)
    sizes = Counter({group: min(room.get(group, 0), n) for group, n in sizes.items()})
    if shares is None:
        return _spread([((group,), c) for group, c in found], places={(g,): n for g, n in sizes.items()}, before=before)
    places = _by_difficulty(found, sizes=sizes, shares=shares, before=before)
    return _spread([((group, c.difficulty), c) for group, c in found], places=places, before=before)


def _by_difficulty(
    found: Sequence[Grouped], *, sizes: Counter[str], shares: Mapping[str, Fraction], before: Tally
) -> dict[Slot, int]:
    """Return how many of each difficulty each group takes."""
    supply: Counter[tuple[Slot, str]] = Counter(((group,), candidate.difficulty) for group, candidate in found)
    total = before.difficulty.total() + sizes.total()
    start = {level: before.difficulty[level] - shares.get(level, 0) * total for _, level in supply}
    taken = level_fill(
        {(group,): n for group, n in sizes.items()},
        supply,
        start=start,
        prefer=lambda slot, _, n: (n + 1) / sizes[slot[0]],
    )
    return {(*slot, level): n for (slot, level), n in taken.items()}


def _spread(found: Sequence[tuple[Slot, Candidate]], *, places: Mapping[Slot, int], before: Tally) -> list[Grouped]:
    """Return what fills the places with strata as even as they can be."""
    queues: dict[tuple[Slot, str], list[Candidate]] = {}
    for slot, candidate in found:
        if places.get(slot):
            queues.setdefault((slot, candidate.stratum), []).append(candidate)
    taken = level_fill(
        {slot: n for slot, n in places.items() if n},
        {key: len(queue) for key, queue in queues.items()},
        start=before.strata,
        prefer=lambda slot, stratum, n: queues[slot, stratum][n].order,
    )
    return [(key[0][0], candidate) for key, n in taken.items() for candidate in queues[key][:n]]
