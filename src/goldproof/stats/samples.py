"""Checked values, paired differences, clusters and their design effect.

A difference is a minus b. Differences below 1e-12 of the values they come from are rounding, not evidence (0.1 + 0.2
against 0.3), and count as zero.

Clusters. With cluster sums S_g of N_g values each, N = sum N_g and the mean r = sum S_g / N, each cluster enters
through its residual u_g = S_g - r N_g. Whole clusters are the independent units; within them any dependence is allowed.
The variance of the mean:

    plain          G / (G - 1) sum u_g^2 / N^2, with G - 1 degrees of freedom
    bias-reduced   sum u_g^2 / (1 - N_g / N) / N^2 (CR2), with degrees of freedom that fall as sizes grow unequal:
                   N^2 / (sum N_g^2 + sum_{g != k} w_g w_k / N^2),  w_g = N_g^2 / (1 - N_g / N);  G - 1 for equal sizes
    jackknife      sum u_g^2 / (1 - N_g / N)^2 / N^2 (CR3): how far the mean moves when each cluster is left out; a
                   little too large on average

All need two clusters. Clusters of one value each are the same as no clusters: `read_clusters` gives None for either, so
that nothing after it has to ask. Cochran (1977), section 6; Liang and Zeger (1986); Bell and McCaffrey (2002), Survey
Methodology 28 (CR2).

The design effect:

    deff = V / (s^2 / n),    V = the cluster variance of the mean (plain), s with ddof 1

n clustered values tell as much as n / deff independent ones. It is 1 where there is nothing to estimate it from: every
value is its own cluster, all are in one cluster, or all are equal. Kish (1965), Survey Sampling.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ldexp
from typing import TYPE_CHECKING

import numpy as np

from goldproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from goldproof.records.arrays import FloatArray, IntArray


ROUNDING = 1e-12

LARGEST = 1e100  # squares of larger values, summed, may overflow

_PLAIN_EXPONENT = 1000  # within it a power of two and its inverse are normal numbers


def finite_values(values: npt.ArrayLike, *, name: str) -> FloatArray:
    """Return the values as float64; raise if one is not a finite number."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name}: expected numbers: {error}. Leave undefined values out first.") from error
    if array.ndim != 1:
        raise InputError(f"{name}: found {array.ndim} dimensions, expected a flat sequence of numbers.")
    bad = np.flatnonzero(~(np.abs(array) <= LARGEST))  # NaN fails every comparison
    if bad.size:
        raise InputError(
            f"{name}: position {bad[0]} holds {array[bad[0]]} ({bad.size} bad in all), expected finite numbers "
            f"of at most {LARGEST:g}. "
            "Leave undefined and failed values out (of both systems if paired) and report how many there were."
        )
    return array


def paired_differences(a: npt.ArrayLike, b: npt.ArrayLike) -> FloatArray:
    """Subtract b from a, pair by pair; rounding noise is set to zero."""
    first, second = finite_values(a, name="a"), finite_values(b, name="b")
    if first.size != second.size:
        raise InputError(
            f"paired samples: a has {first.size} values and b has {second.size}, expected the same number. "
            "Match them by question first, or use an unpaired test."
        )
    differences = first - second
    differences[np.abs(differences) <= ROUNDING * np.maximum(np.abs(first), np.abs(second))] = 0.0
    return differences


def checked_confidence(confidence: float) -> float:
    """Return the confidence, strictly between 0 and 1."""
    if not 0.0 < confidence < 1.0:
        raise InputError(f"confidence: found {confidence}, expected a number between 0 and 1 such as 0.95.")
    return float(confidence)


def is_binary(values: FloatArray) -> bool:
    """Return whether every value is 0 or 1."""
    return bool(np.all((values == 0.0) | (values == 1.0)))


def is_flat(values: FloatArray, *, scale: float) -> bool:
    """Return whether the values are equal, up to the rounding of numbers as large as `scale`."""
    return float(np.ptp(values)) <= ROUNDING * scale


def binary_exponent(values: FloatArray) -> int:
    """Return the power of two just above the largest absolute value."""
    return int(np.frexp(np.abs(values).max(initial=0.0))[1])


def unit_values(values: FloatArray) -> FloatArray:
    """Return the values over 2^exponent: exactly the same digits, and no square or cube of them over- or underflows."""
    exponent = binary_exponent(values)
    if abs(exponent) < _PLAIN_EXPONENT:  # a product with a power of two is as exact, and much faster
        return values * ldexp(1.0, -exponent)
    scaled: FloatArray = np.ldexp(values, -exponent)
    return scaled


@dataclass(frozen=True, slots=True)
class Clusters:
    """Which cluster each value is in (0..G-1), and how many values each cluster has."""

    codes: IntArray
    sizes: FloatArray

    @property
    def count(self) -> int:
        """G."""
        return int(self.sizes.size)

    @property
    def shares(self) -> FloatArray:
        """N_g / N."""
        shares: FloatArray = self.sizes / self.sizes.sum()
        return shares

    def sums(self, values: FloatArray) -> FloatArray:
        """Return S_g."""
        return np.bincount(self.codes, weights=values, minlength=self.count).astype(np.float64, copy=False)

    def residuals(self, values: FloatArray) -> FloatArray:
        """Return u_g, from centred values so that a large common offset costs no digits."""
        return self.sums(values - values.mean())

    def mean_residuals(self, values: FloatArray) -> FloatArray:
        """Return u_g / N_g: how far the mean of each cluster lies from the mean of all values."""
        apart: FloatArray = self.residuals(values) / self.sizes
        return apart

    def variance(self, values: FloatArray) -> float:
        """Return the variance of the mean, with G - 1 degrees of freedom."""
        residuals = self.residuals(values)
        return self.count / (self.count - 1) * float(residuals @ residuals) / values.size**2

    def bias_reduced_variance(self, values: FloatArray) -> float:
        """Return the variance of the mean in which large clusters do not hide their own error (CR2)."""
        return float((self.residuals(values) ** 2 / (1 - self.shares)).sum()) / values.size**2

    def jackknife_variance(self, values: FloatArray) -> float:
        """Return the variance of the mean from leaving out one cluster at a time (CR3)."""
        return float(((self.residuals(values) / (1 - self.shares)) ** 2).sum()) / values.size**2

    @property
    def bias_reduced_df(self) -> float:
        """Bell and McCaffrey's degrees of freedom; G - 1 when the sizes are equal."""
        size = float(self.sizes.sum())
        weights = self.sizes**2 / (1 - self.shares)
        crossed = (float(weights.sum()) ** 2 - float((weights**2).sum())) / size**2
        return size**2 / (float((self.sizes**2).sum()) + crossed)


def read_clusters(labels: npt.ArrayLike | None, *, n: int) -> Clusters | None:
    """Return the clusters of n values; None where no two values share one.

    labels: one per value, anything that can be compared for equality; a missing one is refused.
    """
    if labels is None:
        return None
    # A list is read as it is: numpy would turn 1 beside "1" into text, and tuples into a table.
    column: Sequence[object] | npt.NDArray[np.generic]
    column = labels if isinstance(labels, list | tuple) else np.asarray(labels)
    shape = column.shape if isinstance(column, np.ndarray) else (len(column),)
    if shape != (n,):
        raise InputError(f"clusters: found shape {shape}, expected one label for each of {n} values.")
    codes = _numbered(column)
    sizes = np.bincount(codes)
    return None if sizes.size == n else Clusters(codes, sizes.astype(np.float64))


def _numbered(labels: Sequence[object] | npt.NDArray[np.generic]) -> IntArray:
    """Return the labels as numbers from 0."""
    if isinstance(labels, np.ndarray):
        if labels.dtype.kind in "biuUS":
            numbers: IntArray = np.unique(labels, return_inverse=True)[1]
            return numbers
        labels = labels.tolist()
    seen: dict[object, int] = {}
    try:
        codes = [seen.setdefault(label, len(seen)) for label in labels]
        missing = [label for label in seen if label is None or label != label]  # noqa: PLR0124  NaN differs from itself
    except TypeError as error:
        raise InputError(f"clusters: {error}. Give labels such as numbers or text.") from error
    if missing:
        raise InputError(
            f"clusters: a label is {missing[0]}. Give every value a cluster, or its own id if it belongs to none."
        )
    return np.asarray(codes, dtype=np.int64)


def design_effect(values: npt.ArrayLike, *, clusters: npt.ArrayLike) -> float:
    """Estimate the design effect of a clustered mean."""
    x = unit_values(finite_values(values, name="values"))
    groups = read_clusters(clusters, n=x.size)
    if groups is None or groups.count < 2 or is_flat(x, scale=1.0):
        return 1.0
    return groups.variance(x) / (float(x.var(ddof=1)) / x.size)
