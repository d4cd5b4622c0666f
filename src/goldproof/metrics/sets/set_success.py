"""SetSuccess@k: are *all* documents of a kernel among the first k?

A kernel is a minimal set of documents that together answer the question. A question may have several (alternatives);
any complete one is a success. Grades, and documents outside the kernels, play no part. Ties: score descending, then
document id descending. A question that the run lacks scores 0. A question without a kernel is undefined, even if it has
relevant documents: single grades do not say which documents suffice together.

    SetSuccess@k = 1 if some kernel K lies wholly in the first k, else 0

Some call this "Success@K"; `Success@k` here is an alias of `Hit@k`, as in trec_eval.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.ranks import best_kernel, kernel_found, kernel_sizes

if TYPE_CHECKING:
    from goldproof.metrics.ranks import KernelRanks
    from goldproof.records.arrays import FloatArray


def set_success(ranks: KernelRanks, *, k: int) -> FloatArray:
    """1 where some kernel lies wholly among the first k, else 0."""
    return best_kernel((kernel_found(ranks, k=k) == kernel_sizes(ranks)).astype(float), ranks)


def _explain(ranks: KernelRanks, *, k: int) -> str:
    complete = int((kernel_found(ranks, k=k) == kernel_sizes(ranks)).sum())
    return f"{complete} of {len(ranks.kernel_question)} kernels complete in the first {k} -> {int(complete > 0)}"


DEFINITION = Definition(
    shape=SHAPES["SetSuccess"],
    kind="kernel",
    summary="1 if every document of some kernel is among the first k, else 0.",
    formula="1 if some kernel lies wholly in the first k, else 0",
    kernel=set_success,
    explain=_explain,
)
