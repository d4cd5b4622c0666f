"""Agreement of two raters beyond chance: Cohen's kappa, plain or weighted. `krippendorff` takes more raters and gaps.

    kappa = 1 - sum(w_ij p_ij) / sum(w_ij p_i. p_.j)

p_ij = share of items that the first rater puts in category i and the second in j; p_i., p_.j their marginals. The
weight of a disagreement: 1 (plain), |i - j| ("linear") or (i - j)^2 ("quadratic"), in positions of the ordered
categories. The interval is normal with the large-sample variance of Fleiss, Cohen and Everitt (1969), cut at -1 and 1.

Full agreement has an estimated variance of zero and therefore no interval. Undefined: no item, or both raters using
one and the same category throughout, where chance agreement is already complete. Cohen (1960, 1968).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np

from goldproof.core.errors import InputError, UnknownNameError
from goldproof.stats.krippendorff import krippendorff_alpha
from goldproof.stats.outcome import Effect
from goldproof.stats.sample import checked_confidence

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from goldproof.core.arrays import FloatArray

__all__ = ["cohen_kappa", "krippendorff_alpha"]

Weights = Literal["linear", "quadratic"]

_ROUNDING = 1e-13


def cohen_kappa(
    a: Sequence[Hashable],
    b: Sequence[Hashable],
    *,
    weights: Weights | None = None,
    categories: Sequence[Hashable] | None = None,
    confidence: float = 0.95,
) -> Effect:
    """Kappa of two raters who rated the same items.

    categories: all categories in their order. Without it the ones that occur, sorted; text has no order of its own,
    so weights on text need it.
    """
    checked_confidence(confidence)
    first, second = list(a), list(b)
    if len(first) != len(second):
        raise InputError(f"kappa: a has {len(first)} ratings and b has {len(second)}, expected the same items.")
    name = "Cohen's kappa" if weights is None else f"Cohen's kappa ({weights} weights)"
    if not first:
        return Effect(name, None, None, None, confidence, "There are no items.")
    order = _ordered(first + second, given=categories, weighted=weights is not None)
    shares = np.zeros((len(order), len(order)))
    np.add.at(shares, ([order[x] for x in first], [order[x] for x in second]), 1.0)
    shares /= len(first)
    penalty = _penalties(len(order), weights)
    by_chance = float((penalty * np.outer(shares.sum(axis=1), shares.sum(axis=0))).sum())
    if by_chance <= 0.0:
        return Effect(name, None, None, None, confidence, "Both raters use one and the same category throughout.")
    value = 1 - float((penalty * shares).sum()) / by_chance
    width = _half_width(value, shares, penalty=penalty, n=len(first), confidence=confidence)
    if width == 0.0:
        note = "The variance of these ratings is estimated as zero, so there is no interval."
        return Effect(name, value, None, None, confidence, note)
    return Effect(name, value, max(-1.0, value - width), min(1.0, value + width), confidence, None)


def _ordered(ratings: Sequence[Hashable], *, given: Sequence[Hashable] | None, weighted: bool) -> dict[Hashable, int]:
    """The position of each category."""
    if given is not None:
        order = {category: position for position, category in enumerate(given)}
        unknown = next((rating for rating in ratings if rating not in order), None)
        if unknown is not None or len(order) != len(given):
            found = f"rating {unknown!r} is not among them" if unknown is not None else "a category stands twice"
            raise InputError(f"categories: {found}. List every category once, in order.")
        return order
    if any(rating is None or rating != rating for rating in ratings):  # noqa: PLR0124  NaN differs from itself
        raise InputError("kappa: a rating is missing. Leave the item out, or use krippendorff_alpha.")
    seen = dict.fromkeys(ratings)
    if not all(isinstance(rating, int | float | np.integer | np.floating) for rating in seen):
        if weighted:
            raise InputError("kappa: weights need an order and the ratings are not numbers. Give categories=[...].")
        return {category: position for position, category in enumerate(seen)}
    return {category: position for position, category in enumerate(sorted(seen, key=_number))}


def _number(rating: Hashable) -> float:
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
    """Half the width of the interval; 0 where the variance is only rounding."""
    from scipy import special  # noqa: PLC0415  scipy is slow to import

    merit = 1 - penalty / penalty.max()  # agreement weights: 1 on the diagonal, 0 for the worst disagreement
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    chance = float(rows @ merit @ columns)
    mean_merit = (merit @ columns)[:, None] + (rows @ merit)[None, :]
    spread = float((shares * np.square(merit - mean_merit * (1 - value))).sum())
    spread -= (value - chance * (1 - value)) ** 2
    if spread <= _ROUNDING:
        return 0.0
    return -float(special.ndtri((1 - confidence) / 2)) * math.sqrt(spread / n) / (1 - chance)
