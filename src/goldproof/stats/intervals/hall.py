"""Hall's interval of a mean: Student's t with the skewness of the values taken out.

The t statistic T = (m - mu) / (s / sqrt(n)) of skewed values is itself skewed. Hall's monotone cubic removes that to
the order 1/n. With g the skewness of the values and a = g / sqrt(n),

    H(T) = T + a T^2 / 3 + a^2 T^3 / 27 + a / 6,      H^-1(y) = (3 / a) (cbrt(1 + a (y - a / 6)) - 1),

and the interval is m - H^-1(q) s / sqrt(n) to m - H^-1(-q) s / sqrt(n), for every sign of g. Without skewness it
is Student's.

q is Student's quantile t with n - 1 degrees of freedom, shortened where the tails are light. The estimated g moves
with m, by k / sqrt(n) per standard error (k the excess kurtosis, negative for values that pile up at the ends of a
range). That shrinks H(T) and would make the interval too long: q = t max(0.85, 1 + min(k, 0) (2 t^2 + 1) / 6n).

There is no resampling and nothing random. In simulation it covers as the bootstrap-t does, at a hundredth of the
cost, and it does not fail where some resamples have no spread.

Citation: Hall (1992), "On the removal of skewness by transformation", JRSS B 54; Student's quantile and the
light-tail factor are ours, justified by docs/statistics/coverage.md.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from goldproof.stats.intervals.bounds import Bounds
from goldproof.stats.intervals.student import t_quantile

if TYPE_CHECKING:
    from goldproof.core.arrays import FloatArray

_SHORTEST = 0.85


def hall_interval(values: FloatArray, *, confidence: float) -> Bounds:
    """Hall's interval of at least two different values."""
    n = values.size
    centre = float(values.mean())
    error = float(values.std(ddof=1)) / sqrt(n)
    student = t_quantile((1 + confidence) / 2, df=n - 1)
    standard = _standardised(values)
    light = min(_excess_kurtosis(standard), 0.0) * (2 * student * student + 1) / (6 * n)
    reach = student * max(_SHORTEST, 1 + light)
    lean = _skewness(standard) / sqrt(n)
    return Bounds(
        centre - _inverse(reach, lean=lean) * error,
        centre - _inverse(-reach, lean=lean) * error,
    )


def skewness(values: FloatArray) -> float:
    """Third central moment over the 1.5th power of the second (no bias correction)."""
    return _skewness(_standardised(values))


def _skewness(standard: FloatArray) -> float:
    return float((standard * standard * standard).mean())


def _excess_kurtosis(standard: FloatArray) -> float:
    """Fourth central moment over the square of the second, minus 3."""
    squares = standard * standard
    return float((squares * squares).mean()) - 3


def _standardised(values: FloatArray) -> FloatArray:
    # Moments are made of products: numpy's power is some thirty times slower for exponents above 2.
    standard: FloatArray = (values - values.mean()) / values.std()
    return standard


def _inverse(y: float, *, lean: float) -> float:
    """H^-1(y)."""
    if abs(lean) < 1e-7:  # the limit, where the closed form loses its digits
        return y - lean * (y * y / 3 + 1 / 6)
    return 3 / lean * (float(np.cbrt(1 + lean * (y - lean / 6))) - 1)
