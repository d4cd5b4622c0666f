"""Groups of results that are the same document, built row by row."""

from __future__ import annotations

from bisect import insort
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from karat.dedup.verification import decide

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from karat.dedup.items import Item
    from karat.dedup.rules import Rules
    from karat.dedup.verification import Verdict


class Part(NamedTuple):
    """Rows of whole conversations with their items; row i has the codes `bounds[i]:bounds[i + 1]`, strongest first."""

    rows: Sequence[int]
    items: Sequence[Item]
    codes: Sequence[int]
    bounds: Sequence[int]


class Comparison(NamedTuple):
    """A row was compared with the first row of a group, which the key of this code proposed."""

    row: int
    candidate: int
    code: int
    verdict: Verdict


class Grouping:
    """Takes rows in order and says of which earlier row each is a duplicate.

    duplicates: the rows that are. firsts, steps: for each of them its first occurrence, and the step that decided.
    equal_id_rejected: how many comparisons found results of equal id to be different.
    """

    def __init__(self, rules: Rules, witness: Callable[[Comparison], None] | None = None) -> None:
        self._rules = rules
        self._witness = witness
        self.duplicates: list[int] = []
        self.firsts: list[int] = []
        self.steps: list[str] = []
        self.equal_id_rejected = 0

    def add(self, part: Part) -> None:
        """Take the next rows."""
        # Per code the groups that it proposes, oldest first; a group is the position of its first row.
        groups: dict[int, list[int]] = {}
        for position, (low, high) in enumerate(pairwise(part.bounds)):
            codes = part.codes[low:high]
            seen = not groups.keys().isdisjoint(codes)
            group = self._find(part, position, codes=codes, groups=groups) if seen else position
            for code in codes:
                known = groups.get(code)
                if known is None:
                    groups[code] = [group]
                elif group not in known:
                    insort(known, group)

    def _find(self, part: Part, position: int, *, codes: Sequence[int], groups: dict[int, list[int]]) -> int:
        """Return the first group proposed that is the same document, or else the row's own position."""
        item = part.items[position]
        tried: set[int] = set()
        for code in codes:
            for candidate in groups.get(code, ()):
                if candidate in tried:
                    continue
                first = part.items[candidate]
                verdict = decide(first, item, self._rules)
                if self._witness is not None:
                    self._witness(Comparison(part.rows[position], part.rows[candidate], code, verdict))
                if verdict.same:
                    self.duplicates.append(part.rows[position])
                    self.firsts.append(part.rows[candidate])
                    self.steps.append(verdict.step)
                    return candidate
                tried.add(candidate)
                self.equal_id_rejected += item.id is not None and first.id == item.id
        return position
