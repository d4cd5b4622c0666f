"""Power of a paired comparison of means, planned before the study, by the noncentral t.

d = expected mean difference / standard deviation of the differences (Cohen's d_z): a value you would care about, never
the one observed. n questions with design effect D count as n / D independent ones:

    power = P(|T| > t_crit),    T ~ noncentral t(df = n/D - 1, nc = d sqrt(n/D)),    t_crit from Student's t at alpha

one-sided: P(T > t_crit) for "greater". Two-sided power counts rejections on either side. D = 1 + (m - 1) rho for
clusters of m questions with intraclass correlation rho. With n / D <= 1 no t-test can reject: power 0, and no effect
is detectable. Cohen (1988); the results agree with statsmodels' TTestPower and G*Power.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from goldproof.core.errors import InputError
from goldproof.stats import noncentral_t
from goldproof.stats.outcome import Alternative, check_alternative

if TYPE_CHECKING:
    from collections.abc import Callable

_LARGEST = 10**12


def power(
    n: float,
    *,
    effect: float,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    design_effect: float = 1.0,
) -> float:
    """The chance that a t-test at `alpha` finds an effect of this size (d_z) with n questions."""
    check_plan(alpha=alpha, alternative=alternative, design_effect=design_effect)
    if not math.isfinite(effect):
        raise InputError(f"effect: found {effect}, expected a finite number of standard deviations such as 0.2.")
    df = n / design_effect - 1
    if df <= 0:
        return 0.0
    nc = effect * math.sqrt(df + 1)
    if alternative == "two-sided":
        critical = _critical(df, alpha / 2)
        return min(1.0, _above(critical, df=df, nc=nc) + _above(critical, df=df, nc=-nc))
    return _above(_critical(df, alpha), df=df, nc=nc if alternative == "greater" else -nc)


def sample_size(
    effect: float,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    design_effect: float = 1.0,
) -> int:
    """The fewest questions with which an effect of this size (d_z) is found with the power asked for."""
    check_plan(alpha=alpha, alternative=alternative, design_effect=design_effect, power=power)
    if not _points_at(effect, alternative):
        raise InputError(
            f"effect: found {effect}, which no sample finds with alternative {alternative!r}. "
            "Give the smallest effect worth finding, with its sign, such as 0.2."
        )

    def enough(n: int) -> bool:
        return _power(n, effect=effect, alpha=alpha, alternative=alternative, design_effect=design_effect) >= power

    return smallest(enough, start=2)


def minimum_detectable_effect(
    n: float,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    design_effect: float = 1.0,
) -> float | None:
    """The smallest |d_z| that n questions find with the power asked for; None where n / design_effect <= 1."""
    check_plan(alpha=alpha, alternative=alternative, design_effect=design_effect, power=power)
    if n / design_effect <= 1:
        return None
    sign = -1.0 if alternative == "less" else 1.0

    def enough(size: float) -> bool:
        found = _power(n, effect=sign * size, alpha=alpha, alternative=alternative, design_effect=design_effect)
        return found >= power

    if enough(0.0):  # a power at or below alpha asks for nothing
        return 0.0
    high = 1.0
    while not enough(high):
        high *= 2
    return noncentral_t.bisect(enough, low=0.0, high=high)


def sample_size_for_half_width(
    half_width: float, *, sd: float, confidence: float = 0.95, design_effect: float = 1.0
) -> int:
    """The fewest questions with which the t-interval of a mean reaches no further than half_width to each side.

    sd: the standard deviation that a single question is expected to have (of differences, for a difference).
    """
    from scipy import special  # noqa: PLC0415  scipy is slow to import

    check_plan(alpha=1 - confidence, alternative="two-sided", design_effect=design_effect)
    if not (half_width > 0 and math.isfinite(half_width)):
        raise InputError(f"half_width: found {half_width}, expected a number above 0.")
    if not (sd >= 0 and math.isfinite(sd)):
        raise InputError(f"sd: found {sd}, expected a standard deviation of at least 0.")

    def enough(n: int) -> bool:
        df = n / design_effect - 1
        if df <= 0:
            return False
        quantile = -float(special.stdtrit(df, (1 - confidence) / 2))
        return quantile * sd / math.sqrt(df + 1) <= half_width

    return smallest(enough, start=2)


def smallest(enough: Callable[[int], bool], *, start: int) -> int:
    """The smallest whole number from which `enough`, which stays true once it is, holds."""
    high = start
    while not enough(high):
        high *= 2
        if high > _LARGEST:
            raise InputError(
                f"sample size: more than {_LARGEST:,} questions would be needed. Plan for a larger effect."
            )
    low = high // 2 if high > start else start - 1
    while high - low > 1:
        middle = (low + high) // 2
        if enough(middle):
            high = middle
        else:
            low = middle
    return high


def check_plan(
    *, alpha: float, alternative: Alternative, design_effect: float = 1.0, power: float | None = None
) -> None:
    """Refuse settings that no study can have."""
    check_alternative(alternative)
    if not 0.0 < alpha < 1.0:
        raise InputError(f"alpha: found {alpha}, expected a number between 0 and 1 such as 0.05.")
    if not (design_effect > 0 and math.isfinite(design_effect)):
        raise InputError(f"design_effect: found {design_effect}, expected a number above 0; 1 without clusters.")
    if power is not None and not 0.0 < power < 1.0:
        raise InputError(f"power: found {power}, expected a number between 0 and 1 such as 0.8.")


_power = power  # the plans below take an argument of that name


def _points_at(effect: float, alternative: Alternative) -> bool:
    if not math.isfinite(effect):
        return False
    return {"two-sided": effect != 0, "greater": effect > 0, "less": effect < 0}[alternative]


def _critical(df: float, tail: float) -> float:
    from scipy import special  # noqa: PLC0415  scipy is slow to import

    return -float(special.stdtrit(df, tail))


def _above(t: float, *, df: float, nc: float) -> float:
    """P(T > t), by the mirrored lower tail, which keeps small probabilities."""
    return noncentral_t.cdf(-t, df=df, nc=-nc)
