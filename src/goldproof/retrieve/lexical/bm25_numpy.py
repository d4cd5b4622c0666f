"""The best k documents per query, by numpy: what is used without numba, and for small corpora."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.retrieve.lexical.bm25_index import Best

if TYPE_CHECKING:
    from goldproof.records.arrays import BoolArray, IntArray
    from goldproof.retrieve.lexical.bm25_index import SmallIntArray, WeightArray, Weights


def best_by_numpy(
    index: Weights,
    tokens: list[list[int]],
    *,
    k: int,
    order: IntArray,
    allowed: BoolArray | None,
) -> Best:
    """Return the best k allowed documents of each query.

    order: grows with the document's id; of equal scores the larger comes first.
    """
    scores = np.empty(index.size, dtype=np.float32)
    found = [_of_query(index, numbers, scores=scores, k=k, order=order, allowed=allowed) for numbers in tokens]
    lengths = np.asarray([len(documents) for documents, _ in found], dtype=np.int64)
    documents, values = zip(*found, strict=True)
    return Best(lengths, np.concatenate(documents), np.concatenate(values))


def _of_query(
    index: Weights,
    numbers: list[int],
    *,
    scores: WeightArray,
    k: int,
    order: IntArray,
    allowed: BoolArray | None,
) -> tuple[SmallIntArray, WeightArray]:
    scores.fill(0)
    spans = [slice(index.starts[number], index.starts[number + 1]) for number in numbers]
    for span in spans:
        np.add.at(scores, index.documents[span], index.weights[span])
    having = scores > 0
    for span in spans:
        if not index.weights[span].all():
            having[index.documents[span]] = True
    if allowed is not None:
        having &= allowed
    return _first(having, scores, k=k, order=order)


def _first(having: BoolArray, scores: WeightArray, *, k: int, order: IntArray) -> tuple[SmallIntArray, WeightArray]:
    """Return the first k by score, then by order. What ties with the last of them takes part."""
    values = scores[having]
    if len(values) > k:
        values.partition(len(values) - k)
        having &= scores >= values[len(values) - k]
    found = np.flatnonzero(having).astype(np.int32)
    ranked = np.lexsort((order[found], scores[found]))[::-1][:k]
    return found[ranked], scores[found[ranked]]
