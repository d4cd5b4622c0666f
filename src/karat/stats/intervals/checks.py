"""What an interval accepts: finite values, whole-number clusters of the same length, a confidence between 0 and 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from karat.core.errors import InputError
from karat.stats.intervals.clusters import Clusters

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from karat.stats.intervals.bounds import FloatArray


LARGEST = 1e200  # beyond it, sums and interval ends would overflow


def finite_values(values: ArrayLike, *, dimensions: int = 1) -> FloatArray:
    """The values as an array of floats, checked."""
    array: FloatArray = np.asarray(values, dtype=np.float64)
    if array.ndim != dimensions:
        raise InputError(f"values have {array.ndim} dimensions; expected {dimensions}.")
    bad = np.flatnonzero(~(np.abs(array) <= LARGEST))
    if bad.size:
        raise InputError(
            f"{bad.size} of {array.size} values are not finite (the first: {array.flat[bad[0]]} at position {bad[0]}). "
            "Leave undefined and failed values out, and count them beside the interval."
        )
    return array


def checked_clusters(clusters: ArrayLike | None, *, n: int) -> Clusters | None:
    """The clusters of n values, checked."""
    if clusters is None:
        return None
    codes = np.asarray(clusters)
    if codes.shape != (n,):
        raise InputError(f"clusters have shape {codes.shape}; expected one code for each of the {n} values.")
    if codes.size and not np.issubdtype(codes.dtype, np.integer):
        raise InputError(f"clusters are {codes.dtype}; expected integer codes. Number the cluster names first.")
    return Clusters.from_codes(codes.astype(np.int64))


def checked_confidence(confidence: float) -> float:
    """The confidence, strictly between 0 and 1."""
    if not 0 < confidence < 1:
        raise InputError(f"confidence is {confidence}; expected a number between 0 and 1, such as 0.95.")
    return float(confidence)
