"""Gaffke's interval of a mean difference: what a sample of differences within -1 and 1 can exclude.

Each end is a quantile of the sum of w_i d_i over the differences and one more at the bound (1 for the upper end, -1 for
the lower), with weights w uniform on the simplex (Dirichlet(1, ..., 1)). The added difference stands for what the
sample has not shown. For 0/1 values the ends are Clopper and Pearson's; where no pair of n differs they are
-+(1 - (a/2)^(1/n)). No other assumption is made, so the interval is long where pairs are few: it is for the decision
that two systems are tied, which must not rest on differences that so few pairs would hardly show.

With clusters the units are the clusters: cluster g has the weight w_g N_g, and the added cluster is of average size.

With exponential variables E_i for the weights, P(sum w_i d_i > t) = P(sum E_i (d_i - t) > 0), which is found by
Lugannani and Rice's saddlepoint formula. Against Clopper and Pearson's ends it is at most 0.5% too long and never too
short; without any difference the ends are exact.

Citation: Gaffke (2005), "Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative
variable", Mathematical Methods of Statistics 14; Lugannani and Rice (1980), Advances in Applied Probability 12. The
error is at most a/2 on each side in every case that was tried (docs/statistics/coverage.md); a general proof is open.
"""

from __future__ import annotations

from math import ceil, exp, log, log1p, pi, sqrt
from typing import TYPE_CHECKING

import numpy as np

from goldproof.stats.intervals.bounds import Bounds
from goldproof.stats.intervals.cluster_bootstrap import where_reached

if TYPE_CHECKING:
    from goldproof.core.arrays import FloatArray
    from goldproof.stats.clusters import Clusters

_NEWTON_STEPS = 100
_PRECISION = 1e-9


def gaffke_interval(differences: FloatArray, *, clusters: Clusters | None, confidence: float) -> Bounds:
    """Gaffke's interval of at least one difference within -1 and 1."""
    differences = np.clip(differences, -1.0, 1.0)
    units = differences.size if clusters is None else clusters.count
    tail = (1 - confidence) / 2
    if not differences.any():
        end = -np.expm1(log(tail) / units)
        return Bounds(-float(end), float(end))
    if clusters is None:
        sums, sizes = differences, np.ones(units)
    else:
        average = clusters.sizes.mean()
        sums, sizes = clusters.sums(differences) / average, clusters.sizes / average
    return Bounds(-_upper_end(-sums, sizes, tail=tail), _upper_end(sums, sizes, tail=tail))


def units_for_tie(margin: float, *, confidence: float) -> int | None:
    """The fewest pairs whose interval lies within -+margin: that many, if none differs. None where none are enough."""
    if margin >= 1:
        return 1
    return ceil(log((1 - confidence) / 2) / log1p(-margin) - 1e-9) if margin > 0 else None


def _upper_end(sums: FloatArray, sizes: FloatArray, *, tail: float) -> float:
    total, size, counts = _counted(np.append(sums, 1.0), np.append(sizes, 1.0))
    if (total >= size).all():
        return 1.0
    centre = _sum(counts * total) / _sum(counts * size)
    return where_reached(lambda end: 1 - _exceeds(total - end * size, counts), 1 - tail, low=centre, high=1.0)


def _counted(sums: FloatArray, sizes: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Equal units once, with how many there are: most differences are 0."""
    if np.ptp(sizes):
        return sums, sizes, np.ones(sums.size)
    values, counts = np.unique(sums, return_counts=True)
    return values, np.ones(values.size), counts.astype(np.float64)


def _exceeds(scales: FloatArray, counts: FloatArray) -> float:
    """P(sum of Gamma(counts) * scales > 0) for scales with a sum below 0."""
    largest = float(scales.max())
    if largest <= 0:
        return 0.0
    low, high = 0.0, 1 / largest
    point, curvature = min(-_sum(counts * scales) / _sum(counts * scales * scales), high / 2), 0.0
    for _ in range(_NEWTON_STEPS):
        tilted = scales / (1 - point * scales)
        slope, curvature = _sum(counts * tilted), _sum(counts * tilted * tilted)
        low, high = (low, point) if slope > 0 else (point, high)
        step = slope / curvature
        if abs(step) <= _PRECISION * point:
            break
        point = point - step if low < point - step < high else (low + high) / 2
    root = sqrt(max(2 * _sum(counts * np.log1p(-point * scales)), 0.0))
    if root < 1e-3:  # at the centre, where the formula is 0/0
        return 0.5
    from scipy.special import ndtr  # noqa: PLC0415 - scipy is loaded when first needed

    density = exp(-root * root / 2) / sqrt(2 * pi)
    return float(ndtr(-root)) + density * (1 / (point * sqrt(curvature)) - 1 / root)


def _sum(values: FloatArray) -> float:
    # A matrix product would start threads from 10,000 values on, which costs more than it saves.
    return float(values.sum())
