"""Group results that are the same document; a key that rows share proposes which groups to compare.

Many different documents may have one title, such as "Home". Comparing each with all before would take quadratic time,
so once a text proposes more than a few groups, only those are compared whose first occurrence is at the place of the
result: another place separates the two. Results whose place may not decide are compared with everything, and everything
with them: those without a URL, and those without a type that have a complete id of some type. Where both results have
one type, equal ids of it are a key of their own, which was tried before any text. So the outcome is that of trying
every group. The oldest is compared in any case, which lets an explanation say why nothing was found.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import chain, pairwise
from typing import TYPE_CHECKING, NamedTuple

from goldproof.dedup.comparison import decide
from goldproof.records.traces import RESULT_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from goldproof.dedup.comparison import Verdict
    from goldproof.dedup.items import ComparedItem
    from goldproof.dedup.rules import Rules, TypeRules


class GroupPart(NamedTuple):
    """Rows of whole conversations with their items; row i has the codes `bounds[i]:bounds[i + 1]`, strongest first."""

    rows: Sequence[int]
    items: Sequence[ComparedItem]
    codes: Sequence[int]
    bounds: Sequence[int]


class GroupComparison(NamedTuple):
    """A row compared with the first row of a group, which the key of this code proposed."""

    row: int
    candidate: int
    code: int
    verdict: Verdict


class Grouping:
    """Finds, row after row, the earlier row of which each is a duplicate.

    weak_from: codes from here on are those of texts, which many different documents may share.
    duplicates: the duplicate rows. firsts, steps: for each its first occurrence, and the step that decided.
    equal_id_rejected: how many comparisons found results of equal id to be different.
    """

    def __init__(
        self, rules: Rules, *, weak_from: int, witness: Callable[[GroupComparison], None] | None = None
    ) -> None:
        self._rules = rules
        self._weak_from = weak_from
        self._witness = witness
        self.duplicates: list[int] = []
        self.firsts: list[int] = []
        self.steps: list[str] = []
        self.equal_id_rejected = 0

    def add(self, part: GroupPart) -> None:
        """Group the next rows."""
        proposals = Proposals(part.items, rules=self._rules, weak_from=self._weak_from)
        for position, (low, high) in enumerate(pairwise(part.bounds)):
            codes = part.codes[low:high]
            seen = not proposals.groups.keys().isdisjoint(codes)
            group = self._find(part, position, codes=codes, proposals=proposals) if seen else position
            proposals.add(group, codes)

    def _find(self, part: GroupPart, position: int, *, codes: Sequence[int], proposals: Proposals) -> int:
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
                    self._witness(GroupComparison(part.rows[position], part.rows[candidate], code, verdict))
                if verdict.same:
                    self.duplicates.append(part.rows[position])
                    self.firsts.append(part.rows[candidate])
                    self.steps.append(verdict.step)
                    return candidate
                tried.add(candidate)
                self.equal_id_rejected += item.id is not None and first.id == item.id
        return position


_FEW = 16

# Place -> groups whose first occurrence is there; None -> those to be compared with everything.
_Crowd = dict[str | None, list[int]]


class Proposals:
    """The groups that each key proposes; a group is the position of its first row.

    weak_from: codes from here on are those of texts. groups: by code, oldest first.
    """

    def __init__(self, items: Sequence[ComparedItem], *, rules: Rules, weak_from: int) -> None:
        self._items = items
        self._with_ids = [typed for typed in rules.types if typed.ids]
        self._ids_in_columns = any(name in RESULT_COLUMNS for typed in self._with_ids for name in chain(*typed.ids))
        self._weak_from = weak_from
        self._crowds: dict[int, _Crowd] = {}
        self.groups: dict[int, list[int]] = {}

    def add(self, group: int, codes: Sequence[int]) -> None:
        """Let some keys propose a group."""
        groups = self.groups
        for code in codes:
            known = groups.get(code)
            if known is None:
                groups[code] = [group]
            elif known[-1] != group and _insert(known, group) and len(known) > _FEW and code >= self._weak_from:
                self._add_to_crowd(group, code=code)

    def candidates(self, item: ComparedItem, *, code: int) -> Sequence[int]:
        """Return the groups to compare an item with, oldest first."""
        known = self.groups.get(code)
        if known is None or code not in self._crowds:
            return known or ()
        crowd, place = self._crowds[code], self._deciding_place(item)
        return known if place is None else sorted({known[0], *crowd.get(place, ()), *crowd.get(None, ())})

    def _add_to_crowd(self, group: int, *, code: int) -> None:
        new = [group] if code in self._crowds else self.groups[code]
        crowd = self._crowds.setdefault(code, {})
        for member in new:
            crowd.setdefault(self._deciding_place(self._items[member]), []).append(member)

    def _deciding_place(self, item: ComparedItem) -> str | None:
        """Return the place of an item; None where another place need not mean another document."""
        may_have_id = item.type is None and (item.fields or self._ids_in_columns)
        if may_have_id and any(_has_id(item.under(rules), rules) for rules in self._with_ids):
            return None
        return item.place


def _insert(known: list[int], group: int) -> bool:
    """Add a number to ascending ones; return whether it is new."""
    place = bisect_left(known, group)
    new = place == len(known) or known[place] != group
    if new:
        known.insert(place, group)
    return new


def _has_id(item: ComparedItem, rules: TypeRules) -> bool:
    return any(all(item.value(name) is not None for name in names) for names in rules.ids)
