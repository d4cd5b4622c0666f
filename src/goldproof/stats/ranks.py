"""Ranks with ties shared: equal values all get the mean of the ranks they take up."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from goldproof.core.arrays import FloatArray, IntArray

_DIGITS = 12


class Ranks(NamedTuple):
    """Twice the shared rank of each value (a whole number), and the sizes of the groups of equal values."""

    doubled: IntArray
    tie_sizes: IntArray


def shared_ranks(values: FloatArray) -> Ranks:
    """Rank from 1, ascending. Values that agree to 12 digits of the largest one are equal."""
    if values.size == 0:
        return Ranks(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    largest = float(np.abs(values).max())
    rounded = np.round(values / largest, _DIGITS) if largest > 0 else values
    _, group, sizes = np.unique(rounded, return_inverse=True, return_counts=True)
    last = np.cumsum(sizes)
    return Ranks((2 * last - sizes + 1)[group].astype(np.int64), sizes.astype(np.int64))
