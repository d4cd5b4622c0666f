"""How much a gain counts for coming late: the weight of an iteration.

    w(i) = 1 / log2(i + 1)

w(1) = 1, w(2) = 0.6309, w(3) = 0.5. It falls slowly: w(100) is still 0.15.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from goldproof.core.arrays import FloatArray, IntArray


def discount(number: IntArray) -> FloatArray:
    """Return the weight of each iteration, given its number from 1."""
    weights: FloatArray = 1.0 / np.log2(number + 1.0)
    return weights
