"""Values on a lattice: a + h * {0, 1, ..., R}.

Hits (0, 1), P@5 (multiples of 0.2), grades and reciprocal ranks to depth 10 (multiples of 1/2520) are such values.
The bootstrap distribution of their mean is a finite set of atoms, which a convolution finds exactly.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from goldproof.core.arrays import FloatArray, IntArray

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
    """The coarsest lattice that holds every value, or None when there is none of at most MAX_STEPS steps."""
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
