"""Counts per kernel, and the best kernel of each question."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from goldproof.core.arrays import FloatArray, IntArray
    from goldproof.metrics.judged import KernelRanks


def kernel_sizes(ranks: KernelRanks) -> IntArray:
    """Count the documents of each kernel."""
    return np.bincount(ranks.kernel, minlength=len(ranks.kernel_question))


def kernel_found(ranks: KernelRanks, *, k: int) -> IntArray:
    """Count the documents of each kernel that are among the first k."""
    found = (ranks.rank > 0) & (ranks.rank <= k)
    return np.bincount(ranks.kernel[found], minlength=len(ranks.kernel_question))


def best_kernel(values: FloatArray, ranks: KernelRanks) -> FloatArray:
    """Return the highest value over the kernels of each question; 0 where there is no kernel."""
    best = np.zeros(ranks.questions)
    np.maximum.at(best, ranks.kernel_question, values)
    return best
