"""The exact distribution of a sum with random signs, where the terms are multiples of one step.

Precision at 10 moves in tenths, a hit in ones, a rank sum in halves. Sums of such terms meet again and again, so
their whole distribution has few points and is built one term at a time:

    f_i(t) = (f_{i-1}(t) + f_{i-1}(t - m_i)) / 2,    T = sum of the m_i with a positive sign,    sum = 2 T - sum(m)

Every step only adds positive numbers, so even a tail of 1e-200 keeps its digits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from goldproof.core.arrays import FloatArray, IntArray

_WORK_LIMIT = 90_000_000  # terms times points of the distribution: some 50 ms
_FINEST = 1e-5
_TOLERANCE = 1e-9


def lattice_steps(magnitudes: FloatArray) -> IntArray | None:
    """Each magnitude as a whole number of steps; None where there is no common step that keeps the work small.

    magnitudes: positive, ascending.
    """
    largest, total = float(magnitudes[-1]), float(magnitudes.sum())
    finest = max(_FINEST * largest, magnitudes.size * total / _WORK_LIMIT)
    step = float(magnitudes[0])
    for value in np.unique(magnitudes):
        step = _common_step(float(value), step, tolerance=_TOLERANCE * largest)
        if step < finest:
            return None
    steps = np.rint(magnitudes / step)
    step = total / float(steps.sum())  # averages the rounding of the Euclidean steps away
    if np.abs(magnitudes - steps * step).max() > _TOLERANCE * step:
        return None
    return steps.astype(np.int64)


def _common_step(a: float, b: float, *, tolerance: float) -> float:
    """Euclid's algorithm with nearest remainders, on numbers that carry rounding noise."""
    while b > tolerance:
        a, b = b, abs(a - round(a / b) * b)
    return a


def positive_sum_distribution(steps: IntArray) -> FloatArray:
    """P(T = t) for t = 0 ... sum(steps), each term in or out with probability one half."""
    probability = np.zeros(int(steps.sum()) + 1)
    probability[0] = 1.0
    top = 0
    for step in np.sort(steps).tolist():
        top += step
        reached = probability[: top + 1]
        reached *= 0.5
        reached[step:] += reached[: top + 1 - step]
    return probability


def signed_sum_tail(steps: IntArray, *, at_least: int) -> float:
    """P(sum of the steps with random signs >= at_least)."""
    total = int(steps.sum())
    if at_least > total:
        return 0.0
    first = max(0, -((-total - at_least) // 2))  # 2 T - total >= at_least, rounded up
    tail = float(positive_sum_distribution(steps)[first:].sum())
    return max(min(1.0, tail), float(np.finfo(np.float64).tiny))  # 2^-n underflows; it is not zero
