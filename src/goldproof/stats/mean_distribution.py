"""Bootstrap distribution of a mean, computed without resampling.

The mean of n draws with replacement from x_1..x_n is an n-fold convolution, so its distribution can be computed instead
of simulated: as a Fourier series (`MeanSeries`), or, where the values lie on a lattice, atom by atom (`MeanAtoms`).
Values on a lattice go to the series only when the window would hold more than 65,536 atoms; these are then far too
close to matter. There is no Monte-Carlo error; the grid error of each way is stated below and tested. Efron (1979),
"Bootstrap methods: another look at the jackknife", Annals of Statistics 7 (the bootstrap of the mean).

Atoms. Hits (0, 1), P@5 (multiples of 0.2), grades and reciprocal ranks to depth 10 (multiples of 1/2520) lie on a
lattice: the bootstrap distribution of their mean is a finite set of atoms, which a convolution finds exactly. The sum
of n draws has the probabilities irfft(rfft(p)^n), p being the shares of the lattice points. The transform is as long as
the sum has atoms, or as long as a window of +-10 standard errors around its mean, whichever is shorter. In the window,
mass from beyond its ends comes back on the other side: below 1e-8 even when one value holds all the variance (then the
standardised sum plus one is Poisson(1)), below 1e-20 in ordinary data. Otherwise only rounding is in error.

Series. In standard units, Z = sqrt(n) (mean* - m) / s with m and s the mean and the (population) standard deviation of
the values,

    phi(t) = (1/n sum_j exp(i t y_j))^n,      y_j = (x_j - m) / (s sqrt(n)).

Seen through a window of +-L standard errors (L = 10), the distribution function is a series in t_k = pi k / L:

    F(z) = (z + L) / 2L + Re sum_k c_k (exp(-i t_k z) - (-1)^k),      c_k = i phi(t_k) / (pi k).

The values are never binned: phi is computed from them, as a matrix product, because exp(i (a b + c) t) = exp(i a b t)
exp(i c t). Two errors remain.

    window      mass beyond +-L standard errors comes back on the other side: below 1e-8 even when one value holds
                all the variance (then Z + 1 is Poisson(1)), below 1e-20 in ordinary data.
    truncation  the number of frequencies is doubled until |phi| < 1e-10 in the upper half of them. Where the cap of
                2,048 is met first (few values, or one far from the rest), the series is tapered as if a normal error of
                `smoothing` = 0.0101 standard errors were added to Z: F(z) lies between F_exact(z - 4 smoothing) - 4e-5
                and F_exact(z + 4 smoothing) + 4e-5. (Above n = 16,384 the cap is 2^25 / n, at least 64.)

Abate and Whitt (1992), "The Fourier-series method for inverting transforms of probability distributions", Queueing
Systems 10.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from goldproof.records.arrays import FloatArray, IntArray

    ComplexArray = NDArray[np.complex128]


class MeanDistribution(Protocol):
    """A bootstrap distribution: its distribution function and its quantiles."""

    def cdf(self, points: FloatArray) -> FloatArray:
        """Return P(mean* < point) + P(mean* = point) / 2."""
        ...

    def quantile(self, levels: FloatArray) -> FloatArray:
        """Return the smallest point with P(mean* <= point) >= level."""
        ...


def mean_distribution(values: FloatArray) -> MeanDistribution:
    """Return the distribution of the mean of n draws with replacement from n values, of which at least two differ."""
    lattice = find_lattice(values)
    if lattice is not None and atoms_in_window(lattice) <= MAX_ATOMS:
        return mean_atoms(lattice)
    return mean_series(values)


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
        """Return P(mean* < point) + P(mean* = point) / 2."""
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
        """Return the smallest atom at which the distribution function reaches the level."""
        # The slack keeps a level that is reached exactly from being missed by the rounding of the sum.
        place = np.searchsorted(self.cumulated, levels - 1e-12)
        result: FloatArray = self.start + self.step * np.minimum(place, self.mass.size - 1)
        return result


def atoms_in_window(lattice: Lattice) -> int:
    """Return how many atoms of the mean there are to compute."""
    draws = lattice.codes.size
    window = int(np.ceil(2 * _WINDOW * np.sqrt(draws) * lattice.codes.std())) + 2
    return min(window, draws * lattice.steps + 1)


def mean_atoms(lattice: Lattice) -> MeanAtoms:
    """Return the distribution of the mean of as many draws as the lattice has values."""
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
    """Return the smallest 2^a or 3 * 2^a that is enough, at least 4."""
    power = max(1 << (at_least - 1).bit_length(), 4)
    return power * 3 // 4 if power * 3 // 4 >= at_least else power


MAX_DISTINCT = 128

MAX_STEPS = 10_080

_TOLERANCE = 1e-12


class Lattice(NamedTuple):
    """value = origin + step * code, code in 0..steps."""

    origin: float
    step: float
    steps: int
    codes: IntArray


def find_lattice(values: FloatArray) -> Lattice | None:
    """Return the coarsest lattice that holds every value, or None when there is none of at most MAX_STEPS steps."""
    # A sample this small is cheap to look at and rejects nearly all continuous data before the sort.
    if values.size > 4 * MAX_DISTINCT and np.unique(values[: 4 * MAX_DISTINCT]).size > MAX_DISTINCT:
        return None
    distinct = np.unique(values)
    if not 2 <= distinct.size <= MAX_DISTINCT:
        return None
    origin, width = float(distinct[0]), float(distinct[-1] - distinct[0])
    steps = _common_denominator((distinct - origin) / width)
    if steps is None:
        return None
    codes = np.rint((values - origin) * (steps / width)).astype(np.int64)
    return Lattice(origin=origin, step=width / steps, steps=steps, codes=codes)


def _common_denominator(shares: FloatArray) -> int | None:
    common = 1
    for share in shares.tolist():
        fraction = Fraction(share).limit_denominator(MAX_STEPS)
        if abs(float(fraction) - share) > _TOLERANCE:
            return None
        common = lcm(common, fraction.denominator)
        if common > MAX_STEPS:
            return None
    return common


_FIRST_FREQUENCIES = 64

_MAX_FREQUENCIES = 2048

_MAX_WORK = 1 << 25  # values times frequencies

_NEGLIGIBLE = 1e-10

_TAPER = 6.5  # exp(-6.5^2 / 2) = 7e-10

_NEWTON_STEPS = 3


@dataclass(frozen=True, slots=True)
class MeanSeries:
    """The distribution of centre + scale * Z, Z given by its series; never outside least..greatest."""

    centre: float
    scale: float
    least: float
    greatest: float
    coefficients: ComplexArray
    smoothing: float

    def cdf(self, points: FloatArray) -> FloatArray:
        """Return P(mean* <= point)."""
        return self._cdf((points - self.centre) / self.scale)

    def quantile(self, levels: FloatArray) -> FloatArray:
        """Return the points at which the distribution function reaches the levels."""
        grid = self._on_grid()
        step = 2 * _WINDOW / grid.size
        right = np.clip(np.searchsorted(grid, levels), 1, grid.size - 1)
        low, high = -_WINDOW + step * (right - 1), -_WINDOW + step * right
        rise = np.maximum(grid[right] - grid[right - 1], 1e-300)
        z = low + step * np.clip((levels - grid[right - 1]) / rise, 0.0, 1.0)
        for _ in range(_NEWTON_STEPS):  # inside a cell of a hundredth of a standard error
            slope = np.maximum(self._density(z), 1e-9)
            z = np.clip(z - (self._cdf(z) - levels) / slope, low, high)
        result: FloatArray = np.clip(self.centre + self.scale * z, self.least, self.greatest)
        return result

    def _cdf(self, z: FloatArray) -> FloatArray:
        inside = np.clip(z, -_WINDOW, _WINDOW)
        edge = float((self.coefficients * self._signs()).sum().real)
        waves = (self._waves(inside) @ self.coefficients).real
        result: FloatArray = np.clip((inside + _WINDOW) / (2 * _WINDOW) + waves - edge, 0.0, 1.0)
        return result

    def _density(self, z: FloatArray) -> FloatArray:
        slopes = (-1j * np.pi / _WINDOW) * self._orders() * self.coefficients
        result: FloatArray = 1 / (2 * _WINDOW) + (self._waves(z) @ slopes).real
        return result

    def _waves(self, z: FloatArray) -> ComplexArray:
        waves: ComplexArray = np.exp((-1j * np.pi / _WINDOW) * np.multiply.outer(z, self._orders()))
        return waves

    def _orders(self) -> FloatArray:
        orders: FloatArray = np.arange(1, self.coefficients.size + 1, dtype=np.float64)
        return orders

    def _signs(self) -> FloatArray:
        signs: FloatArray = 1.0 - 2.0 * (self._orders() % 2)
        return signs

    def _on_grid(self) -> FloatArray:
        """Return F at -L + 2L j / size, made monotone where rounding is not."""
        size = max(2048, 4 * self.coefficients.size)
        signed = self.coefficients * self._signs()
        spectrum = np.zeros(size // 2 + 1, dtype=np.complex128)
        spectrum[1 : signed.size + 1] = np.conj(signed) * (size / 2)
        waves = np.fft.irfft(spectrum, size).astype(np.float64)
        grid: FloatArray = np.maximum.accumulate(np.arange(size) / size + waves - float(signed.sum().real))
        return grid


def mean_series(values: FloatArray, *, max_frequencies: int = _MAX_FREQUENCIES) -> MeanSeries:
    """Return the distribution of the mean of n draws from n values, of which at least two differ."""
    centre, deviation = float(values.mean()), float(values.std())
    root = float(np.sqrt(values.size))
    standard = (values - centre) / (deviation * root)
    cap = min(max_frequencies, max(_FIRST_FREQUENCIES, _MAX_WORK // values.size))
    phi = _characteristic(standard, count=_FIRST_FREQUENCIES)
    while not _vanishes(phi) and 2 * phi.size <= cap:
        phi = _characteristic(standard, count=2 * phi.size)
    orders = np.arange(1, phi.size + 1)
    smoothing = 0.0 if _vanishes(phi) else _TAPER * _WINDOW / (np.pi * phi.size)
    taper = np.exp(-0.5 * (np.pi / _WINDOW * smoothing * orders) ** 2)
    return MeanSeries(
        centre=centre,
        scale=deviation / root,
        least=float(values.min()),
        greatest=float(values.max()),
        coefficients=1j * taper * phi / (np.pi * orders),
        smoothing=smoothing,
    )


def _vanishes(phi: ComplexArray) -> bool:
    return bool(np.abs(phi[phi.size // 2 :]).max() < _NEGLIGIBLE)


def _characteristic(standard: FloatArray, *, count: int) -> ComplexArray:
    """Return phi(pi k / L) for k = 1..count, count a power of two."""
    fine = 1 << (count.bit_length() // 2)
    unit = 1j * np.pi / _WINDOW
    low = np.exp(unit * np.multiply.outer(np.arange(1, fine + 1), standard))
    high = np.exp(unit * np.multiply.outer(np.arange(0, count, fine), standard))
    mean = (high @ low.T).ravel() / standard.size
    result: ComplexArray = np.power(mean, standard.size)
    return result
