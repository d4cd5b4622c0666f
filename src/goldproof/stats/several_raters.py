"""Agreement of several raters: Krippendorff's alpha, Fleiss' kappa and Gwet's AC1.

Krippendorff's alpha of any number of raters, ratings may be missing:

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

Fleiss' kappa and Gwet's AC1 of any number of raters, on categories without order:

    (p_a - p_e) / (1 - p_e),    p_a = mean over units with m >= 2 ratings of  sum over c of r_c (r_c - 1) / (m (m - 1))

r_c of the m ratings of a unit are c. They differ in the agreement by chance: with p_c the mean over units of r_c / m,

    Fleiss' kappa   p_e = sum of p_c^2
    Gwet's AC1      p_e = sum of p_c (1 - p_c) / (q - 1),  q = number of categories, used or not

The kappa paradox: where nearly all ratings are one category, p_e of a kappa is close to 1, and kappa is low however
often raters agree. AC1 has a p_e close to 0 there. Fleiss' kappa needs as many ratings of every unit; AC1 takes units
with fewer, and one with a single rating counts in p_c alone. Intervals as for alpha, or by resampling clusters of
units. Undefined: no unit with two ratings; Fleiss' kappa where ratings are missing or all equal; AC1 with one category.
Fleiss (1971), Psychological Bulletin 76; Gwet (2008), British Journal of Mathematical and Statistical Psychology 61.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np

from goldproof.errors import InputError, UnknownNameError
from goldproof.stats.agreement import MOST_UNDEFINED, ROUNDING, as_number, ordered_categories
from goldproof.stats.results import Effect
from goldproof.stats.samples import checked_confidence

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from goldproof.records.arrays import FloatArray


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
    """Return alpha of a table of ratings: a row per rater, a column per unit, None or NaN where a rating is missing.

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
        basis = "Without resamples" if resamples < 1 else "With one unit"
        return Effect(name, value, None, None, confidence, f"{basis} there is no interval.")
    drawn = _bootstrap(units, level=level, resamples=resamples, seed=seed)
    tail = (1 - confidence) / 2
    low, high = np.quantile(drawn, (tail, 1 - tail)).tolist()
    if low == high:
        return Effect(
            name, value, None, None, confidence, "Every resample gives the same alpha, so there is no interval."
        )
    return Effect(name, value, low, high, confidence, None)


def _count(ratings: Sequence[Sequence[Hashable]], *, level: Level) -> _Units:
    present, units = _present(ratings)
    columns = _columns({value for _, value in present}, level=level)
    counts = _counts(present, columns, units=units)
    counts = counts[counts.sum(axis=1) >= 2]
    used = counts.any(axis=0)
    kinds, repeats = np.unique(counts[:, used], axis=0, return_counts=True)
    return _Units(kinds, repeats.astype(np.float64), np.array(_scale(columns, level=level))[used])


def _present(ratings: Sequence[Sequence[Hashable]]) -> tuple[list[tuple[int, Hashable]], int]:
    """Return (unit, rating) of every rating that is not missing, and the number of units."""
    rows = [list(row) for row in ratings]
    if any(len(row) != len(rows[0]) for row in rows):
        raise InputError("ratings: the rows differ in length, expected one row per rater over the same units.")
    present = [
        (unit, value)
        for row in rows
        for unit, value in enumerate(row)
        if value is not None and value == value  # noqa: PLR0124  NaN differs from itself
    ]
    return present, len(rows[0]) if rows else 0


def _counts(present: Sequence[tuple[int, Hashable]], columns: dict[Hashable, int], *, units: int) -> FloatArray:
    """Return how often each unit is rated each value."""
    counts = np.zeros((units, len(columns)))
    for unit, value in present:
        counts[unit, columns[value]] += 1
    return counts


def _columns(ratings: set[Hashable], *, level: Level) -> dict[Hashable, int]:
    if level == "nominal":
        return {value: column for column, value in enumerate(sorted(ratings, key=repr))}
    wrong = [value for value in ratings if not isinstance(value, int | float | np.integer | np.floating)]
    if wrong:
        raise InputError(f"ratings: found {wrong[0]!r}, expected numbers for level {level!r}. Use level='nominal'.")
    if level == "ratio" and any(as_number(value) < 0 for value in ratings):
        raise InputError("ratings: found a negative number, expected none for level 'ratio'. Use level='interval'.")
    return {value: column for column, value in enumerate(sorted(ratings, key=as_number))}


def _scale(columns: dict[Hashable, int], *, level: Level) -> list[float]:
    return [float(c) for c in columns.values()] if level == "nominal" else [as_number(value) for value in columns]


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
    """Return alpha for each row of unit weights. A row without any variation agrees fully: 1."""
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
    """Return the sum of delta over ordered pairs of each row's ratings."""
    return np.asarray(((counts @ delta) * counts).sum(axis=1))


def _within_places(counts: FloatArray, places: FloatArray) -> FloatArray:
    """Return the same for squared distances of places, by their moments: 2 (m sum(n x^2) - (sum(n x))^2)."""
    first, second = (counts * places).sum(axis=-1), (counts * np.square(places)).sum(axis=-1)
    return np.asarray(2 * (counts.sum(axis=-1) * second - np.square(first)))


def _delta(values: FloatArray, *, level: Level) -> FloatArray:
    """Return the distance of each pair of values."""
    if level == "nominal":
        return 1 - np.eye(values.size)
    difference, together = np.subtract.outer(values, values), np.add.outer(values, values)
    return np.square(np.divide(difference, together, out=np.zeros_like(difference), where=together > 0))


def _places(values: FloatArray, totals: FloatArray, *, level: Level) -> FloatArray:
    """Return where each value lies, per row of totals: its middle rank, or the value itself, centred."""
    if level == "ordinal":
        return np.asarray(np.cumsum(totals, axis=1) - totals / 2 - totals.sum(axis=1, keepdims=True) / 2)
    return np.broadcast_to(values - values.mean(), totals.shape)


def fleiss_kappa(
    ratings: Sequence[Sequence[Hashable]],
    *,
    clusters: Sequence[Hashable] | None = None,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Effect:
    """Return Fleiss' kappa of a table of ratings: a row per rater, a column per unit, none missing.

    clusters: of each unit, such as its question; resampled as a whole. resamples: 0 for no interval.
    """
    checked_confidence(confidence)
    present, units = _present(ratings)
    counts = _counts(present, _columns({value for _, value in present}, level="nominal"), units=units)
    sizes = counts.sum(axis=1)
    unequal = "" if not units or sizes.min() == sizes.max() else f"from {sizes.min():.0f} to {sizes.max():.0f}"
    problem = (
        _unpaired(counts)
        or (unequal and f"Units have {unequal} ratings; Fleiss' kappa needs as many of every unit.")
        or ("All ratings are equal, so there is no variation to agree on." if counts.shape[1] == 1 else "")
    )
    plain = Effect("Fleiss' kappa", None, None, None, confidence, problem or None)
    return _chance_corrected(plain, counts, by_chance=_by_chance_fleiss, clusters=clusters, drawn=(resamples, seed))


def gwet_ac1(
    ratings: Sequence[Sequence[Hashable]],
    *,
    categories: Sequence[Hashable] | None = None,
    clusters: Sequence[Hashable] | None = None,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Effect:
    """Return Gwet's AC1 of a table of ratings: a row per rater, a column per unit, None or NaN where one is missing.

    categories: all that could be chosen; without it those that occur. clusters: of each unit, such as its question;
    resampled as a whole. resamples: 0 for no interval.
    """
    checked_confidence(confidence)
    present, units = _present(ratings)
    chosen = [value for _, value in present]
    columns = (
        _columns(set(chosen), level="nominal")
        if categories is None
        else ordered_categories(chosen, categories=categories, weighted=False)
    )
    counts = _counts(present, columns, units=units)
    alone = "There is one category, so no agreement by chance can be computed; name all with categories=[...]."
    problem = _unpaired(counts) or (alone if len(columns) == 1 else "")
    plain = Effect("Gwet's AC1", None, None, None, confidence, problem or None)
    return _chance_corrected(plain, counts, by_chance=_by_chance_ac1, clusters=clusters, drawn=(resamples, seed))


def _unpaired(counts: FloatArray) -> str:
    return "" if (counts.sum(axis=1) >= 2).any() else "No unit has two ratings."


def _by_chance_fleiss(shares: FloatArray) -> FloatArray:
    return np.asarray(np.square(shares).sum(axis=1))


def _by_chance_ac1(shares: FloatArray) -> FloatArray:
    return np.asarray((shares * (1 - shares)).sum(axis=1) / (shares.shape[1] - 1))


def _chance_corrected(
    plain: Effect,
    counts: FloatArray,
    *,
    by_chance: Callable[[FloatArray], FloatArray],
    clusters: Sequence[Hashable] | None,
    drawn: tuple[int, int],
) -> Effect:
    """Return the coefficient with its interval, or `plain` as it is where its note says why there is none.

    drawn: the number of resamples, and the seed.
    """
    if clusters is not None and len(clusters) != len(counts):
        raise InputError(f"clusters: found {len(clusters)}, expected one for each of the {len(counts)} units.")
    if plain.note:
        return plain
    tallies = _tallies(counts)
    value = float(_coefficients(tallies.sum(axis=0)[None], by_chance)[0])
    resamples, seed = drawn
    groups = _unit_groups(tallies, clusters)
    if resamples < 1 or groups.number < 2:
        few = "cluster" if clusters is not None else "unit"
        basis = "Without resamples" if resamples < 1 else f"With one {few}"
        return replace(plain, value=value, note=f"{basis} there is no interval.")
    source = np.random.Generator(np.random.PCG64(seed))
    values = []
    for start in range(0, resamples, _BLOCK):
        times = source.multinomial(groups.number, groups.shares, size=min(_BLOCK, resamples - start))
        values.append(_coefficients(times @ groups.sums, by_chance))
    found = np.concatenate(values)
    finite = found[np.isfinite(found)]
    if found.size - finite.size > MOST_UNDEFINED * found.size:
        lost = f"It has no value on {found.size - finite.size} of {found.size} resamples"
        return replace(plain, value=value, note=f"{lost}, so there is no interval.")
    tail = (1 - plain.confidence) / 2
    low, high = np.quantile(finite, (tail, 1 - tail)).tolist()
    if low == high:
        return replace(plain, value=value, note="Every resample gives the same value, so there is no interval.")
    by = None if clusters is None else f"The interval is by resampling {groups.number} clusters."
    return replace(plain, value=value, low=low, high=high, note=by)


class _Groups(NamedTuple):
    """What is resampled: `number` draws from kinds of units (or clusters) with these shares, and the sums of each."""

    number: int
    shares: FloatArray
    sums: FloatArray


def _unit_groups(tallies: FloatArray, clusters: Sequence[Hashable] | None) -> _Groups:
    if clusters is None:
        kinds, repeats = np.unique(tallies, axis=0, return_counts=True)
        return _Groups(len(tallies), repeats / len(tallies), kinds)
    places: dict[Hashable, int] = {}
    codes = [places.setdefault(cluster, len(places)) for cluster in clusters]
    sums = np.zeros((len(places), tallies.shape[1]))
    np.add.at(sums, codes, tallies)
    return _Groups(len(places), np.full(len(places), 1 / len(places)), sums)


def _tallies(counts: FloatArray) -> FloatArray:
    """Return of each unit: its agreement, whether it has a pair, whether it is rated, its share of each category."""
    m = counts.sum(axis=1)
    agreement = np.divide((counts * (counts - 1)).sum(axis=1), m * (m - 1), out=np.zeros(len(m)), where=m >= 2)
    return np.column_stack([agreement, m >= 2, m >= 1, counts / np.maximum(m, 1)[:, None]])


def _coefficients(sums: FloatArray, by_chance: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """Return the coefficient of each row of summed tallies; NaN where it has no value."""
    agreed, pairs, rated, shares = sums[:, 0], sums[:, 1], sums[:, 2], sums[:, 3:]
    expected = by_chance(shares / np.maximum(rated, 1)[:, None])
    defined = (pairs > 0) & (expected < 1 - ROUNDING)
    observed = np.divide(agreed, pairs, out=np.zeros(len(sums)), where=pairs > 0)
    return np.asarray(np.divide(observed - expected, 1 - expected, out=np.full(len(sums), np.nan), where=defined))
