"""Confidence intervals of a mean by formula: t, Hall, Wilson, Tango, cluster-robust, Gaffke.

Student's t. Exact for normal values, good for bounded ones from n = 20 or so, too short for skewed ones: its two tails
miss unequally.

Hall. The t statistic T = (m - mu) / (s / sqrt(n)) of skewed values is itself skewed. Hall's monotone cubic removes that
to the order 1/n. With g the skewness of the values and a = g / sqrt(n),

    H(T) = T + a T^2 / 3 + a^2 T^3 / 27 + a / 6,      H^-1(y) = (3 / a) (cbrt(1 + a (y - a / 6)) - 1),

and the interval is m - H^-1(q) s / sqrt(n) to m - H^-1(-q) s / sqrt(n), for every sign of g. Without skewness it is
Student's.

q is Student's quantile t with n - 1 degrees of freedom, shortened where the tails are light. The estimated g moves
with m, by k / sqrt(n) per standard error (k the excess kurtosis, negative for values that pile up at the ends of a
range). That shrinks H(T) and would make the interval too long: q = t max(0.85, 1 + min(k, 0) (2 t^2 + 1) / 6n).

There is no resampling and nothing random. In simulation it covers as the bootstrap-t does, at a hundredth of the cost,
and it does not fail where some resamples have no spread. Hall (1992), "On the removal of skewness by transformation",
JRSS B 54; Student's quantile and the light-tail factor are ours, justified by docs/concepts/statistics/coverage.md.

Wilson. With p the share of ones among n and z the normal quantile,

    (p + z^2 / 2n +- z sqrt(p (1 - p) / n + z^2 / 4n^2)) / (1 + z^2 / n).

It never leaves [0, 1], has positive length at p = 0 and p = 1, and is the set of proportions that the score test does
not reject. Its exact coverage swings around the nominal one because the data are discrete. Wilson (1927), JASA 22;
Brown, Cai and DasGupta (2001), Statistical Science 16.

Tango. Of n pairs of 0/1 values, b are won (+1) and c lost (-1); the estimate is (b - c) / n. The interval holds every d
with

    |b - c - n d| <= z sqrt(n (2 q + d (1 - d))),      q = (sqrt(B^2 - 4 A C) - B) / 2A,
    A = 2n,  B = -b - c + (2n - b + c) d,  C = -c d (1 - d),

where q is the likeliest probability of a loss when the difference is d. It is to paired differences what Wilson's is to
a proportion: it stays in [-1, 1] and has positive length without any discordant pair, where it is +- z^2 / (n + z^2).
Tango (1998), "Equivalence test and confidence interval for the difference in proportions for the paired-sample design",
Statistics in Medicine 17.

Cluster-robust. All need at least two clusters; r is the mean, t(df) Student's quantile.

    cluster-t     r -+ t(G - 1) sqrt(V), V the plain cluster variance.
    cluster-cr2   r -+ t(df) sqrt(V), V the bias-reduced variance and df its degrees of freedom.
    wilson        Wilson's interval with n replaced by r (1 - r) / V, the number of 0/1 values that would be as
                  uncertain, and z by t(df); V is the jackknife variance, df as in cluster-cr2. For values within 0
                  and 1. Of 0/1 values the number is at most N; at r = 0 or 1 it cannot be estimated and is G.

Cochran (1977), section 6; Bell and McCaffrey (2002), Survey Methodology 28 (cr2); Korn and Graubard (1998), Survey
Methodology 24 (the number of values that would be as uncertain). That Wilson's form and the jackknife suit scores
between 0 and 1 as well is ours, justified by docs/concepts/statistics/coverage.md.

Gaffke. Each end is a quantile of the sum of w_i d_i over the differences and one more at the bound (1 for the upper
end, -1 for the lower), with weights w uniform on the simplex (Dirichlet(1, ..., 1)). The added difference stands for
what the sample has not shown. For 0/1 values the ends are Clopper and Pearson's; where no pair of n differs they are
-+(1 - (a/2)^(1/n)). No other assumption is made, so the interval is long where pairs are few: it is for the decision
that two systems are tied, which must not rest on differences that so few pairs would hardly show.

With clusters the units are the clusters: cluster g has the weight w_g N_g, and the added cluster is of average size.

With exponential variables E_i for the weights, P(sum w_i d_i > t) = P(sum E_i (d_i - t) > 0), which is found by
Lugannani and Rice's saddlepoint formula. Against Clopper and Pearson's ends it is at most 0.5% too long and never too
short; without any difference the ends are exact. Gaffke (2005), "Three test statistics for a nonparametric one-sided
hypothesis on the mean of a nonnegative variable", Mathematical Methods of Statistics 14; Lugannani and Rice (1980),
Advances in Applied Probability 12. The error is at most a/2 on each side in every case that was tried
(docs/concepts/statistics/coverage.md); a general proof is open.
"""

from __future__ import annotations

from math import ceil, exp, log, log1p, pi, sqrt
from typing import TYPE_CHECKING

import numpy as np

from goldproof.stats.bootstrap import where_reached
from goldproof.stats.results import Bounds
from goldproof.stats.samples import is_binary

if TYPE_CHECKING:
    from goldproof.records.arrays import FloatArray
    from goldproof.stats.samples import Clusters


def t_quantile(level: float, *, df: float) -> float:
    """Return the quantile of Student's t with df degrees of freedom."""
    from scipy.special import stdtrit  # noqa: PLC0415 - scipy is loaded when first needed

    return float(stdtrit(df, level))


def t_interval(values: FloatArray, *, confidence: float) -> Bounds:
    """Return Student's t interval of at least two values."""
    centre = float(values.mean())
    error = float(values.std(ddof=1)) / float(np.sqrt(values.size))
    half = t_quantile((1 + confidence) / 2, df=values.size - 1) * error
    return Bounds(centre - half, centre + half)


_SHORTEST = 0.85


def hall_interval(values: FloatArray, *, confidence: float) -> Bounds:
    """Return Hall's interval of at least two different values."""
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
    """Return the third central moment over the 1.5th power of the second (no bias correction)."""
    return _skewness(_standardised(values))


def _skewness(standard: FloatArray) -> float:
    return float((standard * standard * standard).mean())


def _excess_kurtosis(standard: FloatArray) -> float:
    """Return the fourth central moment over the square of the second, minus 3."""
    squares = standard * standard
    return float((squares * squares).mean()) - 3


def _standardised(values: FloatArray) -> FloatArray:
    # Moments are made of products: numpy's power is some thirty times slower for exponents above 2.
    standard: FloatArray = (values - values.mean()) / values.std()
    return standard


def _inverse(y: float, *, lean: float) -> float:
    """Return H^-1(y)."""
    if abs(lean) < 1e-7:  # the limit, where the closed form loses its digits
        return y - lean * (y * y / 3 + 1 / 6)
    return 3 / lean * (float(np.cbrt(1 + lean * (y - lean / 6))) - 1)


def normal_quantile(level: float) -> float:
    """Return the quantile of the standard normal distribution."""
    from scipy.special import ndtri  # noqa: PLC0415 - scipy is loaded when first needed

    return float(ndtri(level))


def wilson_interval(share: float, *, n: float, quantile: float) -> Bounds:
    """Return Wilson's interval for a share among n (an effective n need not be whole), quantile in place of z."""
    square = quantile * quantile
    middle = (share + square / (2 * n)) / (1 + square / n)
    half = quantile / (1 + square / n) * sqrt(share * (1 - share) / n + square / (4 * n * n))
    # At a share of 0 or 1 the end is exactly that; rounding must not move it.
    low = 0.0 if share == 0.0 else max(middle - half, 0.0)
    high = 1.0 if share == 1.0 else min(middle + half, 1.0)
    return Bounds(low, high)


_HALVINGS = 60


def tango_interval(*, wins: int, losses: int, n: int, quantile: float) -> Bounds:
    """Return Tango's interval for wins and losses among n pairs (n at least 1)."""
    estimate = (wins - losses) / n

    def rejected(difference: float) -> bool:
        loss = _likeliest_loss(difference, wins=wins, losses=losses, n=n)
        variance = max(n * (2 * loss + difference * (1 - difference)), 0.0)
        return abs(wins - losses - n * difference) > quantile * sqrt(variance)

    def edge(inside: float, outside: float) -> float:
        if not rejected(outside):
            return outside
        for _ in range(_HALVINGS):
            middle = (inside + outside) / 2
            inside, outside = (inside, middle) if rejected(middle) else (middle, outside)
        return (inside + outside) / 2

    return Bounds(edge(estimate, -1.0), edge(estimate, 1.0))


def _likeliest_loss(difference: float, *, wins: int, losses: int, n: int) -> float:
    square = 2.0 * n
    linear = -wins - losses + (2 * n - wins + losses) * difference
    constant = -losses * difference * (1 - difference)
    return (sqrt(max(linear * linear - 4 * square * constant, 0.0)) - linear) / (2 * square)


def cluster_t_interval(values: FloatArray, *, clusters: Clusters, confidence: float) -> Bounds:
    """Return Student's interval with G - 1 degrees of freedom."""
    quantile = t_quantile((1 + confidence) / 2, df=clusters.count - 1)
    return _around(values, half=quantile * sqrt(clusters.variance(values)))


def cluster_cr2_interval(values: FloatArray, *, clusters: Clusters, confidence: float) -> Bounds:
    """Return Student's interval with the bias-reduced variance and its degrees of freedom."""
    quantile = t_quantile((1 + confidence) / 2, df=clusters.bias_reduced_df)
    return _around(values, half=quantile * sqrt(clusters.bias_reduced_variance(values)))


def cluster_wilson_interval(values: FloatArray, *, clusters: Clusters, confidence: float) -> Bounds:
    """Return Wilson's interval of values within 0 and 1; unless they are all 0 or all 1, clusters must differ."""
    quantile = t_quantile((1 + confidence) / 2, df=clusters.bias_reduced_df)
    return wilson_interval(float(values.mean()), n=_effective_size(values, clusters=clusters), quantile=quantile)


def _around(values: FloatArray, *, half: float) -> Bounds:
    centre = float(values.mean())
    return Bounds(centre - half, centre + half)


def _effective_size(values: FloatArray, *, clusters: Clusters) -> float:
    share = float(values.mean())
    if share in {0.0, 1.0}:
        return float(clusters.count)
    variance = clusters.jackknife_variance(values)
    if is_binary(values):
        variance = max(variance, share * (1 - share) / values.size)
    return share * (1 - share) / variance


_NEWTON_STEPS = 100

_PRECISION = 1e-9


def gaffke_interval(differences: FloatArray, *, clusters: Clusters | None, confidence: float) -> Bounds:
    """Return Gaffke's interval of at least one difference within -1 and 1."""
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
    """Return the fewest pairs whose interval lies within -+margin if none differs; None where no number is enough."""
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
    """Keep equal units once, with their number: most differences are 0."""
    if np.ptp(sizes):
        return sums, sizes, np.ones(sums.size)
    values, counts = np.unique(sums, return_counts=True)
    return values, np.ones(values.size), counts.astype(np.float64)


def _exceeds(scales: FloatArray, counts: FloatArray) -> float:
    """Return P(sum of Gamma(counts) * scales > 0) for scales with a sum below 0."""
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
