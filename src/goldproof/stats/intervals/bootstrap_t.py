"""The bootstrap-t interval of a mean.

Each resample gives t* = (m* - m) / (s* / sqrt(n)); with its quantiles, the interval is

    m - t*(1 - a/2) s / sqrt(n)   to   m - t*(a/2) s / sqrt(n).

Resamples are drawn at random from a seeded generator: 9,999 of them, fewer where n is above 20,000 (never below 999).
A resample without spread has t* = -inf or +inf; where such resamples reach the quantile there is no interval.

Citation: Efron and Tibshirani (1993), "An Introduction to the Bootstrap", chapter 12.
"""

from __future__ import annotations

from math import isfinite, sqrt
from typing import TYPE_CHECKING

import numpy as np

from goldproof.stats.intervals.bounds import Bounds

if TYPE_CHECKING:
    from goldproof.core.arrays import FloatArray

RESAMPLES = 9_999
_FEWEST = 999
_MAX_DRAWS = 200_000_000
_CHUNK_DRAWS = 1 << 20
_ROUNDING = 1e-12  # in standard errors


def bootstrap_t_interval(
    values: FloatArray, *, confidence: float, seed: int, resamples: int = RESAMPLES
) -> Bounds | None:
    """The bootstrap-t interval of at least two different values; None where a quantile of t* is infinite."""
    n = values.size
    centre = float(values.mean())
    error = float(values.std(ddof=1)) / sqrt(n)
    count = min(resamples, max(_FEWEST, _MAX_DRAWS // n))
    statistics = np.sort(_statistics((values - centre) / error, resamples=count, seed=seed))
    # The k-th of B sorted statistics estimates the quantile k / (B + 1).
    rank = max(round((count + 1) * (1 - confidence) / 2), 1)
    low = centre - float(statistics[count - rank]) * error
    high = centre - float(statistics[rank - 1]) * error
    return Bounds(low, high) if isfinite(low) and isfinite(high) else None


def _statistics(standard: FloatArray, *, resamples: int, seed: int) -> FloatArray:
    """t* of each resample of values with mean 0."""
    n = standard.size
    generator = np.random.default_rng(seed)
    rows = max(_CHUNK_DRAWS // n, 1)
    parts = []
    for start in range(0, resamples, rows):
        drawn = standard[generator.integers(0, n, size=(min(rows, resamples - start), n))]
        mean = drawn.mean(axis=1)
        spread = np.sqrt(((drawn - mean[:, None]) ** 2).sum(axis=1) / (n - 1))
        flat = spread <= _ROUNDING
        beyond = np.where(np.abs(mean) <= _ROUNDING, 0.0, np.copysign(np.inf, mean))
        parts.append(np.where(flat, beyond, mean * sqrt(n) / np.where(flat, 1.0, spread)))
    result: FloatArray = np.concatenate(parts)
    return result
