"""The comparison against one that was written down a second time."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from goldproof.dedup import DEFAULT_RULES, STEPS, TypeRules, decide
from tests.dedup.plain_decide import plain_decide
from tests.dedup.strategies import pairs, random_pair
from tests.dedup.tables import items, step

if TYPE_CHECKING:
    from tests.dedup.tables import Row

RECIPE = TypeRules("recipe", ids=(("project", "line"),), same_if=(("author", "title"),), exact=("title", "author"))
RULES = {
    "default": DEFAULT_RULES,
    "short snippets count": replace(DEFAULT_RULES, long_snippet=3),
    "a type of one's own": replace(DEFAULT_RULES, types=(*DEFAULT_RULES.types, RECIPE)),
}


@settings(max_examples=60)
@given(pairs())
def test_the_comparison_is_the_plain_one(pair: tuple[Row, Row]) -> None:
    for rules in RULES.values():
        assert step(*pair, rules=rules) == plain_decide(*pair, rules)


@pytest.mark.parametrize("name", RULES)
def test_the_comparison_is_the_plain_one_for_thousands_of_pairs_and_every_step(name: str) -> None:
    random, rules = Random(11), RULES[name]
    drawn = [random_pair(random) for _ in range(2000)]
    read = items(*chain(*drawn), rules=rules)
    seen = set()
    for pair, a, b in zip(drawn, read[::2], read[1::2], strict=True):
        found = decide(a, b, rules)
        seen.add((found.same, found.step))
        assert (found.same, found.step) == plain_decide(*pair, rules), f"{pair}: {found.why}"
    assert {step for _, step in seen} == set(STEPS)
    # Four steps answer both ways, two only "same", one only "different".
    assert len(seen) == 4 * 2 + 2 + 1
