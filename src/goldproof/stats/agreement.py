"""Agreement of two raters: Cohen's kappa, plain, weighted, and over clusters.

Several raters are in `several_raters.py`.

    kappa = 1 - sum(w_ij p_ij) / sum(w_ij p_i. p_.j)

p_ij = share of items that the first rater puts in category i and the second in j; p_i., p_.j their marginals. The
weight of a disagreement: 1 (plain), |i - j| ("linear") or (i - j)^2 ("quadratic"), in positions of the ordered
categories. The interval is normal with the large-sample variance of Fleiss, Cohen and Everitt (1969), cut at -1 and 1.

Full agreement has an estimated variance of zero and therefore no interval. Undefined: no items, or both raters used
a single, shared category, so that chance agreement is complete. Cohen (1960, 1968).

`clustered_kappa` is the same kappa with an interval by resampling whole clusters: the items of one question are not
independent, as the large-sample variance assumes. Every cluster is one table; a resample is a sum of tables.
Resamples on which kappa is undefined are left out; if they are more than one in twenty, there is no interval.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from goldproof.errors import InputError, UnknownNameError
from goldproof.stats.results import Effect
from goldproof.stats.samples import checked_confidence

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from goldproof.records.arrays import FloatArray, IntArray


Weights = Literal["linear", "quadratic"]

ROUNDING = 1e-13


def cohen_kappa(
    a: Sequence[Hashable],
    b: Sequence[Hashable],
    *,
    weights: Weights | None = None,
    categories: Sequence[Hashable] | None = None,
    confidence: float = 0.95,
) -> Effect:
    """Return kappa of two raters who rated the same items.

    categories: all categories in their order. Without it the ones that occur, sorted; text has no order of its own,
    so weights on text need it.
    """
    checked_confidence(confidence)
    first, second = list(a), list(b)
    if len(first) != len(second):
        raise InputError(f"kappa: a has {len(first)} ratings and b has {len(second)}, expected one each per item.")
    name = "Cohen's kappa" if weights is None else f"Cohen's kappa ({weights} weights)"
    if not first:
        return Effect(name, None, None, None, confidence, "There are no items.")
    order = ordered_categories(first + second, categories=categories, weighted=weights is not None)
    shares = np.zeros((len(order), len(order)))
    np.add.at(shares, ([order[x] for x in first], [order[x] for x in second]), 1.0)
    shares /= len(first)
    penalty = _penalties(len(order), weights)
    by_chance = float((penalty * np.outer(shares.sum(axis=1), shares.sum(axis=0))).sum())
    if by_chance <= 0.0:
        note = "Both raters gave every item the same category, so kappa is undefined."
        return Effect(name, None, None, None, confidence, note)
    value = 1 - float((penalty * shares).sum()) / by_chance
    width = _half_width(value, shares, penalty=penalty, n=len(first), confidence=confidence)
    if width == 0.0:
        note = "The estimated variance is zero, so there is no interval."
        return Effect(name, value, None, None, confidence, note)
    return Effect(name, value, max(-1.0, value - width), min(1.0, value + width), confidence, None)


def ordered_categories(
    ratings: Sequence[Hashable], *, categories: Sequence[Hashable] | None, weighted: bool
) -> dict[Hashable, int]:
    """Return the position of each category."""
    if categories is not None:
        order = {category: position for position, category in enumerate(categories)}
        unknown = next((rating for rating in ratings if rating not in order), None)
        if unknown is not None or len(order) != len(categories):
            problem = f"rating {unknown!r} is not among them" if unknown is not None else "a category is listed twice"
            raise InputError(f"categories: {problem}. List every category once, in order.")
        return order
    if any(rating is None or rating != rating for rating in ratings):  # noqa: PLR0124  NaN differs from itself
        raise InputError("kappa: a rating is missing. Leave the item out, or use krippendorff_alpha.")
    seen = dict.fromkeys(ratings)
    if not all(isinstance(rating, int | float | np.integer | np.floating) for rating in seen):
        if weighted:
            raise InputError("kappa: weights need an order, but the ratings are not numbers. Give categories=[...].")
        return {category: position for position, category in enumerate(seen)}
    return {category: position for position, category in enumerate(sorted(seen, key=as_number))}


def as_number(rating: Hashable) -> float:
    """Return a rating as a number."""
    return float(rating)  # type: ignore[arg-type]  # only called on numbers


def _penalties(size: int, weights: Weights | None) -> FloatArray:
    steps = np.abs(np.subtract.outer(np.arange(size), np.arange(size))).astype(np.float64)
    if weights is None:
        return np.minimum(steps, 1.0)
    if weights == "linear":
        return steps
    if weights == "quadratic":
        return np.square(steps)
    raise UnknownNameError("weights", weights, ("linear", "quadratic"))


def _half_width(value: float, shares: FloatArray, *, penalty: FloatArray, n: int, confidence: float) -> float:
    """Return half the width of the interval; 0 where the variance is only rounding."""
    from scipy import special  # noqa: PLC0415  scipy is slow to import

    merit = 1 - penalty / penalty.max()  # agreement weights: 1 on the diagonal, 0 for the worst disagreement
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    chance = float(rows @ merit @ columns)
    mean_merit = (merit @ columns)[:, None] + (rows @ merit)[None, :]
    spread = float((shares * np.square(merit - mean_merit * (1 - value))).sum())
    spread -= (value - chance * (1 - value)) ** 2
    if spread <= ROUNDING:
        return 0.0
    return -float(special.ndtri((1 - confidence) / 2)) * math.sqrt(spread / n) / (1 - chance)


RESAMPLES = 2_000

MOST_UNDEFINED = 0.05

_CONFUSION_BLOCK = 200


def confusion(truth: Sequence[int], said: Sequence[int], *, categories: int) -> IntArray:
    """Return the table: a row per label of the truth, a column per label of the other, from 0 to categories - 1."""
    cells = np.asarray(truth, dtype=np.int64) * categories + np.asarray(said, dtype=np.int64)
    return np.bincount(cells, minlength=categories * categories).reshape(categories, categories)


def clustered_kappa(
    truth: Sequence[int],
    said: Sequence[int],
    *,
    categories: int,
    clusters: Sequence[str],
    weights: Weights | None = None,
    confidence: float = 0.95,
    seed: int = 0,
) -> Effect:
    """Return kappa with an interval over clusters; the plain interval where every item is its own cluster."""
    checked_confidence(confidence)
    plain = cohen_kappa(list(truth), list(said), weights=weights, categories=range(categories), confidence=confidence)
    names, codes = np.unique(np.asarray(clusters, dtype=np.str_), return_inverse=True)
    if plain.value is None or len(names) == len(codes):
        return plain
    if len(names) < 2:
        note = "All items are in one cluster: an interval needs at least two clusters."
        return replace(plain, low=None, high=None, note=note)
    tables = _tables(truth, said, codes, categories=categories)
    drawn = _resampled(tables, penalty=_penalties(categories, weights), seed=seed)
    return _with_interval(plain, drawn, clusters=len(names), confidence=confidence)


def _tables(truth: Sequence[int], said: Sequence[int], codes: IntArray, *, categories: int) -> FloatArray:
    """Return a flat table per cluster."""
    size = categories * categories
    cells = np.asarray(truth, dtype=np.int64) * categories + np.asarray(said, dtype=np.int64)
    counts = np.bincount(codes * size + cells, minlength=(int(codes.max()) + 1) * size)
    return counts.reshape(-1, size).astype(np.float64)


def _resampled(tables: FloatArray, *, penalty: FloatArray, seed: int) -> FloatArray:
    """Return kappa on each resample of the clusters; NaN where it is undefined."""
    generator = np.random.default_rng(seed)
    clusters, categories = len(tables), len(penalty)
    kappas = []
    for _ in range(0, RESAMPLES, _CONFUSION_BLOCK):
        times = generator.multinomial(clusters, np.full(clusters, 1 / clusters), size=_CONFUSION_BLOCK)
        summed = (times @ tables).reshape(_CONFUSION_BLOCK, categories, categories)
        n = summed.sum(axis=(1, 2))
        by_chance = np.einsum("bi,ij,bj->b", summed.sum(axis=2), penalty, summed.sum(axis=1)) / n
        apart = (summed * penalty).sum(axis=(1, 2))
        kappas.append(np.where(by_chance > 0, 1 - apart / np.where(by_chance > 0, by_chance, 1.0), np.nan))
    return np.concatenate(kappas)


def _with_interval(plain: Effect, drawn: FloatArray, *, clusters: int, confidence: float) -> Effect:
    finite = drawn[np.isfinite(drawn)]
    lost = drawn.size - finite.size
    if lost > MOST_UNDEFINED * drawn.size:
        note = f"Kappa is undefined on {lost} of {drawn.size} resamples, so there is no interval."
        return replace(plain, low=None, high=None, note=note)
    tail = (1 - confidence) / 2
    low, high = np.quantile(finite, (tail, 1 - tail)).tolist()
    note = f"The interval resamples {clusters} clusters." + (
        f" Kappa is undefined on {lost} of {drawn.size} resamples, which are left out." if lost else ""
    )
    if low == high:
        return replace(plain, low=None, high=None, note="All resamples agree, so there is no interval.")
    return replace(plain, low=low, high=high, note=note)
