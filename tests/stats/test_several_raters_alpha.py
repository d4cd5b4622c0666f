"""Krippendorff's alpha on his published example, against its definition, and on degenerate tables."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from goldproof.errors import InputError, UnknownNameError
from goldproof.stats.agreement import cohen_kappa
from goldproof.stats.several_raters import Level, krippendorff_alpha

if TYPE_CHECKING:
    from collections.abc import Sequence

NA = None
# Krippendorff (2011), example C: four observers, twelve units, some ratings missing.
PUBLISHED = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NA, NA, NA],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NA, 3],
    [NA, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NA],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NA],
]
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")


@pytest.mark.parametrize(
    ("level", "expected"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_published_example(level: Level, expected: float) -> None:
    assert krippendorff_alpha(PUBLISHED, level=level).value == pytest.approx(expected, abs=5e-4)


def test_two_observers_of_the_published_binary_example() -> None:
    # Krippendorff (2011), example A: o_01 = 4, n_0 = 14, n_1 = 6, n = 20: alpha = 1 - 19 * 4 / (14 * 6) = 0.095
    first = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    second = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    assert krippendorff_alpha([first, second]).value == pytest.approx(1 - 19 * 4 / (14 * 6))


def by_definition(table: Sequence[Sequence[int | None]], level: Level) -> float:
    """Coincidences pair by pair, as the definition has them."""
    units = [[row[u] for row in table if row[u] is not None] for u in range(len(table[0]))]
    units = [unit for unit in units if len(unit) > 1]
    values = sorted({v for unit in units for v in unit if v is not None})
    count = {v: sum(unit.count(v) for unit in units) for v in values}

    def delta(c: int, k: int) -> float:
        low, high = min(c, k), max(c, k)
        if level == "nominal":
            return float(c != k)
        if level == "ordinal":
            return (sum(count[g] for g in values if low <= g <= high) - (count[c] + count[k]) / 2) ** 2
        if level == "interval":
            return float((c - k) ** 2)
        return ((c - k) / (c + k)) ** 2 if c + k else 0.0

    observed = sum(
        delta(cast("int", x), cast("int", y)) / (len(unit) - 1)
        for unit in units
        for x, y in itertools.permutations(unit, 2)
    )
    expected = sum(count[c] * count[k] * delta(c, k) for c in values for k in values if c != k)
    return 1 - observed * (sum(count.values()) - 1) / expected


@pytest.mark.parametrize("level", LEVELS)
@settings(deadline=None)
@given(
    table=st.integers(2, 8).flatmap(
        lambda units: st.lists(
            st.lists(st.none() | st.integers(0, 4), min_size=units, max_size=units), min_size=2, max_size=4
        )
    )
)
def test_agrees_with_the_definition(level: Level, table: list[list[int | None]]) -> None:
    ours = krippendorff_alpha(table, level=level, resamples=0)
    assume(ours.value is not None)
    assert ours.value == pytest.approx(by_definition(table, level), abs=1e-9)


def test_interval_is_seeded_holds_the_value_and_shrinks_with_more_units() -> None:
    generator = np.random.default_rng(0)
    truth = generator.integers(0, 3, 400)
    table = [np.where(generator.random(400) < 0.8, truth, generator.integers(0, 3, 400)).tolist() for _ in range(3)]
    many, few = krippendorff_alpha(table), krippendorff_alpha([row[:50] for row in table])
    assert krippendorff_alpha(table) == many
    assert krippendorff_alpha(table, seed=1) != many
    assert many.low is not None
    assert many.high is not None
    assert many.low < (many.value or 0) < many.high
    assert few.low is not None
    assert few.high is not None
    assert many.high - many.low < (few.high - few.low) / 2


def test_for_two_raters_and_many_units_it_is_close_to_kappa() -> None:
    generator = np.random.default_rng(1)
    a = generator.integers(0, 3, 3000)
    b = np.where(generator.random(3000) < 0.7, a, generator.integers(0, 3, 3000))
    kappa = cohen_kappa(a.tolist(), b.tolist()).value
    assert krippendorff_alpha([a.tolist(), b.tolist()], resamples=0).value == pytest.approx(kappa, abs=0.002)


def test_text_is_nominal() -> None:
    words: list[list[str | None]] = [["cat", "dog", "dog", None], ["cat", "dog", "cat", "cow"]]
    numbers: list[list[int | None]] = [[1, 2, 2, None], [1, 2, 1, 3]]
    assert krippendorff_alpha(words).value == pytest.approx(krippendorff_alpha(numbers).value)


def test_large_offsets_do_not_spoil_interval_ratings() -> None:
    table = [[0.5, 1.0, 2.0], [0.5, 1.0, 2.5]]
    moved = [[value + 1e9 for value in row] for row in table]
    here, there = (krippendorff_alpha(t, level="interval", resamples=0).value for t in (table, moved))
    assert here == pytest.approx(there, rel=1e-6)


@pytest.mark.parametrize("level", LEVELS)
def test_degenerate_tables(level: Level) -> None:
    assert krippendorff_alpha([], level=level).note == "No unit has two ratings."
    assert krippendorff_alpha([[1, 2]], level=level).note == "No unit has two ratings."
    assert krippendorff_alpha([[1, None], [float("nan"), 2]], level=level).note == "No unit has two ratings."
    assert "no variation" in (krippendorff_alpha([[3, 3], [3, 3]], level=level).note or "")
    one = krippendorff_alpha([[1], [2]], level=level)
    assert one.value == pytest.approx(0.0)
    assert (one.low, one.note) == (None, "With one unit there is no interval.")
    full = krippendorff_alpha([[1, 2], [1, 2]], level=level)
    assert (full.value, full.low, full.high) == (1.0, None, None)
    assert full.note == "Every resample gives the same alpha, so there is no interval."


def test_what_cannot_be_rated_is_refused() -> None:
    with pytest.raises(InputError, match="differ in length"):
        krippendorff_alpha([[1, 2], [1]])
    with pytest.raises(InputError, match="expected numbers for level 'interval'"):
        krippendorff_alpha([["x"], ["y"]], level="interval")
    with pytest.raises(InputError, match="negative"):
        krippendorff_alpha([[-1], [2]], level="ratio")
    with pytest.raises(InputError, match="confidence"):
        krippendorff_alpha([[1], [2]], confidence=0)
    with pytest.raises(UnknownNameError, match="did you mean 'nominal'"):
        krippendorff_alpha([[1], [2]], level=cast("Level", "nominale"))
