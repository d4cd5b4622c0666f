"""The design effect: how many times wider the variance of a mean is than if all values were independent.

    deff = V / (s^2 / n),    V = the cluster variance of the mean (see `clusters`), s with ddof 1

n clustered values tell as much as n / deff independent ones. 1 where there is nothing to tell it from: every value
stands alone, all are in one cluster, or all are equal. Kish (1965), Survey Sampling.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.stats.clusters import read_clusters
from goldproof.stats.sample import finite_values, is_flat, unit_values

if TYPE_CHECKING:
    import numpy.typing as npt


def design_effect(values: npt.ArrayLike, *, clusters: npt.ArrayLike) -> float:
    """Estimate the design effect of a clustered mean."""
    x = unit_values(finite_values(values, name="values"))
    groups = read_clusters(clusters, n=x.size)
    if groups is None or groups.count < 2 or is_flat(x, scale=1.0):
        return 1.0
    return groups.variance(x) / (float(x.var(ddof=1)) / x.size)
