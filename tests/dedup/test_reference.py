"""The fast marking against a plain one: readable keys, every earlier group in order, nothing hashed."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given

from goldproof.dedup import DEFAULT_RULES, TypeRules, decide, explain_marks, mark_duplicates
from goldproof.dedup import groups as module
from goldproof.dedup.items import Items
from tests.dedup.strategies import conversations, random_pair
from tests.dedup.tables import table

if TYPE_CHECKING:
    from goldproof.dedup import ComparedItem, Rules
    from goldproof.records.arrays import IntArray
    from tests.dedup.tables import Row

# An untyped result may then have the id of a type without any field.
BY_ID = replace(DEFAULT_RULES, types=(*DEFAULT_RULES.types, TypeRules("recipe", ids=(("id",),))))


def keys_of(item: ComparedItem) -> list[tuple[object, ...]]:
    """The strongest first."""
    keys: list[tuple[object, ...]] = []
    for alternative, names in enumerate(item.rules.ids):
        values = tuple(item.value(name) for name in names)
        if None not in values:
            keys.append(("specific", alternative, item.rules.name, *values))
    if not keys and item.id is not None:
        keys.append(("id", item.id))
    if item.place is not None:
        keys.append(("url", item.place, item.params))
    for alternative, names in enumerate(item.rules.same_if):
        values = tuple(item.value(name) for name in names)
        if None not in values:
            keys.append(("type rule", alternative, item.rules.name, *values))
    return keys + [(name, item.value(name)) for name in ("snippet", "title") if getattr(item, name) is not None]


def mark_slowly(items: list[ComparedItem], rules: Rules) -> list[int]:
    """One conversation: compare each result with the first of every group that shares a key with it."""
    origin: list[int] = []
    keys = [keys_of(item) for item in items]
    for row, item in enumerate(items):
        found = row
        for key in keys[row]:
            groups = sorted({origin[earlier] for earlier in range(row) if key in keys[earlier]})
            same = [group for group in groups if decide(items[group], item, rules).same]
            if same:
                found = same[0]
                break
        origin.append(found)
    return origin


@pytest.mark.parametrize(
    "rules", [DEFAULT_RULES, replace(DEFAULT_RULES, long_snippet=3)], ids=["default", "short snippets count"]
)
@given(many=conversations())
def test_the_fast_marking_is_the_plain_one(rules: Rules, many: list[list[Row]]) -> None:
    rows = list(itertools.chain(*many))
    starts = np.array([0, *itertools.accumulate(map(len, many))])
    assert mark_duplicates(table(rows), starts, rules=rules).origin.tolist() == marked_slowly(rows, starts, rules=rules)


@pytest.mark.parametrize("few", [0, 1, 3, 16])
@pytest.mark.parametrize("rules", [DEFAULT_RULES, BY_ID], ids=["default", "ids among the columns"])
def test_passing_over_what_is_elsewhere_changes_nothing(
    few: int, rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_FEW", few)
    drawn = random.Random(few)
    for _ in range(12):
        rows = list(itertools.chain(*(random_pair(drawn) for _ in range(40))))
        starts = np.array([0, len(rows)])
        decisions = explain_marks(table(rows), starts, rules=rules)
        assert [one.origin for one in decisions] == marked_slowly(rows, starts, rules=rules)
        # What shares a key was compared with something: the reason is never that nothing does.
        items = Items(table(rows), rules).make(np.arange(len(rows)))
        seen: set[object] = set()
        for one, item in zip(decisions, items, strict=True):
            assert bool(one.trials) == (not seen.isdisjoint(keys_of(item)))
            seen |= set(keys_of(item))


def marked_slowly(rows: list[Row], starts: IntArray, *, rules: Rules) -> list[int]:
    items = Items(table(rows), rules).make(np.arange(len(rows)))
    expected: list[int] = []
    for low, high in itertools.pairwise(starts.tolist()):
        expected += [low + origin for origin in mark_slowly(items[low:high], rules)]
    return expected
