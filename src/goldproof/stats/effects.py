"""Cohen's d_z: the effect size of paired differences d = a - b, with an interval.

    d_z = mean(d) / sd(d), sd with ddof 1

Interval: the noncentralities at which the observed t = d_z sqrt(n) is the upper and the lower (1 - confidence) / 2
point, divided by sqrt(n). With clusters the point estimate stays, and the interval uses the cluster-robust standard
error with one degree of freedom fewer than there are clusters. A bound or value that does not exist is None, with a
note. Cohen (1988); Cumming and Finch (2001).
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from goldproof.stats import power_analysis
from goldproof.stats.paired import mean_error
from goldproof.stats.results import NO_DIFFERENCE, NO_PAIRS, Effect
from goldproof.stats.samples import checked_confidence, finite_values, read_clusters, unit_values

if TYPE_CHECKING:
    import numpy.typing as npt


def cohen_dz(differences: npt.ArrayLike, *, confidence: float = 0.95, clusters: npt.ArrayLike | None = None) -> Effect:
    """Return the mean difference in units of the differences' standard deviation."""
    checked_confidence(confidence)
    values = finite_values(differences, name="differences")
    groups = read_clusters(clusters, n=values.size)
    empty = Effect("Cohen's d_z", None, None, None, confidence, NO_PAIRS)
    if values.size == 0:
        return empty
    if not values.any():
        return replace(empty, value=0.0, note=NO_DIFFERENCE)
    if values.size == 1:
        return replace(empty, note="Only one pair: no spread to estimate.")
    values = unit_values(values)  # d_z has no unit
    plain = mean_error(values)
    if plain.error == 0.0:
        return replace(empty, note="All differences are equal: no spread to divide by.")
    value = plain.mean / (plain.error * math.sqrt(values.size))
    if groups is not None and groups.count < 2:
        return replace(empty, value=value, note="Only one cluster, so there is no interval.")
    robust = mean_error(values, clusters=groups)
    if robust.error == 0.0:
        return replace(empty, value=value, note="All clusters have the same mean, so there is no interval.")
    # One unit of noncentrality is this much d_z; 1 / sqrt(n) without clusters.
    unit = robust.error / (plain.error * math.sqrt(values.size))
    tail = (1 - confidence) / 2
    t = value / unit
    low = power_analysis.noncentrality(t, df=robust.df, probability=1 - tail) * unit
    high = power_analysis.noncentrality(t, df=robust.df, probability=tail) * unit
    return replace(empty, value=value, low=low, high=high, note=None)
