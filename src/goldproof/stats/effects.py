"""Effect sizes of paired differences d = a - b, each with an interval.

    Cohen's d_z       mean(d) / sd(d), sd with ddof 1. Interval: the noncentralities at which the observed
                      t = d_z sqrt(n) is the upper and the lower (1 - confidence) / 2 point, divided by sqrt(n).
    Hedges' g_z       d_z * J, J = Gamma(df/2) / (sqrt(df/2) Gamma((df-1)/2)), which takes the bias of d_z in small
                      samples away; the interval's ends are multiplied by J too.
    rank-biserial     (W+ - W-) / (W+ + W-) over the ranks of non-zero |d|: 1 where every difference is positive.
                      It estimates 2 P(D + D' > 0) - 1. Interval: on Fisher's z scale with Student's t, by the larger
                      of the U-statistic's standard error and the one under the null hypothesis (the first vanishes
                      in small samples by chance, the second is too small for strong effects); where all signs
                      agree, the bound 2 q^2 - 1 with q = ((1 - confidence)/2)^(1/n). Where nearly all agree it is too
                      short (docs/statistics/coverage.md), and a note says so from 0.8 on.
    odds ratio        b / c, pairs that only a gets right over pairs that only b gets right. Interval: Clopper-Pearson
                      for b / (b + c), carried over by x / (1 - x).

With clusters the point estimates stay and the intervals of d_z and g_z use the cluster-robust standard error, with one
degree of freedom fewer than there are clusters. A bound or value that does not exist is None, with a note.
Cohen (1988); Hedges (1981); Cumming and Finch (2001); Kerby (2014); Clopper and Pearson (1934).
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from goldproof.errors import InputError
from goldproof.stats import power_analysis
from goldproof.stats.mcnemar import discordant_pairs
from goldproof.stats.paired import mean_error
from goldproof.stats.permutation import shared_ranks
from goldproof.stats.results import NO_DIFFERENCE, NO_PAIRS, Effect
from goldproof.stats.samples import ROUNDING, checked_confidence, finite_values, read_clusters, unit_values

if TYPE_CHECKING:
    import numpy.typing as npt

    from goldproof.records.arrays import FloatArray

_LOPSIDED = 0.8
_LOPSIDED_NOTE = "Nearly all signs agree: a 95% interval may cover in less than 80% of cases."


def cohen_dz(differences: npt.ArrayLike, *, confidence: float = 0.95, clusters: npt.ArrayLike | None = None) -> Effect:
    """The mean difference in units of the differences' standard deviation."""
    return _standardised("Cohen's d_z", differences, confidence=confidence, clusters=clusters)


def hedges_gz(differences: npt.ArrayLike, *, confidence: float = 0.95, clusters: npt.ArrayLike | None = None) -> Effect:
    """Cohen's d_z without its small-sample bias."""
    effect = _standardised("Hedges' g_z", differences, confidence=confidence, clusters=clusters)
    if effect.value is None or effect.note == NO_DIFFERENCE:
        return effect
    size = finite_values(differences, name="differences").size
    if size < 3:  # J is 0 at one degree of freedom
        return replace(effect, value=None, low=None, high=None, note="Hedges' g_z needs at least three pairs.")
    factor = _hedges_factor(size - 1)
    return replace(
        effect,
        value=effect.value * factor,
        low=None if effect.low is None else effect.low * factor,
        high=None if effect.high is None else effect.high * factor,
    )


def rank_biserial(differences: npt.ArrayLike, *, confidence: float = 0.95) -> Effect:
    """The matched-pairs rank-biserial correlation."""
    values = _checked(differences, confidence)
    values = values[np.abs(values) > ROUNDING * np.abs(values).max(initial=0.0)]
    empty = Effect("rank-biserial", None, None, None, confidence, NO_PAIRS)
    if values.size == 0:
        zeros = finite_values(differences, name="differences").size > 0
        return replace(empty, value=0.0, note=NO_DIFFERENCE) if zeros else empty
    ranks = shared_ranks(np.abs(values)).doubled
    value = float(ranks[values > 0].sum() - ranks[values < 0].sum()) / float(ranks.sum())
    low, high = _rank_biserial_interval(values, value=value, confidence=confidence)
    note = _LOPSIDED_NOTE if _LOPSIDED <= abs(value) < 1.0 else None
    return replace(empty, value=value, low=low, high=high, note=note)


def odds_ratio(differences: npt.ArrayLike, *, confidence: float = 0.95) -> Effect:
    """The odds that a rather than b is right where only one of them is; for differences of 0/1 values."""
    from scipy import special  # noqa: PLC0415  scipy is slow to import

    values = _checked(differences, confidence)
    if not np.isin(values, (-1.0, 0.0, 1.0)).all():
        raise InputError("odds ratio: a difference is none of -1, 0, 1. It is defined for 0/1 values only.")
    pairs = discordant_pairs(values)
    if pairs.total == 0:
        note = NO_DIFFERENCE if values.size else NO_PAIRS
        return Effect("odds ratio", None, None, None, confidence, note)
    tail = (1 - confidence) / 2
    wins, losses = pairs.only_a, pairs.only_b
    low = float(special.betaincinv(wins, losses + 1, tail)) if wins else 0.0
    high = float(special.betainccinv(wins + 1, losses, tail)) if losses else 1.0
    return Effect(
        "odds ratio",
        wins / losses if losses else None,
        low / (1 - low),
        high / (1 - high) if losses else None,
        confidence,
        None if losses else "The odds ratio is infinite: in no pair is only b right.",
    )


def _checked(differences: npt.ArrayLike, confidence: float) -> FloatArray:
    checked_confidence(confidence)
    return finite_values(differences, name="differences")


def _standardised(
    name: str, differences: npt.ArrayLike, *, confidence: float, clusters: npt.ArrayLike | None
) -> Effect:
    values = _checked(differences, confidence)
    groups = read_clusters(clusters, n=values.size)
    empty = Effect(name, None, None, None, confidence, NO_PAIRS)
    if values.size == 0:
        return empty
    if not values.any():
        return replace(empty, value=0.0, note=NO_DIFFERENCE)
    if values.size == 1:
        return replace(empty, note="One pair has no spread.")
    values = unit_values(values)  # d_z has no unit
    plain = mean_error(values)
    if plain.error == 0.0:
        return replace(empty, note="All differences are equal: there is no spread to measure the mean by.")
    value = plain.mean / (plain.error * math.sqrt(values.size))
    if groups is not None and groups.count < 2:
        return replace(empty, value=value, note="One cluster has no spread between clusters, so there is no interval.")
    robust = mean_error(values, clusters=groups)
    if robust.error == 0.0:
        return replace(empty, value=value, note="All clusters are equal, so there is no interval.")
    # One unit of noncentrality is this much d_z; 1 / sqrt(n) without clusters.
    unit = robust.error / (plain.error * math.sqrt(values.size))
    tail = (1 - confidence) / 2
    t = value / unit
    low = power_analysis.noncentrality(t, df=robust.df, probability=1 - tail) * unit
    high = power_analysis.noncentrality(t, df=robust.df, probability=tail) * unit
    return replace(empty, value=value, low=low, high=high, note=None)


def _hedges_factor(df: int) -> float:
    return math.exp(math.lgamma(df / 2) - math.lgamma((df - 1) / 2)) / math.sqrt(df / 2)


def _rank_biserial_interval(values: FloatArray, *, value: float, confidence: float) -> tuple[float, float]:
    from scipy import special  # noqa: PLC0415  scipy is slow to import

    n = values.size
    tail = (1 - confidence) / 2
    if abs(value) == 1.0:
        # Were P(D > 0) below q, n positive signs in a row would be rarer than `tail`; P(D + D' > 0) >= P(D > 0)^2.
        bound = 2 * tail ** (2 / n) - 1
        return (bound, 1.0) if value > 0 else (-1.0, -bound)
    ordered = np.sort(values)
    above = n - np.searchsorted(ordered, -values, side="right")
    level = n - np.searchsorted(ordered, -values, side="left") - above
    share = (above + level / 2 - (values > 0)) / (n - 1)  # P(d + D' > 0), the pair of d with itself left out
    observed = 4 * math.sqrt(float(share.var(ddof=1)) / n) / (1 - value * value)
    null = math.sqrt(2 * (2 * n + 1) / (3 * n * (n + 1)))
    width = -float(special.stdtrit(n - 1, tail)) * max(observed, null)
    centre = math.atanh(value)
    return math.tanh(centre - width), math.tanh(centre + width)
