"""Krippendorff's alpha: agreement of any number of raters, any of whose ratings may be missing.

    alpha = 1 - D_o / D_e,    D_o = sum over c, k of o_ck delta(c, k),    D_e = sum of n_c n_k delta(c, k) / (n - 1)

A unit with m >= 2 ratings adds 1 / (m - 1) to o_ck for every ordered pair of its ratings; n_c is the number of pairable
ratings of value c, n their total. Units with fewer than two ratings cannot be paired and are left out. delta:

    nominal    1 if c != k
    ordinal    (n_c / 2 + sum of the n_g between c and k + n_k / 2)^2
    interval   (c - k)^2
    ratio      ((c - k) / (c + k))^2, values not negative, 0 where both are 0

The interval is a percentile bootstrap over units, seeded. Undefined: no unit with two ratings, or all pairable ratings
equal, where there is no variation against which to agree. Krippendorff (2011), Computing Krippendorff's
Alpha-Reliability.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np

from goldproof.core.errors import InputError, UnknownNameError
from goldproof.stats.outcome import Effect
from goldproof.stats.sample import checked_confidence

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from goldproof.core.arrays import FloatArray

Level = Literal["nominal", "ordinal", "interval", "ratio"]

_BLOCK = 50


class _Units(NamedTuple):
    """Units with at least two ratings; those rated alike are kept once, with their number.

    counts[u, c]: ratings of value c in a unit of kind u. repeats[u]: how many such units. values: ascending.
    """

    counts: FloatArray
    repeats: FloatArray
    values: FloatArray


def krippendorff_alpha(
    ratings: Sequence[Sequence[Hashable]],
    *,
    level: Level = "nominal",
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Effect:
    """Alpha of a table of ratings: one row per rater, one column per unit, None or NaN where one is missing.

    level: what differences between ratings mean; all but nominal need numbers. resamples: 0 for no interval.
    """
    if level not in get_args(Level):
        raise UnknownNameError("level", level, get_args(Level))
    checked_confidence(confidence)
    name = f"Krippendorff's alpha ({level})"
    units = _count(ratings, level=level)
    number = int(units.repeats.sum())
    if number == 0:
        return Effect(name, None, None, None, confidence, "No unit has two ratings.")
    if units.values.size == 1:
        return Effect(
            name, None, None, None, confidence, "All ratings are equal, so there is no variation to agree on."
        )
    value = float(_alphas(units.repeats[None], units, level=level)[0])
    if resamples < 1 or number < 2:
        what = "Without resamples" if resamples < 1 else "With one unit"
        note = f"{what} there is no interval."
        return Effect(name, value, None, None, confidence, note)
    drawn = _bootstrap(units, level=level, resamples=resamples, seed=seed)
    tail = (1 - confidence) / 2
    low, high = np.quantile(drawn, (tail, 1 - tail)).tolist()
    if low == high:
        return Effect(
            name, value, None, None, confidence, "Every resample gives the same alpha, so there is no interval."
        )
    return Effect(name, value, low, high, confidence, None)


def _count(ratings: Sequence[Sequence[Hashable]], *, level: Level) -> _Units:
    rows = [list(row) for row in ratings]
    if any(len(row) != len(rows[0]) for row in rows):
        raise InputError("ratings: the rows differ in length, expected one row per rater over the same units.")
    present = [
        (unit, value)
        for row in rows
        for unit, value in enumerate(row)
        if value is not None and value == value  # noqa: PLR0124  NaN differs from itself
    ]
    columns = _columns({value for _, value in present}, level=level)
    counts = np.zeros((len(rows[0]) if rows else 0, len(columns)))
    for unit, value in present:
        counts[unit, columns[value]] += 1
    counts = counts[counts.sum(axis=1) >= 2]
    used = counts.any(axis=0)
    kinds, repeats = np.unique(counts[:, used], axis=0, return_counts=True)
    return _Units(kinds, repeats.astype(np.float64), np.array(_scale(columns, level=level))[used])


def _columns(found: set[Hashable], *, level: Level) -> dict[Hashable, int]:
    if level == "nominal":
        return {value: column for column, value in enumerate(sorted(found, key=repr))}
    wrong = [value for value in found if not isinstance(value, int | float | np.integer | np.floating)]
    if wrong:
        raise InputError(f"ratings: found {wrong[0]!r}, expected numbers for level {level!r}. Use level='nominal'.")
    if level == "ratio" and any(_number(value) < 0 for value in found):
        raise InputError("ratings: found a negative number, expected none for level 'ratio'. Use level='interval'.")
    return {value: column for column, value in enumerate(sorted(found, key=_number))}


def _scale(columns: dict[Hashable, int], *, level: Level) -> list[float]:
    return [float(c) for c in columns.values()] if level == "nominal" else [_number(value) for value in columns]


def _number(rating: Hashable) -> float:
    return float(rating)  # type: ignore[arg-type]  # only called on numbers


def _bootstrap(units: _Units, *, level: Level, resamples: int, seed: int) -> FloatArray:
    source = np.random.Generator(np.random.PCG64(seed))
    number = int(units.repeats.sum())
    share = units.repeats / number
    blocks = []
    for start in range(0, resamples, _BLOCK):
        weights = source.multinomial(number, share, size=min(_BLOCK, resamples - start))
        blocks.append(_alphas(weights.astype(np.float64), units, level=level))
    return np.concatenate(blocks)


def _alphas(weights: FloatArray, units: _Units, *, level: Level) -> FloatArray:
    """Alpha for each row of unit weights. A row without any variation agrees fully: 1."""
    totals = weights @ units.counts
    number = totals.sum(axis=1)
    weighted = weights / (units.counts.sum(axis=1) - 1)
    if level in ("nominal", "ratio"):
        delta = _delta(units.values, level=level)
        observed = weighted @ _within(units.counts, delta)
        expected = _within(totals, delta)
    else:
        places = _places(units.values, totals, level=level)
        observed = (weighted * _within_places(units.counts[None], places[:, None])).sum(axis=1)
        expected = _within_places(totals, places)
    varied = np.count_nonzero(totals, axis=1) > 1
    ratio = np.divide(observed * (number - 1), expected, out=np.zeros(len(weights)), where=varied)
    return np.asarray(1 - ratio)


def _within(counts: FloatArray, delta: FloatArray) -> FloatArray:
    """The sum of delta over ordered pairs of each row's ratings."""
    return np.asarray(((counts @ delta) * counts).sum(axis=1))


def _within_places(counts: FloatArray, places: FloatArray) -> FloatArray:
    """The same for squared distances of places, by their moments: 2 (m sum(n x^2) - (sum(n x))^2)."""
    first, second = (counts * places).sum(axis=-1), (counts * np.square(places)).sum(axis=-1)
    return np.asarray(2 * (counts.sum(axis=-1) * second - np.square(first)))


def _delta(values: FloatArray, *, level: Level) -> FloatArray:
    """The distance of each pair of values."""
    if level == "nominal":
        return 1 - np.eye(values.size)
    difference, together = np.subtract.outer(values, values), np.add.outer(values, values)
    return np.square(np.divide(difference, together, out=np.zeros_like(difference), where=together > 0))


def _places(values: FloatArray, totals: FloatArray, *, level: Level) -> FloatArray:
    """Where each value lies, per row of totals: its middle rank, or the value itself, centred."""
    if level == "ordinal":
        return np.asarray(np.cumsum(totals, axis=1) - totals / 2 - totals.sum(axis=1, keepdims=True) / 2)
    return np.broadcast_to(values - values.mean(), totals.shape)
