"""The bootstrap distribution of a mean of lattice values: a finite set of atoms, found exactly.

The sum of n draws has the probabilities irfft(rfft(p)^n), p being the shares of the lattice points. The transform is
as long as the sum has atoms, or as long as a window of +-10 standard errors around its mean, whichever is shorter. In
the window, mass from beyond its ends comes back on the other side: below 1e-8 even when one value holds all the
variance (then the standardised sum plus one is Poisson(1)), below 1e-20 in ordinary data. Otherwise only rounding is
in error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from goldproof.core.arrays import FloatArray
    from goldproof.stats.intervals.lattice import Lattice

MAX_ATOMS = 1 << 16
_WINDOW = 10.0  # standard errors either side
_SAME = 1e-6  # of a step: a point this near an atom is on it


@dataclass(frozen=True, slots=True)
class MeanAtoms:
    """Atoms at start + step * {0, 1, ...} with their mass, and the mass up to and including each."""

    start: float
    step: float
    mass: FloatArray
    cumulated: FloatArray

    def cdf(self, points: FloatArray) -> FloatArray:
        """P(mean* < point) + P(mean* = point) / 2."""
        place = (points - self.start) / self.step
        nearest = np.rint(place)
        on_atom = np.abs(place - nearest) < _SAME
        below = np.where(on_atom, nearest, np.ceil(place)).astype(np.int64)
        last = self.mass.size - 1
        before = np.concatenate([[0.0], self.cumulated])[np.clip(below, 0, last + 1)]
        half = np.where(on_atom & (below >= 0) & (below <= last), self.mass[np.clip(below, 0, last)] / 2, 0.0)
        result: FloatArray = before + half
        return result

    def quantile(self, levels: FloatArray) -> FloatArray:
        """The smallest atom at which the distribution function reaches the level."""
        # The slack keeps a level that is reached exactly from being missed by the rounding of the sum.
        place = np.searchsorted(self.cumulated, levels - 1e-12)
        result: FloatArray = self.start + self.step * np.minimum(place, self.mass.size - 1)
        return result


def atoms_in_window(lattice: Lattice) -> int:
    """How many atoms of the mean there are to compute."""
    draws = lattice.codes.size
    window = int(np.ceil(2 * _WINDOW * np.sqrt(draws) * lattice.codes.std())) + 2
    return min(window, draws * lattice.steps + 1)


def mean_atoms(lattice: Lattice) -> MeanAtoms:
    """The distribution of the mean of as many draws as the lattice has values."""
    draws = lattice.codes.size
    size = _fast_length(atoms_in_window(lattice))
    share = np.bincount(lattice.codes % size, minlength=size) / draws
    wrapped = np.fft.irfft(np.fft.rfft(share) ** draws, size)
    whole = size > draws * lattice.steps
    first = 0 if whole else max(int(lattice.codes.sum()) - size // 2, 0)
    mass = np.maximum(np.roll(wrapped, -(first % size)), 0.0)
    mass /= mass.sum()
    step = lattice.step / draws
    return MeanAtoms(start=lattice.origin + step * first, step=step, mass=mass, cumulated=np.cumsum(mass))


def _fast_length(at_least: int) -> int:
    """The smallest 2^a or 3 * 2^a that is enough, at least 4."""
    power = max(1 << (at_least - 1).bit_length(), 4)
    return power * 3 // 4 if power * 3 // 4 >= at_least else power
