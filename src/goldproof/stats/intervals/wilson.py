"""Wilson's score interval of a proportion.

With p the share of ones among n and z the normal quantile,

    (p + z^2 / 2n +- z sqrt(p (1 - p) / n + z^2 / 4n^2)) / (1 + z^2 / n).

It never leaves [0, 1], has positive length at p = 0 and p = 1, and is the set of proportions that the score test does
not reject. Its exact coverage swings around the nominal one because the data are discrete.

Citation: Wilson (1927), JASA 22; Brown, Cai and DasGupta (2001), Statistical Science 16.
"""

from __future__ import annotations

from math import sqrt

from goldproof.stats.intervals.bounds import Bounds


def normal_quantile(level: float) -> float:
    """The quantile of the standard normal distribution."""
    from scipy.special import ndtri  # noqa: PLC0415 - scipy is loaded when first needed

    return float(ndtri(level))


def wilson_interval(share: float, *, n: float, quantile: float) -> Bounds:
    """Wilson's interval for a share among n (an effective n need not be whole), quantile in place of z."""
    square = quantile * quantile
    middle = (share + square / (2 * n)) / (1 + square / n)
    half = quantile / (1 + square / n) * sqrt(share * (1 - share) / n + square / (4 * n * n))
    # At a share of 0 or 1 the end is exactly that; rounding must not move it.
    low = 0.0 if share == 0.0 else max(middle - half, 0.0)
    high = 1.0 if share == 1.0 else min(middle + half, 1.0)
    return Bounds(low, high)
