"""What an interval is made from: the values, their clusters, the confidence asked for, and when there can be none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from karat.stats.intervals.bounds import FloatArray
    from karat.stats.intervals.clusters import Clusters

_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Sample:
    """Checked values, with the clusters as given (None: independent values)."""

    values: FloatArray
    clusters: Clusters | None
    confidence: float
    seed: int

    @property
    def n(self) -> int:
        """How many values there are."""
        return int(self.values.size)

    @property
    def groups(self) -> Clusters | None:
        """The clusters where they matter: clusters of one value each are no clusters."""
        return self.clusters if self.clusters is not None and self.clusters.count < self.n else None

    @property
    def exponent(self) -> int:
        """The power of two just above the largest absolute value."""
        return int(np.frexp(np.abs(self.values).max(initial=0.0))[1])

    @property
    def unit_values(self) -> FloatArray:
        """The values over 2^exponent: exactly the same digits, and no square or cube of them over- or underflows."""
        scaled: FloatArray = np.ldexp(self.values, -self.exponent)
        return scaled

    def within(self, *allowed: float) -> bool:
        """Whether every value is one of those allowed."""
        return bool(np.isin(self.values, allowed).all())

    @property
    def binary(self) -> bool:
        """Whether every value is 0 or 1."""
        return self.within(0.0, 1.0)

    @property
    def wins_and_losses(self) -> bool:
        """Whether every value is -1, 0 or 1 and stands alone; without any difference clusters do no harm."""
        return self.within(0.0) or (self.groups is None and self.within(-1.0, 0.0, 1.0))

    def why_none(self, *, spread_needed: bool) -> str | None:
        """Why there can be no interval, if so. spread_needed: the method estimates the spread from the values."""
        if self.n == 0:
            return "There are no values."
        if self.groups is not None and self.groups.count == 1:
            return f"All {self.n} values are in one cluster, which cannot show how clusters differ."
        if not spread_needed:
            return None
        if self.n == 1:
            return "One value cannot show how values differ."
        if self._flat(self.values):
            return f"All {self.n} values are {self.values[0]:.6g}, which cannot show how values differ."
        if self.groups is not None and self._flat(self.groups.residuals(self.values) / self.groups.sizes):
            return f"All {self.groups.count} clusters have the same mean, which cannot show how clusters differ."
        return None

    def _flat(self, numbers: FloatArray) -> bool:
        """Equal up to the rounding of the values."""
        return float(np.ptp(numbers)) <= _ROUNDING * float(np.abs(self.values).max())
