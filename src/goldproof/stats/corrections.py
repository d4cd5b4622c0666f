"""Corrections of p-values for testing several hypotheses: Bonferroni and Holm.

m is the number of p-values in the family, p(1) <= ... <= p(m) sorted. Both keep the chance of any false positive.

    Bonferroni   min(1, m p)
    Holm         max over j <= i of min(1, (m - j + 1) p(j))     never less powerful

An undefined test has None for its p-value: it made no claim, is not counted in m and stays None. Dunn (1961); Holm
(1979).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from goldproof.records.arrays import FloatArray


def bonferroni(p: Iterable[float | None]) -> list[float | None]:
    """Return each p-value times the size of the family, at most 1."""
    return _over_family(p, lambda family: np.minimum(1.0, family * family.size))


def holm(p: Iterable[float | None]) -> list[float | None]:
    """Return Holm's step-down adjusted p-values."""
    return _over_family(p, _holm)


def _holm(family: FloatArray) -> FloatArray:
    order = np.argsort(family, kind="stable")
    remaining = np.arange(family.size, 0, -1)
    adjusted = np.empty_like(family)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(family[order] * remaining))
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
