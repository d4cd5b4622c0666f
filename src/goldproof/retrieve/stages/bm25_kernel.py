"""The numba kernel of BM25: scores and the best k in one pass.

The best so far are a heap with the worst on top. One document is worse than another if its score is lower, or the same
and its id smaller. Types are given where a function would otherwise be compiled for several.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from goldproof.records.arrays import BoolArray, IntArray
    from goldproof.retrieve.stages.bm25_search import SmallIntArray, WeightArray

# Weights are never negative, so this marks a document that has none of the tokens.
ABSENT = np.float32(-1)
NOTHING = np.float32(0)
# Scores are looked at in blocks, most of which hold nothing above the worst of the best; a test over a whole block is
# compiled to vector instructions.
BLOCK = 128


@njit("void(int64, int64, float32, int32[::1], float32[::1], int64[::1])", cache=True, nogil=True)
def sink(
    size: int, document: int, value: float, documents: SmallIntArray, values: WeightArray, order: IntArray
) -> None:
    """Put a document in the place of the top, and from there down to where it belongs."""
    at, child = 0, 1
    while child < size:
        other = child + 1
        if other < size and (
            values[other] < values[child]
            or (values[other] == values[child] and order[documents[other]] < order[documents[child]])
        ):
            child = other
        if values[child] > value or (values[child] == value and order[documents[child]] > order[document]):
            break
        documents[at], values[at] = documents[child], values[child]
        at = child
        child = 2 * at + 1
    documents[at], values[at] = document, value


@njit("void(int64, int64, float32, int32[::1], float32[::1], int64[::1])", cache=True, nogil=True)
def rise(at: int, document: int, value: float, documents: SmallIntArray, values: WeightArray, order: IntArray) -> None:
    """Put a document at the end, and from there up to where it belongs."""
    while at > 0:
        parent = (at - 1) // 2
        if values[parent] < value or (values[parent] == value and order[documents[parent]] < order[document]):
            break
        documents[at], values[at] = documents[parent], values[parent]
        at = parent
    documents[at], values[at] = document, value


@njit("int64(int64, int64, float32, int32[::1], float32[::1], int64[::1])", cache=True, nogil=True)
def offer(
    filled: int, document: int, value: float, documents: SmallIntArray, values: WeightArray, order: IntArray
) -> int:
    """Take a document into the heap if it belongs there; return how many the heap holds."""
    if filled < len(values):
        rise(filled, document, value, documents, values, order)
        return filled + 1
    if value > values[0] or (value == values[0] and order[document] > order[documents[0]]):
        sink(filled, document, value, documents, values, order)
    return filled


@njit(cache=True, nogil=True)
def add_weights(
    numbers: IntArray, starts: IntArray, documents: SmallIntArray, weights: WeightArray, scores: WeightArray
) -> None:
    """Add the weights of the query's tokens to the scores."""
    for number in numbers:
        for j in range(starts[number], starts[number + 1]):
            score = scores[documents[j]]
            # `max` would also look for NaN.
            score = score if score > NOTHING else NOTHING  # noqa: FURB136
            scores[documents[j]] = score + weights[j]


@njit(cache=True, nogil=True)
def take_having(
    numbers: IntArray,
    starts: IntArray,
    documents: SmallIntArray,
    allowed: BoolArray,
    order: IntArray,
    scores: WeightArray,
    best_documents: SmallIntArray,
    best_values: WeightArray,
) -> int:
    """Find the best among the documents that have one of these tokens, and wipe their scores."""
    filled = 0
    for number in numbers:
        for j in range(starts[number], starts[number + 1]):
            document = documents[j]
            value = scores[document]
            scores[document] = ABSENT
            if value >= NOTHING and (len(allowed) == 0 or allowed[document]):
                filled = offer(filled, document, value, best_documents, best_values, order)
    return filled


@njit(cache=True, nogil=True)
def take_others(
    filled: int,
    allowed: BoolArray,
    order: IntArray,
    scores: WeightArray,
    best_documents: SmallIntArray,
    best_values: WeightArray,
) -> int:
    """Go on with all documents whose scores are not wiped yet, and wipe them."""
    size = len(scores)
    floor = best_values[0] if filled == len(best_values) else NOTHING
    for start in range(0, size, BLOCK):
        end = min(start + BLOCK, size)
        above = False
        for i in range(start, end):
            above |= scores[i] >= floor
        if not above:
            continue
        for i in range(start, end):
            if scores[i] >= floor and (len(allowed) == 0 or allowed[i]):
                filled = offer(filled, i, scores[i], best_documents, best_values, order)
                if filled == len(best_values):
                    floor = best_values[0]
    scores[:] = ABSENT
    return filled


@njit(cache=True, nogil=True)
def rank_all(
    flat: IntArray,
    lengths: IntArray,
    starts: IntArray,
    documents: SmallIntArray,
    weights: WeightArray,
    order: IntArray,
    allowed: BoolArray,
    found: IntArray,
    best_documents: SmallIntArray,
    best_values: WeightArray,
    k: int,
) -> int:
    """Write the best k of each query one after the other, and into `found` how many; return the rows written.

    flat, lengths: the token numbers of all queries, and how many each has. allowed: empty where all are allowed.
    """
    scores = np.full(len(order), ABSENT, dtype=np.float32)
    first, row = 0, 0
    for query in range(len(lengths)):
        numbers = flat[first : first + lengths[query]]
        first += lengths[query]
        add_weights(numbers, starts, documents, weights, scores)
        touched, rarest = 0, 0
        for i in range(len(numbers)):
            touched += starts[numbers[i] + 1] - starts[numbers[i]]
            fewer = starts[numbers[i] + 1] - starts[numbers[i]] < starts[numbers[rarest] + 1] - starts[numbers[rarest]]
            rarest = i if fewer else rarest
        heap, values = best_documents[row : row + k], best_values[row : row + k]
        if touched < len(order) // 4:
            filled = take_having(numbers, starts, documents, allowed, order, scores, heap, values)
        else:
            # The best mostly have the rarest token: with these in the heap, few others are worth a place.
            rare = numbers[rarest : rarest + 1]
            filled = take_having(rare, starts, documents, allowed, order, scores, heap, values)
            filled = take_others(filled, allowed, order, scores, heap, values)
        for last in range(filled - 1, 0, -1):
            document, value = heap[last], values[last]
            heap[last], values[last] = heap[0], values[0]
            sink(last, document, value, heap, values, order)
        found[query] = filled
        row += filled
    return row
