"""Jaccard@k: how alike are the first k documents and a kernel?

A kernel is a minimal set of documents that together answer the question. A question may have several (alternatives);
the most alike counts. Unlike SetRecall it falls with every document that was not needed. Grades play no part; a
document outside the kernel is not needed, judged or not. Ties: score descending, then document id descending. A
question that the run lacks scores 0. A question without a kernel is undefined, even if it has relevant documents.

    Jaccard@k = max over kernels K of |K and T| / |K or T|, where T is the first min(k, retrieved) documents

Jaccard, The distribution of the flora in the alpine zone, New Phytologist 11, 1912.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.ranks import best_kernel, kernel_found, kernel_sizes

if TYPE_CHECKING:
    from goldproof.metrics.ranks import KernelRanks
    from goldproof.records.arrays import FloatArray, IntArray


def jaccard(ranks: KernelRanks, *, k: int) -> FloatArray:
    """Intersection over union of the first k and the most alike kernel."""
    return best_kernel(kernel_found(ranks, k=k) / _union(ranks, k=k), ranks)


def _union(ranks: KernelRanks, *, k: int) -> IntArray:
    seen = np.minimum(ranks.retrieved, k)[ranks.kernel_question]
    return seen + kernel_sizes(ranks) - kernel_found(ranks, k=k)


def _explain(ranks: KernelRanks, *, k: int) -> str:
    shared, union = kernel_found(ranks, k=k), _union(ranks, k=k)
    best = int((shared / union).argmax())
    return (
        f"{shared[best]} documents shared, {union[best]} in the union with the best of {len(union)} kernels "
        f"-> {shared[best]}/{union[best]}"
    )


DEFINITION = Definition(
    shape=SHAPES["Jaccard"],
    kind="kernel",
    summary="Intersection over union of the first k and the most alike kernel.",
    formula="max over kernels of |kernel and first k| / |kernel or first k|",
    kernel=jaccard,
    explain=_explain,
)
