"""The two ends of an interval, as the kernels hand them to `goldproof.stats.interval`."""

from __future__ import annotations

from typing import NamedTuple


class Bounds(NamedTuple):
    """Lower and upper end; both finite, low <= high."""

    low: float
    high: float
