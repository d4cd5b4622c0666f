"""Groups of results that are the same document, built row by row."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from goldproof.dedup.proposals import Proposals
from goldproof.dedup.verification import decide

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from goldproof.dedup.items import Item
    from goldproof.dedup.rules import Rules
    from goldproof.dedup.verification import Verdict


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

    weak_from: codes from here on are those of texts, which many different documents may share.
    duplicates: the rows that are. firsts, steps: for each of them its first occurrence, and the step that decided.
    equal_id_rejected: how many comparisons found results of equal id to be different.
    """

    def __init__(self, rules: Rules, *, weak_from: int, witness: Callable[[Comparison], None] | None = None) -> None:
        self._rules = rules
        self._weak_from = weak_from
        self._witness = witness
        self.duplicates: list[int] = []
        self.firsts: list[int] = []
        self.steps: list[str] = []
        self.equal_id_rejected = 0

    def add(self, part: Part) -> None:
        """Take the next rows."""
        proposals = Proposals(part.items, rules=self._rules, weak_from=self._weak_from)
        for position, (low, high) in enumerate(pairwise(part.bounds)):
            codes = part.codes[low:high]
            seen = not proposals.groups.keys().isdisjoint(codes)
            group = self._find(part, position, codes=codes, proposals=proposals) if seen else position
            proposals.add(group, codes)

    def _find(self, part: Part, position: int, *, codes: Sequence[int], proposals: Proposals) -> int:
        """Return the first group proposed that is the same document, or else the row's own position."""
        item = part.items[position]
        tried: set[int] = set()
        for code in codes:
            for candidate in proposals.candidates(item, code=code):
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
