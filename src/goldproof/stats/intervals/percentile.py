"""Bootstrap percentile and BCa intervals of a mean, from its bootstrap distribution (no resampling).

Percentile: the a/2 and 1 - a/2 quantiles of the bootstrap distribution of the mean.

BCa (bias-corrected and accelerated): the quantiles at

    Phi(z0 + (z0 + z) / (1 - c (z0 + z))),    z = Phi^-1(a/2) and Phi^-1(1 - a/2),

with z0 = Phi^-1(P(mean* < m) + P(mean* = m) / 2) and the acceleration c = sum d^3 / (6 (sum d^2)^1.5), d = x - m.

Citation: Efron (1987), "Better bootstrap confidence intervals", JASA 82.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.stats.intervals.bounds import Bounds
from goldproof.stats.intervals.mean_distribution import mean_distribution

if TYPE_CHECKING:
    from goldproof.core.arrays import FloatArray


def percentile_interval(values: FloatArray, *, confidence: float) -> Bounds:
    """The percentile interval of at least two different values."""
    tail = (1 - confidence) / 2
    return _ends(values, levels=np.array([tail, 1 - tail]))


def bca_interval(values: FloatArray, *, confidence: float) -> Bounds:
    """The BCa interval of at least two different values."""
    from scipy.special import ndtr, ndtri  # noqa: PLC0415 - scipy is loaded when first needed

    centre = float(values.mean())
    apart = values - centre
    distribution = mean_distribution(values)
    bias = ndtri(distribution.cdf(np.array([centre])))[0]
    acceleration = float((apart**3).sum() / (6 * (apart**2).sum() ** 1.5))
    tail = (1 - confidence) / 2
    z = bias + ndtri(np.array([tail, 1 - tail]))
    ends = distribution.quantile(ndtr(bias + z / (1 - acceleration * z)))
    return Bounds(float(ends[0]), float(ends[1]))


def _ends(values: FloatArray, *, levels: FloatArray) -> Bounds:
    ends = mean_distribution(values).quantile(levels)
    return Bounds(float(ends[0]), float(ends[1]))
