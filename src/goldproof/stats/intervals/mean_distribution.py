"""The bootstrap distribution of a mean, without resampling.

The mean of n draws with replacement from x_1..x_n is an n-fold convolution, so its distribution can be computed
instead of simulated: as a Fourier series (`series`), or, where the values lie on a lattice, atom by atom (`atoms`).
Values on a lattice go to the series only when the window would hold more than 65,536 atoms; these are then far too
close to matter.

There is no Monte-Carlo error. The grid error of each way is stated in its module and tested.

Citation: Efron (1979), "Bootstrap methods: another look at the jackknife", Annals of Statistics 7 (the bootstrap of
the mean).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from goldproof.stats.intervals.atoms import MAX_ATOMS, atoms_in_window, mean_atoms
from goldproof.stats.intervals.lattice import find_lattice
from goldproof.stats.intervals.series import mean_series

if TYPE_CHECKING:
    from goldproof.core.arrays import FloatArray


class MeanDistribution(Protocol):
    """A bootstrap distribution: its distribution function and its quantiles."""

    def cdf(self, points: FloatArray) -> FloatArray:
        """P(mean* < point) + P(mean* = point) / 2."""
        ...

    def quantile(self, levels: FloatArray) -> FloatArray:
        """The smallest point with P(mean* <= point) >= level."""
        ...


def mean_distribution(values: FloatArray) -> MeanDistribution:
    """The distribution of the mean of n draws with replacement from n values, of which at least two differ."""
    lattice = find_lattice(values)
    if lattice is not None and atoms_in_window(lattice) <= MAX_ATOMS:
        return mean_atoms(lattice)
    return mean_series(values)
