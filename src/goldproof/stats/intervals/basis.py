"""What an interval is made from: the values, their clusters, the confidence asked for, and when there can be none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goldproof.stats.clusters import Clusters, read_clusters
from goldproof.stats.sample import binary_exponent, checked_confidence, finite_values, is_binary, is_flat

if TYPE_CHECKING:
    import numpy.typing as npt

    from goldproof.core.arrays import FloatArray

_BEYOND = 1e-6  # a difference of 1 may be rounded upwards


@dataclass(frozen=True, slots=True)
class Basis:
    """Checked values, and what is known of them.

    clusters: None where every value stands alone. labelled: whether clusters were given at all.
    bounded: whether the metric lies within 0 and 1, so that values of 0 and 1 (differences of -1, 0 and 1) are counts.
    """

    values: FloatArray
    clusters: Clusters | None
    labelled: bool
    confidence: float
    seed: int
    bounded: bool

    @classmethod
    def read(
        cls, values: npt.ArrayLike, *, clusters: npt.ArrayLike | None, confidence: float, seed: int, bounded: bool
    ) -> Basis:
        """Check what the caller gave."""
        array = finite_values(values, name="values")
        return cls(
            values=array,
            clusters=read_clusters(clusters, n=array.size),
            labelled=clusters is not None,
            confidence=checked_confidence(confidence),
            seed=seed,
            bounded=bounded,
        )

    @property
    def n(self) -> int:
        """How many values there are."""
        return int(self.values.size)

    @property
    def exponent(self) -> int:
        """The values are taken over 2^exponent, so that no square or cube of them over- or underflows."""
        return binary_exponent(self.values)

    @property
    def binary(self) -> bool:
        """Whether every value is 0 or 1, in a metric that cannot be more or less."""
        return self.bounded and is_binary(self.values)

    @property
    def shares(self) -> bool:
        """Whether every value lies within 0 and 1, in a metric that cannot be more or less."""
        return self.bounded and self.n > 0 and float(self.values.min()) >= 0.0 and float(self.values.max()) <= 1.0

    @property
    def within_one(self) -> bool:
        """Whether every value lies within -1 and 1, in a metric that cannot be more or less."""
        return self.bounded and bool((np.abs(self.values) <= 1 + _BEYOND).all())

    @property
    def wins_and_losses(self) -> bool:
        """Whether every value is -1, 0 or 1 and stands alone; without any difference clusters do no harm."""
        if not self.bounded:
            return False
        if self.clusters is not None:
            return not self.values.any()
        return bool(np.isin(self.values, (-1.0, 0.0, 1.0)).all())

    def why_none(self, *, spread_needed: bool) -> str | None:
        """Why there can be no interval, if so. spread_needed: the method estimates the spread from the values."""
        if self.n == 0:
            return "There are no values."
        if self.clusters is not None and self.clusters.count == 1:
            return f"All {self.n} values are in one cluster, which cannot show how clusters differ."
        if not spread_needed:
            return None
        if self.n == 1:
            return "One value cannot show how values differ."
        scale = float(np.abs(self.values).max())
        if is_flat(self.values, scale=scale):
            return f"All {self.n} values are {self.values[0]:.6g}, which cannot show how values differ."
        if self.clusters is not None and is_flat(self.clusters.mean_residuals(self.values), scale=scale):
            return f"All {self.clusters.count} clusters have the same mean, which cannot show how clusters differ."
        return None
