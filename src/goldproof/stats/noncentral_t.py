"""The noncentral t distribution, for power and for intervals of standardised effects.

T = (Z + nc) / S with Z standard normal and df * S^2 chi-square with df degrees of freedom. scipy's `nctdtr` is accurate
near the centre, but gives NaN far out in a tail (df = 49, nc = 40, t = 2) and takes seconds for a large nc. There one
of the two defining integrals is taken by Gauss-Legendre quadrature, the one whose integrand is the smoother:

    P(T <= t) = E over S of Phi(t S - nc)                                    for |t| <= sqrt(2 df)
    P(T <= t) = E over Z of P(S >= (Z + nc) / t)                             for larger t > 0
    P(T <= t) = E over Z of P(S <= (Z + nc) / t)                             for larger t < 0
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.core.arrays import FloatArray

_PANELS = 20
_NODES = 20
_OUTSIDE = 1e-18
_NORMAL_REACH = 9.0
_FAR = 30.0
_STEPS = 200


def cdf(t: float, *, df: float, nc: float) -> float:
    """P(T <= t)."""
    from scipy import special  # noqa: PLC0415  scipy is slow to import

    if abs(nc) <= _FAR:
        value = float(special.nctdtr(df, nc, t))
        if not math.isnan(value):
            return min(1.0, max(0.0, value))
    if abs(t) <= math.sqrt(2 * df):
        return _over_spread(t, df=df, nc=nc)
    return _over_normal(t, df=df, nc=nc)


def _over_spread(t: float, *, df: float, nc: float) -> float:
    """The integral over S, the estimated standard deviation."""
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
    """The integral over Z, the estimated mean."""
    from scipy import special  # noqa: PLC0415  scipy is slow to import

    nodes, weights = _panels()
    z = _NORMAL_REACH * (2 * nodes - 1)
    limit = np.maximum((z + nc) / t, 0.0)
    tail = special.gammaincc if t > 0 else special.gammainc
    density = weights * np.exp(-np.square(z) / 2)
    return min(1.0, float(density @ tail(df / 2, df / 2 * np.square(limit))) / float(density.sum()))


@lru_cache(maxsize=1)
def _panels() -> tuple[FloatArray, FloatArray]:
    """Gauss-Legendre nodes on equal panels of the unit interval; one rule of 400 nodes would take a second to find."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    places = (np.arange(_PANELS)[:, None] + (nodes + 1) / 2) / _PANELS
    return places.ravel(), np.tile(weights, _PANELS)


def noncentrality(t: float, *, df: float, probability: float) -> float:
    """The nc at which P(T <= t) is `probability`; P falls as nc grows."""
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
    """The point between low and high from which `reached` holds, to the last digits."""
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if reached(middle):
            high = middle
        else:
            low = middle
    return high
