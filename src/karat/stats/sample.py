"""Samples as every test takes them: finite numbers in one dimension, paired by position, perhaps in clusters.

A difference is a minus b. Differences below 1e-12 of the values they come from are rounding, not evidence
(0.1 + 0.2 against 0.3), and count as zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from karat.core.errors import InputError

if TYPE_CHECKING:
    import numpy.typing as npt

    FloatArray = npt.NDArray[np.float64]
    IntArray = npt.NDArray[np.int64]

ROUNDING = 1e-12
_LARGEST = 1e100  # squares of larger values, summed, may overflow


@dataclass(frozen=True, slots=True)
class Clusters:
    """Which cluster each item belongs to, as numbers from 0 to count - 1."""

    codes: IntArray
    count: int

    def sums(self, values: FloatArray) -> FloatArray:
        """The sum of the values in each cluster."""
        return np.bincount(self.codes, weights=values, minlength=self.count).astype(np.float64, copy=False)


def finite_values(values: npt.ArrayLike, *, name: str) -> FloatArray:
    """The values as float64, or InputError where one is not a finite number."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name}: expected numbers: {error}. Leave undefined values out first.") from error
    if array.ndim != 1:
        raise InputError(f"{name}: found {array.ndim} dimensions, expected a flat sequence of numbers.")
    bad = np.flatnonzero(~(np.abs(array) <= _LARGEST))  # NaN fails every comparison
    if bad.size:
        raise InputError(
            f"{name}: position {bad[0]} holds {array[bad[0]]} ({bad.size} such in all), expected finite numbers "
            f"of at most {_LARGEST:g}. "
            "Leave undefined values out, of both systems where they are paired."
        )
    return array


def paired_differences(a: npt.ArrayLike, b: npt.ArrayLike) -> FloatArray:
    """Subtract b from a, pair by pair; rounding noise is set to zero."""
    first, second = finite_values(a, name="a"), finite_values(b, name="b")
    if first.size != second.size:
        raise InputError(
            f"paired samples: a has {first.size} values and b has {second.size}, expected as many. "
            "Match them by question first, or use an unpaired test."
        )
    differences = first - second
    differences[np.abs(differences) <= ROUNDING * np.maximum(np.abs(first), np.abs(second))] = 0.0
    return differences


def cluster_codes(clusters: npt.ArrayLike, *, n: int) -> Clusters:
    """Number the clusters; any labels that can be compared for equality will do, a missing one will not."""
    labels = np.asarray(clusters)
    if labels.ndim != 1 or labels.size != n:
        raise InputError(f"clusters: found shape {labels.shape}, expected one label for each of {n} items.")
    if labels.dtype.kind == "f" and np.isnan(labels).any():
        raise InputError("clusters: a label is NaN. Give every item a cluster; its own id if it stands alone.")
    if labels.dtype.kind in "biufUS":
        found, codes = np.unique(labels, return_inverse=True)
        return Clusters(codes.astype(np.int64, copy=False), found.size)
    seen: dict[object, int] = {}
    numbers = [seen.setdefault(label, len(seen)) for label in labels.tolist()]
    if None in seen:
        raise InputError("clusters: a label is None. Give every item a cluster; its own id if it stands alone.")
    return Clusters(np.asarray(numbers, dtype=np.int64), len(seen))


def is_binary(values: FloatArray) -> bool:
    """Whether every value is 0 or 1."""
    return bool(np.all((values == 0.0) | (values == 1.0)))
