"""What statistics are made from: finite numbers in one dimension, paired by position, and a confidence.

A difference is a minus b. Differences below 1e-12 of the values they come from are rounding, not evidence
(0.1 + 0.2 against 0.3), and count as zero.
"""

from __future__ import annotations

from math import ldexp
from typing import TYPE_CHECKING

import numpy as np

from goldproof.core.errors import InputError

if TYPE_CHECKING:
    import numpy.typing as npt

    from goldproof.core.arrays import FloatArray

ROUNDING = 1e-12
LARGEST = 1e100  # squares of larger values, summed, may overflow
_PLAIN_EXPONENT = 1000  # within it a power of two and its inverse are normal numbers


def finite_values(values: npt.ArrayLike, *, name: str) -> FloatArray:
    """The values as float64, or InputError where one is not a finite number."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name}: expected numbers: {error}. Leave undefined values out first.") from error
    if array.ndim != 1:
        raise InputError(f"{name}: found {array.ndim} dimensions, expected a flat sequence of numbers.")
    bad = np.flatnonzero(~(np.abs(array) <= LARGEST))  # NaN fails every comparison
    if bad.size:
        raise InputError(
            f"{name}: position {bad[0]} holds {array[bad[0]]} ({bad.size} such in all), expected finite numbers "
            f"of at most {LARGEST:g}. "
            "Leave undefined and failed values out, of both systems where they are paired, and count them beside."
        )
    return array


def paired_differences(a: npt.ArrayLike, b: npt.ArrayLike) -> FloatArray:
    """Subtract b from a, pair by pair; rounding noise is set to zero."""
    first, second = finite_values(a, name="a"), finite_values(b, name="b")
    if first.size != second.size:
        raise InputError(
            f"paired samples: a has {first.size} values and b has {second.size}, expected as many. "
            "Match them by question first, or use an unpaired test."
        )
    differences = first - second
    differences[np.abs(differences) <= ROUNDING * np.maximum(np.abs(first), np.abs(second))] = 0.0
    return differences


def checked_confidence(confidence: float) -> float:
    """The confidence, strictly between 0 and 1."""
    if not 0.0 < confidence < 1.0:
        raise InputError(f"confidence: found {confidence}, expected a number between 0 and 1 such as 0.95.")
    return float(confidence)


def is_binary(values: FloatArray) -> bool:
    """Whether every value is 0 or 1."""
    return bool(np.all((values == 0.0) | (values == 1.0)))


def is_flat(values: FloatArray, *, scale: float) -> bool:
    """Whether the values are equal, up to the rounding of numbers as large as `scale`."""
    return float(np.ptp(values)) <= ROUNDING * scale


def binary_exponent(values: FloatArray) -> int:
    """The power of two just above the largest absolute value."""
    return int(np.frexp(np.abs(values).max(initial=0.0))[1])


def unit_values(values: FloatArray) -> FloatArray:
    """The values over 2^exponent: exactly the same digits, and no square or cube of them over- or underflows."""
    exponent = binary_exponent(values)
    if abs(exponent) < _PLAIN_EXPONENT:  # a product with a power of two is as exact, and much faster
        return values * ldexp(1.0, -exponent)
    scaled: FloatArray = np.ldexp(values, -exponent)
    return scaled
