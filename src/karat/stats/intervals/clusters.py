"""Values in clusters: questions from one document or conversation are not independent.

With cluster totals S_g of N_g values each, N = sum N_g and the mean r = sum S_g / N, each cluster enters through its
residual u_g = S_g - r N_g. Whole clusters are the independent units; within them any dependence is allowed.

    cluster-t     V = G / (G - 1) sum u_g^2 / N^2, Student's quantile with G - 1 degrees of freedom.
    cluster-cr2   V = sum u_g^2 / (1 - N_g / N) / N^2, and degrees of freedom that fall as the sizes grow unequal:
                  N^2 / (sum N_g^2 + sum_{g != k} w_g w_k / N^2),  w_g = N_g^2 / (1 - N_g / N);  G - 1 for equal sizes.
    wilson        Wilson's interval with n replaced by n / deff, deff = V / (r (1 - r) / N), and z by Student's
                  quantile, both as in cluster-cr2. deff is at least 1; at r = 0 or 1 it cannot be estimated, and n
                  becomes G.

Citation: Cochran (1977), section 6; Bell and McCaffrey (2002), Survey Methodology 28 (cr2); Korn and Graubard (1998),
Survey Methodology 24 (deff).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from karat.stats.intervals.bounds import Bounds, FloatArray, IntArray
from karat.stats.intervals.student import t_quantile
from karat.stats.intervals.wilson import wilson_interval


@dataclass(frozen=True, slots=True)
class Clusters:
    """Which cluster each value is in (0..G-1), and how many values each cluster has."""

    codes: IntArray
    sizes: FloatArray

    @classmethod
    def from_codes(cls, codes: IntArray) -> Clusters:
        """Renumber any integer codes to 0..G-1."""
        _, renumbered = np.unique(codes, return_inverse=True)
        return cls(codes=renumbered, sizes=np.bincount(renumbered).astype(np.float64))

    @property
    def count(self) -> int:
        """G."""
        return int(self.sizes.size)

    @property
    def shares(self) -> FloatArray:
        """N_g / N."""
        shares: FloatArray = self.sizes / self.sizes.sum()
        return shares

    @property
    def degrees_of_freedom(self) -> float:
        """Bell and McCaffrey's degrees of freedom for a mean; G - 1 when the sizes are equal."""
        size = float(self.sizes.sum())
        weights = self.sizes**2 / (1 - self.shares)
        crossed = (float(weights.sum()) ** 2 - float((weights**2).sum())) / size**2
        return size**2 / (float((self.sizes**2).sum()) + crossed)

    def totals(self, values: FloatArray) -> FloatArray:
        """S_g."""
        return np.bincount(self.codes, weights=values, minlength=self.count).astype(np.float64)

    def residuals(self, values: FloatArray) -> FloatArray:
        """u_g, from centred values so that a large common offset costs no digits."""
        return self.totals(values - values.mean())


def cluster_t_interval(values: FloatArray, *, clusters: Clusters, confidence: float) -> Bounds:
    """Student's interval with G - 1 degrees of freedom; at least two clusters."""
    residuals = clusters.residuals(values)
    groups = clusters.count
    error = sqrt(groups / (groups - 1) * float((residuals**2).sum())) / values.size
    return _around(values, half=t_quantile((1 + confidence) / 2, df=groups - 1) * error)


def cluster_cr2_interval(values: FloatArray, *, clusters: Clusters, confidence: float) -> Bounds:
    """Student's interval with the bias-reduced variance and its degrees of freedom; at least two clusters."""
    quantile = t_quantile((1 + confidence) / 2, df=clusters.degrees_of_freedom)
    return _around(values, half=quantile * sqrt(_cr2_variance(values, clusters=clusters)))


def cluster_wilson_interval(values: FloatArray, *, clusters: Clusters, confidence: float) -> Bounds:
    """Wilson's interval of 0/1 values with the design effect; at least two clusters."""
    share = float(values.mean())
    quantile = t_quantile((1 + confidence) / 2, df=clusters.degrees_of_freedom)
    return wilson_interval(share, n=_effective_size(values, clusters=clusters), quantile=quantile)


def _around(values: FloatArray, *, half: float) -> Bounds:
    centre = float(values.mean())
    return Bounds(centre - half, centre + half)


def _effective_size(values: FloatArray, *, clusters: Clusters) -> float:
    share = float(values.mean())
    if share in {0.0, 1.0}:
        return float(clusters.count)
    simple = share * (1 - share) / values.size
    return values.size / max(_cr2_variance(values, clusters=clusters) / simple, 1.0)


def _cr2_variance(values: FloatArray, *, clusters: Clusters) -> float:
    residuals = clusters.residuals(values)
    return float((residuals**2 / (1 - clusters.shares)).sum()) / values.size**2
