"""SetRecall@k: which share of a kernel is among the first k?

A kernel is a minimal set of documents that together answer the question. A question may have several (alternatives);
the one that was found most completely counts. Grades, and documents outside the kernels, play no part. Ties: score
descending, then document id descending. A question that the run lacks scores 0. A question without a kernel is
undefined, even if it has relevant documents: single grades do not say which documents suffice together.

    SetRecall@k = max over kernels K of |K in the first k| / |K|
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.ranks import best_kernel, kernel_found, kernel_sizes

if TYPE_CHECKING:
    from goldproof.metrics.ranks import KernelRanks
    from goldproof.records.arrays import FloatArray


def set_recall(ranks: KernelRanks, *, k: int) -> FloatArray:
    """Share of the best kernel that is among the first k."""
    return best_kernel(kernel_found(ranks, k=k) / kernel_sizes(ranks), ranks)


def _explain(ranks: KernelRanks, *, k: int) -> str:
    hits, sizes = kernel_found(ranks, k=k), kernel_sizes(ranks)
    best = int((hits / sizes).argmax())
    return (
        f"{hits[best]} of {sizes[best]} documents of the best of {len(sizes)} kernels in the first {k} "
        f"-> {hits[best]}/{sizes[best]}"
    )


DEFINITION = Definition(
    shape=SHAPES["SetRecall"],
    kind="kernel",
    summary="Share of the best kernel that is among the first k.",
    formula="max over kernels of found in the first k / size of the kernel",
    kernel=set_recall,
    explain=_explain,
)
