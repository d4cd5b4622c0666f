"""Values in clusters: questions from one document or conversation are not independent.

With cluster sums S_g of N_g values each, N = sum N_g and the mean r = sum S_g / N, each cluster enters through its
residual u_g = S_g - r N_g. Whole clusters are the independent units; within them any dependence is allowed. The
variance of the mean:

    plain          G / (G - 1) sum u_g^2 / N^2, with G - 1 degrees of freedom
    bias-reduced   sum u_g^2 / (1 - N_g / N) / N^2 (CR2), with degrees of freedom that fall as sizes grow unequal:
                   N^2 / (sum N_g^2 + sum_{g != k} w_g w_k / N^2),  w_g = N_g^2 / (1 - N_g / N);  G - 1 for equal sizes
    jackknife      sum u_g^2 / (1 - N_g / N)^2 / N^2 (CR3): how far the mean moves when each cluster is left out; a
                   little too large on average

All need two clusters. Clusters of one value each are the same as no clusters: `read_clusters` gives None for either,
so that nothing after it has to ask.

Citation: Cochran (1977), section 6; Liang and Zeger (1986); Bell and McCaffrey (2002), Survey Methodology 28 (CR2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goldproof.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from goldproof.core.arrays import FloatArray, IntArray


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
        """S_g."""
        return np.bincount(self.codes, weights=values, minlength=self.count).astype(np.float64, copy=False)

    def residuals(self, values: FloatArray) -> FloatArray:
        """u_g, from centred values so that a large common offset costs no digits."""
        return self.sums(values - values.mean())

    def mean_residuals(self, values: FloatArray) -> FloatArray:
        """u_g / N_g: how far the mean of each cluster lies from the mean of all values."""
        apart: FloatArray = self.residuals(values) / self.sizes
        return apart

    def variance(self, values: FloatArray) -> float:
        """The variance of the mean, with G - 1 degrees of freedom."""
        residuals = self.residuals(values)
        return self.count / (self.count - 1) * float(residuals @ residuals) / values.size**2

    def bias_reduced_variance(self, values: FloatArray) -> float:
        """The variance of the mean in which large clusters do not hide their own error (CR2)."""
        return float((self.residuals(values) ** 2 / (1 - self.shares)).sum()) / values.size**2

    def jackknife_variance(self, values: FloatArray) -> float:
        """The variance of the mean from leaving out one cluster at a time (CR3)."""
        return float(((self.residuals(values) / (1 - self.shares)) ** 2).sum()) / values.size**2

    @property
    def bias_reduced_df(self) -> float:
        """Bell and McCaffrey's degrees of freedom; G - 1 when the sizes are equal."""
        size = float(self.sizes.sum())
        weights = self.sizes**2 / (1 - self.shares)
        crossed = (float(weights.sum()) ** 2 - float((weights**2).sum())) / size**2
        return size**2 / (float((self.sizes**2).sum()) + crossed)


def read_clusters(labels: npt.ArrayLike | None, *, n: int) -> Clusters | None:
    """The clusters of n values; None where every value stands alone.

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
    """The labels as numbers from 0."""
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
            f"clusters: a label is {missing[0]}. Give every value a cluster; its own id if it stands alone."
        )
    return np.asarray(codes, dtype=np.int64)
