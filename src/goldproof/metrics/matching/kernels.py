"""The ranks of kernel documents: looked up like judged ones, only when a kernel metric asks for them."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from goldproof.metrics.judged import KernelRanks
from goldproof.metrics.matching.locate import locate

if TYPE_CHECKING:
    from goldproof.core.arrays import IntArray
    from goldproof.core.tables import RankingTable
    from goldproof.metrics.matching.dicts import Run
    from goldproof.metrics.matching.judgments import Known


def kernel_ranks(known: Known, run: RankingTable | Run, *, retrieved: IntArray, depth: int | None) -> KernelRanks:
    """Find the rank of every document of every kernel; 0 where it was not retrieved."""
    number = {question: i for i, question in enumerate(known.questions)}
    asked = sorted(known.kernels, key=number.__getitem__)
    documents = [dict.fromkeys(chain.from_iterable(known.kernels[question])) for question in asked]
    counts = np.array([len(some) for some in documents], dtype=np.int64)
    found = locate(asked, list(documents), counts=counts, run=run, depth=depth)
    ranks = np.zeros(int(counts.sum()), dtype=np.int64)
    ranks[found.rows] = found.rank
    rank_of = iter(ranks.tolist())
    rows: list[tuple[int, int, int]] = []
    kernel_question: list[int] = []
    for question, some in zip(asked, documents, strict=True):
        rank = {document: next(rank_of) for document in some}
        for kernel in known.kernels[question]:
            rows.extend((number[question], len(kernel_question), rank[document]) for document in kernel)
            kernel_question.append(number[question])
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return KernelRanks(
        questions=len(known.questions),
        question=columns[0],
        kernel=columns[1],
        rank=columns[2],
        kernel_question=np.array(kernel_question, dtype=np.int64),
        retrieved=retrieved,
    )
