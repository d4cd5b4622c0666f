"""Filling slots so that colours come out level: as many as possible, and no other way is more level."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from goldproof.jobs.build.sampling.quotas import Slot, Supply, level_fill

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from random import Random

SLOTS: list[Slot] = [("a",), ("b",), ("c",)]
COLOURS = "xyz"
places_by_slot = st.fixed_dictionaries({slot: st.integers(0, 2) for slot in SLOTS})
supplies = st.dictionaries(st.tuples(st.sampled_from(SLOTS), st.sampled_from(COLOURS)), st.integers(0, 2), max_size=7)
starts = st.dictionaries(st.sampled_from(COLOURS), st.fractions(-3, 3, max_denominator=3))


def fill(places: Mapping[Slot, int], supply: Mapping[tuple[Slot, str], int], **start: Fraction | int) -> Supply:
    return level_fill(places, supply, start=start, prefer=lambda _slot, _colour, taken: taken)


def by_colour(taken: Mapping[tuple[Slot, str], int]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for (_, colour), n in taken.items():
        counts[colour] += n
    return counts


def every_fill(places: Mapping[Slot, int], supply: Mapping[tuple[Slot, str], int]) -> Iterator[Counter[str]]:
    """Every count per colour that fills as many places as possible."""
    keys = list(supply)
    most = {slot: min(n, sum(supply[key] for key in keys if key[0] == slot)) for slot, n in places.items()}
    for numbers in product(*(range(supply[key] + 1) for key in keys)):
        taken = dict(zip(keys, numbers, strict=True))
        if all(sum(n for key, n in taken.items() if key[0] == slot) == most[slot] for slot in places):
            yield by_colour(taken)


def test_the_lowest_colour_is_next() -> None:
    # x starts at 2: y is taken up to 2 first, then x and y in turn: 5 places are 3 y and 2 x
    assert fill({("a",): 5}, {(("a",), "x"): 9, (("a",), "y"): 9}, x=2) == {(("a",), "x"): 2, (("a",), "y"): 3}


def test_others_move_so_that_a_colour_with_one_slot_is_not_left_out() -> None:
    # y fits slot a only. x comes first by name, takes a, and must move to b: else y would come to nothing
    supply: Supply = {(("a",), "x"): 2, (("b",), "x"): 2, (("a",), "y"): 2}
    assert fill({("a",): 1, ("b",): 1}, supply) == {(("a",), "y"): 1, (("b",), "x"): 1}


def test_nothing_to_fill_or_nothing_to_fill_it_with_takes_nothing() -> None:
    assert fill({}, {}) == {}
    assert fill({("a",): 2}, {}) == {}
    assert fill({("a",): 0}, {(("a",), "x"): 2}) == {}
    assert fill({("a",): 2}, {(("b",), "x"): 2}) == {}


@settings(max_examples=500)
@given(places_by_slot, supplies, starts)
def test_no_other_way_to_fill_as_many_places_is_more_level(
    places: dict[Slot, int], supply: dict[tuple[Slot, str], int], start: dict[str, Fraction]
) -> None:
    taken = fill(places, supply, **start)
    for slot, n in places.items():
        there = sum(supply.get((slot, colour), 0) for colour in COLOURS)
        assert sum(taken.get((slot, colour), 0) for colour in COLOURS) == min(n, there)
    assert all(n <= supply[key] for key, n in taken.items())

    def costs(counts: Counter[str]) -> list[Fraction]:
        levels = [start.get(colour, Fraction(0)) + counts[colour] for colour in COLOURS]
        return [
            sum((level**2 for level in levels), Fraction(0)),
            sum((abs(level) for level in levels), Fraction(0)),
            max(abs(level) for level in levels),
            max(levels),
            -min(levels),
        ]

    # one result is the best by every one of these costs
    best = [min(cost) for cost in zip(*map(costs, every_fill(places, supply)), strict=True)]
    assert costs(by_colour(taken)) == best


@given(places_by_slot, supplies, starts, st.randoms(use_true_random=False))
def test_the_order_of_the_mappings_does_not_matter(
    places: dict[Slot, int], supply: dict[tuple[Slot, str], int], start: dict[str, Fraction], random: Random
) -> None:
    shuffled = list(supply)
    random.shuffle(shuffled)
    again = fill(dict(reversed(places.items())), {key: supply[key] for key in shuffled}, **start)
    assert list(again.items()) == list(fill(places, supply, **start).items())
