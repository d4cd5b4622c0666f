"""The two ends of an interval, as the kernels hand them to `karat.stats.interval`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class Bounds(NamedTuple):
    """Lower and upper end; both finite, low <= high."""

    low: float
    high: float
