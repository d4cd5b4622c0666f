"""Power, sample size and labels needed, planned before a study.

Paired means. d = expected mean difference / standard deviation of the differences (Cohen's d_z): a value you would care
about, never the one observed. n questions with design effect D count as n / D independent ones:

    power = P(|T| > t_crit),    T ~ noncentral t(df = n/D - 1, nc = d sqrt(n/D)),    t_crit from Student's t at alpha

one-sided: P(T > t_crit) for "greater". Two-sided power counts rejections on either side. D = 1 + (m - 1) rho for
clusters of m questions with intraclass correlation rho. With n / D <= 1 no t-test can reject: power 0, and no effect
is detectable. Cohen (1988); the results agree with statsmodels' TTestPower and G*Power.

Noncentral t. T = (Z + nc) / S with Z standard normal and df * S^2 chi-square with df degrees of freedom. scipy's
`nctdtr` is accurate near the centre, but gives NaN far out in a tail (df = 49, nc = 40, t = 2) and takes seconds for a
large nc. There one of the two defining integrals is taken by Gauss-Legendre quadrature, the one whose integrand is the
smoother:

    P(T <= t) = E over S of Phi(t S - nc)                                    for |t| <= sqrt(2 df)
    P(T <= t) = E over Z of P(S >= (Z + nc) / t)                             for larger t > 0
    P(T <= t) = E over Z of P(S <= (Z + nc) / t)                             for larger t < 0

Labels needed. The formulas treat the shares and variances seen so far as the true ones. With few labels those are
rough, and so is the plan; it does not hold for labels that are not a random sample.

A share (accuracy): the fewest n whose Wilson interval at the observed share p is short enough, times the design effect
of clustered items. At p = 0 or 1 Wilson's interval still has a length, so a perfect start is no proof.

A prediction-powered mean over T items (n labelled by people, T - n by the judge alone), with the variances of human
labels s_h^2 and of the judge's s_j^2, their covariance c, and the tuning lambda as `calibration.ppi_mean` chooses it:

    se^2(n) = (s_h^2 - 2 lambda c + lambda^2 s_j^2) / n + lambda^2 s_j^2 / (T - n)
    lambda  = c (T - n) / (T s_j^2), kept within 0 and 1

The variances are taken times the design effect of clustered items. n is the fewest with t(n - 1) se(n) <= half_width;
None where not even all T are enough.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from goldproof.errors import InputError
from goldproof.stats.interval_methods import normal_quantile, wilson_interval
from goldproof.stats.results import Alternative, check_alternative
from goldproof.stats.samples import checked_confidence, finite_values

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.records.arrays import FloatArray


_LARGEST = 10**12


def power(
    n: float,
    *,
    effect: float,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    design_effect: float = 1.0,
) -> float:
    """Return the chance that a t-test at `alpha` finds an effect of this size (d_z) with n questions."""
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
    """Return the fewest questions that detect an effect of this size (d_z) with the given power."""
    check_plan(alpha=alpha, alternative=alternative, design_effect=design_effect, power=power)
    if not _points_at(effect, alternative):
        raise InputError(
            f"effect: no sample size can detect {effect} with alternative {alternative!r}. "
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
    """Return the smallest |d_z| that n questions detect with the given power; None where n / design_effect <= 1."""
    check_plan(alpha=alpha, alternative=alternative, design_effect=design_effect, power=power)
    if n / design_effect <= 1:
        return None
    sign = -1.0 if alternative == "less" else 1.0

    def enough(size: float) -> bool:
        reached = _power(n, effect=sign * size, alpha=alpha, alternative=alternative, design_effect=design_effect)
        return reached >= power

    if enough(0.0):  # a power at or below alpha asks for nothing
        return 0.0
    high = 1.0
    while not enough(high):
        high *= 2
    return bisect(enough, low=0.0, high=high)


def sample_size_for_half_width(
    half_width: float, *, sd: float, confidence: float = 0.95, design_effect: float = 1.0
) -> int:
    """Return the fewest questions with which the t-interval of a mean reaches no further than half_width to each side.

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
    """Return the smallest whole number from which `enough`, which stays true once it is, holds."""
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
    """Check alpha, design effect and power."""
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
    """Return P(T > t), by the mirrored lower tail, which keeps small probabilities."""
    return cdf(-t, df=df, nc=-nc)


_PANELS = 20

_NODES = 20

_OUTSIDE = 1e-18

_NORMAL_REACH = 9.0

_FAR = 30.0

_STEPS = 200


def cdf(t: float, *, df: float, nc: float) -> float:
    """Return P(T <= t)."""
    from scipy import special  # noqa: PLC0415  scipy is slow to import

    if abs(nc) <= _FAR:
        value = float(special.nctdtr(df, nc, t))
        if not math.isnan(value):
            return min(1.0, max(0.0, value))
    if abs(t) <= math.sqrt(2 * df):
        return _over_spread(t, df=df, nc=nc)
    return _over_normal(t, df=df, nc=nc)


def _over_spread(t: float, *, df: float, nc: float) -> float:
    """Return the integral over S, the estimated standard deviation."""
    from scipy import special  # noqa: PLC0415  scipy is slow to import

    shape = df / 2
    low = math.sqrt(float(special.gammaincinv(shape, _OUTSIDE)) / shape)
    high = math.sqrt(float(special.gammainccinv(shape, _OUTSIDE)) / shape)
    nodes, weights = _panels()
    spread = low + (high - low) * nodes
    log_density = (df - 1) * np.log(spread) - shape * np.square(spread)
    # Divided by its own integral: the constant of the density loses digits where df is large.
    density = weights * np.exp(log_density - log_density.max())
    return min(1.0, float(density @ special.ndtr(t * spread - nc)) / float(density.sum()))


def _over_normal(t: float, *, df: float, nc: float) -> float:
    """Return the integral over Z, the estimated mean."""
    from scipy import special  # noqa: PLC0415  scipy is slow to import

    nodes, weights = _panels()
    z = _NORMAL_REACH * (2 * nodes - 1)
    limit = np.maximum((z + nc) / t, 0.0)
    tail = special.gammaincc if t > 0 else special.gammainc
    density = weights * np.exp(-np.square(z) / 2)
    return min(1.0, float(density @ tail(df / 2, df / 2 * np.square(limit))) / float(density.sum()))


@lru_cache(maxsize=1)
def _panels() -> tuple[FloatArray, FloatArray]:
    """Return Gauss-Legendre nodes on equal panels of the unit interval; one rule of 400 nodes takes a second."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    places = (np.arange(_PANELS)[:, None] + (nodes + 1) / 2) / _PANELS
    return places.ravel(), np.tile(weights, _PANELS)


def noncentrality(t: float, *, df: float, probability: float) -> float:
    """Return the nc at which P(T <= t) is `probability`; P falls as nc grows."""
    low = high = t
    width = 1.0 + abs(t)
    while cdf(t, df=df, nc=low) < probability:
        low -= width
        width *= 2
    width = 1.0 + abs(t)
    while cdf(t, df=df, nc=high) > probability:
        high += width
        width *= 2
    return bisect(lambda nc: cdf(t, df=df, nc=nc) <= probability, low=low, high=high)


def bisect(reached: Callable[[float], bool], *, low: float, high: float) -> float:
    """Return the point between low and high from which `reached` holds, to the last digits."""
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if reached(middle):
            high = middle
        else:
            low = middle
    return high


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
