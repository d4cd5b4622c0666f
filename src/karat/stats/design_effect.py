"""The design effect: how many times wider the variance of a mean is than if all values were independent.

    deff = V_clustered / (s^2 / n),    V_clustered = G / (G - 1) * sum over clusters of u_g^2 / n^2,
    u_g = sum of (x - mean) in cluster g

n clustered values tell as much as n / deff independent ones. 1 where there is nothing to tell it from (fewer than two
clusters, all values equal). Kish (1965), Survey Sampling.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from karat.stats.sample import cluster_codes, finite_values

if TYPE_CHECKING:
    import numpy.typing as npt


def design_effect(values: npt.ArrayLike, *, clusters: npt.ArrayLike) -> float:
    """Estimate the design effect of a clustered mean."""
    x = finite_values(values, name="values")
    groups = cluster_codes(clusters, n=len(x))
    if groups.count < 2 or not np.ptp(x):
        return 1.0
    sums = np.bincount(groups.codes, weights=x - x.mean(), minlength=groups.count)
    clustered = groups.count / (groups.count - 1) * float(np.square(sums).sum()) / len(x) ** 2
    return clustered / (float(x.var(ddof=1)) / len(x))
