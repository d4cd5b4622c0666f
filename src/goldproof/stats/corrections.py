"""Corrections for testing many things at once. m = number of p-values in the family, p(1) <= ... <= p(m) sorted.

    Bonferroni           min(1, m p)                                       keeps the chance of any false positive
    Holm                 max over j <= i of min(1, (m - j + 1) p(j))       the same guarantee, never less powerful
    Benjamini-Hochberg   min over j >= i of min(1, m p(j) / j)             keeps the expected share of false positives
                                                                           (independent or positively dependent tests)

A test that was undefined has None for its p-value: it made no claim, is not counted in m and stays None.
Dunn (1961); Holm (1979); Benjamini and Hochberg (1995).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from goldproof.records.arrays import FloatArray


def bonferroni(p: Iterable[float | None]) -> list[float | None]:
    """Each p-value times the size of the family, at most 1."""
    return _over_family(p, lambda family: np.minimum(1.0, family * family.size))


def holm(p: Iterable[float | None]) -> list[float | None]:
    """Holm's step-down adjusted p-values."""
    return _over_family(p, _holm)


def benjamini_hochberg(p: Iterable[float | None]) -> list[float | None]:
    """Benjamini-Hochberg step-up adjusted p-values (false discovery rate)."""
    return _over_family(p, _benjamini_hochberg)


def _holm(family: FloatArray) -> FloatArray:
    order = np.argsort(family, kind="stable")
    remaining = np.arange(family.size, 0, -1)
    adjusted = np.empty_like(family)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(family[order] * remaining))
    return adjusted


def _benjamini_hochberg(family: FloatArray) -> FloatArray:
    order = np.argsort(family, kind="stable")[::-1]
    # m / j is at least 1, but p * (m / j) may round below p: the adjusted value never is.
    scaled = np.maximum(family[order], family[order] * family.size / np.arange(family.size, 0, -1))
    adjusted = np.empty_like(family)
    adjusted[order] = np.minimum(1.0, np.minimum.accumulate(scaled))
    return adjusted


def _over_family(p: Iterable[float | None], adjust: Callable[[FloatArray], FloatArray]) -> list[float | None]:
    """Apply `adjust` to the p-values that exist."""
    values = list(p)
    positions = [i for i, value in enumerate(values) if value is not None]
    family = np.array([values[i] for i in positions], dtype=np.float64)
    bad = np.flatnonzero(~((family >= 0.0) & (family <= 1.0)))
    if bad.size:
        raise InputError(
            f"p-values: position {positions[bad[0]]} holds {family[bad[0]]}, expected a number from 0 to 1 "
            "or None for a test that was undefined."
        )
    adjusted: list[float | None] = [None] * len(values)
    for position, value in zip(positions, adjust(family).tolist(), strict=True):
        adjusted[position] = value
    return adjusted
