"""Isotonic regression: the non-decreasing map from a score to a probability that fits labels best.

Minimises sum of (y_i - f(x_i))^2 over all non-decreasing f, by pooling adjacent violators: equal scores are pooled
first, with their number as weight; then, from left to right, a block whose mean is not above that of the block before
it is pooled with it. Linear in the number of scores once they are sorted. The result is unique at the scores given.

    f at a score within a block      the block's mean
    between two blocks               linear between their edges
    below the first, above the last  the first mean, the last mean

Without a score there is no map. Barlow, Bartholomew, Bremner and Brunk (1972); Zadrozny and Elkan (2002).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goldproof.core.errors import InputError
from goldproof.stats.sample import finite_values

if TYPE_CHECKING:
    import numpy.typing as npt

    from goldproof.core.arrays import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class IsotonicMap:
    """Blocks from low to high: scores from `low` to `high` mean `value`; `weight` labels say so."""

    low: FloatArray
    high: FloatArray
    value: FloatArray
    weight: FloatArray

    def __call__(self, scores: npt.ArrayLike) -> FloatArray:
        """Map scores."""
        edges = np.stack([self.low, self.high], axis=1).ravel()
        return np.interp(finite_values(scores, name="scores"), edges, np.repeat(self.value, 2))

    def to_dict(self) -> list[dict[str, float]]:
        """Return the blocks for a file."""
        columns = {"from": self.low, "to": self.high, "probability": self.value, "labels": self.weight}
        rows = zip(*(column.tolist() for column in columns.values()), strict=True)
        return [dict(zip(columns, row, strict=True)) for row in rows]


def fit_isotonic(scores: npt.ArrayLike, labels: npt.ArrayLike) -> IsotonicMap:
    """Fit the map; scores and labels of the same items, in the same order."""
    x, y = finite_values(scores, name="scores"), finite_values(labels, name="labels")
    if x.size != y.size:
        raise InputError(f"isotonic: {x.size} scores and {y.size} labels, expected both for the same items.")
    if not x.size:
        raise InputError("isotonic: there are no scores, expected at least one.")
    distinct, place = np.unique(x, return_inverse=True)
    weight = np.bincount(place).astype(np.float64)
    total = np.bincount(place, weights=y).astype(np.float64)
    return _pooled(distinct, total, weight)


def _pooled(x: FloatArray, total: FloatArray, weight: FloatArray) -> IsotonicMap:
    """Pool adjacent violators; total: the sum of labels at each score."""
    starts: list[int] = []
    totals: list[float] = []
    weights: list[float] = []
    for position, (here, size) in enumerate(zip(total.tolist(), weight.tolist(), strict=True)):
        starts.append(position)
        totals.append(here)
        weights.append(size)
        # Means compared without dividing, so that equal ones are seen to be equal.
        while len(starts) > 1 and totals[-2] * weights[-1] >= totals[-1] * weights[-2]:
            starts.pop()
            last, held = totals.pop(), weights.pop()
            totals[-1] += last
            weights[-1] += held
    begin = np.array(starts)
    end = np.append(begin[1:], len(x)) - 1
    held_by = np.array(weights)
    return IsotonicMap(x[begin], x[end], np.array(totals) / held_by, held_by)
