"""How many labels a study needs in all, for an interval that reaches no further than `half_width` to each side.

Planning formulas: they take the shares and variances seen so far for the true ones. With few labels those are rough,
and so is the plan; it says nothing of labels that are not a random sample.

A share (accuracy): the fewest n whose Wilson interval at the observed share p is short enough, times the design effect
of clustered items. At p = 0 or 1 Wilson's interval still has a length, so a perfect start is no proof.

A prediction-powered mean over T items (n labelled by people, T - n by the judge alone), with the variances of human
labels s_h^2 and of the judge's s_j^2, their covariance c, and the tuning lambda as `judge_correction` chooses it:

    se^2(n) = (s_h^2 - 2 lambda c + lambda^2 s_j^2) / n + lambda^2 s_j^2 / (T - n)
    lambda  = c (T - n) / (T s_j^2), kept within 0 and 1

The variances are taken times the design effect of clustered items. n is the fewest with t(n - 1) se(n) <= half_width;
None where not even all T are enough.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from goldproof.core.errors import InputError
from goldproof.stats.intervals.wilson import normal_quantile, wilson_interval
from goldproof.stats.paired_power import smallest
from goldproof.stats.sample import checked_confidence, finite_values


def labels_for_share(share: float, *, half_width: float, design_effect: float = 1.0, confidence: float = 0.95) -> int:
    """Return how many items must be labelled for a share."""
    checked_half_width(half_width)
    quantile = normal_quantile((1 + checked_confidence(confidence)) / 2)

    def enough(n: int) -> bool:
        low, high = wilson_interval(share, n=n, quantile=quantile)
        return (high - low) / 2 <= half_width

    return math.ceil(smallest(enough, start=1) * max(1.0, design_effect))


def labels_for_corrected_mean(
    human: npt.ArrayLike,
    judge: npt.ArrayLike,
    *,
    total: int,
    half_width: float,
    design_effect: float = 1.0,
    confidence: float = 0.95,
) -> int | None:
    """Return how many of `total` items must carry a human label; None where all are not enough.

    human, judge: labels of the same items, those seen so far.
    """
    from scipy import special  # noqa: PLC0415 - scipy is slow to import

    checked_half_width(half_width)
    tail = (1 - checked_confidence(confidence)) / 2
    truth, guess = finite_values(human, name="human"), finite_values(judge, name="judge")
    shared = np.cov(truth, guess) * max(1.0, design_effect)

    def enough(n: int) -> bool:
        spread = -float(special.stdtrit(n - 1, tail)) * math.sqrt(_variance(shared, n=n, total=total))
        return spread <= half_width

    if total < 2 or not enough(total):
        return None
    return smallest(lambda n: n >= total or enough(n), start=2)


def _variance(shared: npt.NDArray[np.float64], *, n: int, total: int) -> float:
    human, judge, both = float(shared[0, 0]), float(shared[1, 1]), float(shared[0, 1])
    rest = total - n
    weight = min(1.0, max(0.0, both * rest / (total * judge))) if judge > 0 and rest > 0 else 0.0
    own = max(0.0, human - 2 * weight * both + weight**2 * judge) / n
    return own + (weight**2 * judge / rest if weight else 0.0)


def checked_half_width(half_width: float) -> float:
    """Return the half-width, a share above 0 and below 1."""
    if not 0.0 < half_width < 1.0:
        raise InputError(f"width: found {half_width}, expected a half-width between 0 and 1 such as 0.05.")
    return half_width
