"""Folds for cross-fitting: what is fitted on some items is measured on others.

Whole groups (the pairs of one question) go to one fold, since members of a group resemble each other: a fit that has
seen one of them knows something of the rest. Groups are shuffled by a seeded generator and dealt out to the folds,
each to the one that holds the fewest items so far.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.core.arrays import IntArray

FOLDS = 5


def grouped_folds(groups: Sequence[str], *, folds: int = FOLDS, seed: int = 0) -> IntArray:
    """Return the fold of each item; there are as many as there are groups, where those are fewer."""
    names, codes = np.unique(np.asarray(groups, dtype=np.str_), return_inverse=True)
    sizes = np.bincount(codes, minlength=len(names))
    held = np.zeros(max(1, min(folds, len(names))), dtype=np.int64)
    fold_of = np.zeros(len(names), dtype=np.int64)
    generator = np.random.default_rng(seed)
    for group in generator.permutation(len(names)).tolist():
        fold_of[group] = int(held.argmin())
        held[fold_of[group]] += sizes[group]
    return fold_of[codes] if len(codes) else np.empty(0, dtype=np.int64)
