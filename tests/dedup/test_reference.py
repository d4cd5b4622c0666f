"""The fast marking against a plain one: readable keys, every earlier group in order, nothing hashed."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given

from karat.dedup import DEFAULT_RULES, decide, mark_duplicates
from karat.dedup.items import Items
from tests.dedup.strategies import conversations
from tests.dedup.tables import table

if TYPE_CHECKING:
    from karat.dedup import Item, Rules
    from tests.dedup.tables import Row


def keys_of(item: Item) -> list[tuple[object, ...]]:
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
    return keys + [(name, item.value(name)) for name in ("snippet", "title") if getattr(item, name) is not None]


def mark_slowly(items: list[Item], rules: Rules) -> list[int]:
    """One conversation: compare each result with the first of every group that shares a key with it."""
    origin: list[int] = []
    for row, item in enumerate(items):
        found = row
        for key in keys_of(item):
            groups = sorted({origin[earlier] for earlier in range(row) if key in keys_of(items[earlier])})
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
    items = Items(table(rows), rules).make(np.arange(len(rows)))
    expected: list[int] = []
    for low, high in itertools.pairwise(starts.tolist()):
        expected += [low + origin for origin in mark_slowly(items[low:high], rules)]
    assert mark_duplicates(table(rows), starts, rules=rules).origin.tolist() == expected
