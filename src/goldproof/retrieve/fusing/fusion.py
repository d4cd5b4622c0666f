"""Fusing rankings of the same queries into one.

    rrf    sum over members of  weight / (c + rank)
    sum    sum over members of  weight * normalised score

Ranks count from 1 in the order in which the member returned its documents. Scores are normalised per query and member,
over the documents that the member returned:

    minmax  (s - min) / (max - min); all equal: 1
    zscore  (s - mean) / standard deviation (of the population); all equal: 0
    max     s / largest |s|; all 0: 0
    none    s

A document that a member did not return gets 0 from it, or the lowest that the member gave for the query where that is
below 0: being absent never helps. The contributions to one document are added smallest first, so that neither the order
of the members nor the other queries of a batch change a digit.

Reciprocal rank fusion: Cormack, Clarke, Büttcher, SIGIR 2009.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np

from goldproof.retrieve.found import Found, starts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.records.arrays import FloatArray, IntArray
    from goldproof.retrieve.shelf import Shelf

Normalise: TypeAlias = Literal["minmax", "zscore", "max", "none"]
NORMALISATIONS: tuple[Normalise, ...] = ("minmax", "zscore", "max", "none")


class _Pairs(NamedTuple):
    """Every (query, document) that some member returned, and where each member's rows stand among them."""

    query: IntArray
    document: IntArray
    rows: list[IntArray]


def fuse_ranks(members: Sequence[Found], shelf: Shelf, *, weights: Sequence[float], c: float = 60) -> Found:
    """Fuse by reciprocal rank."""
    pairs = _pairs(members)
    parts = np.zeros((len(pairs.query), len(members)))
    for i, (found, rows) in enumerate(zip(members, pairs.rows, strict=True)):
        parts[rows, i] = weights[i] / (c + found.rank_of_row)
    return _fused(pairs, parts, queries=members[0].queries, shelf=shelf)


def fuse_scores(
    members: Sequence[Found], shelf: Shelf, *, weights: Sequence[float], normalise: Normalise = "minmax"
) -> Found:
    """Fuse by a weighted sum of normalised scores."""
    pairs = _pairs(members)
    parts = np.empty((len(pairs.query), len(members)))
    # Scores that are not normalised may be too large to be added: the pipeline fails such a query.
    with np.errstate(over="ignore", invalid="ignore"):
        for i, (found, rows) in enumerate(zip(members, pairs.rows, strict=True)):
            scores = normalised(found, normalise)
            lowest = np.zeros(found.queries)
            np.minimum.at(lowest, found.query_of_row, scores)
            parts[:, i] = weights[i] * lowest[pairs.query]
            parts[rows, i] = weights[i] * scores
        return _fused(pairs, parts, queries=members[0].queries, shelf=shelf)


def normalised(found: Found, how: Normalise) -> FloatArray:
    """Return the scores of a ranking, normalised within each query."""
    query, scores = found.query_of_row, found.scores
    if how == "none" or not len(scores):
        return scores
    scores = _within_1(scores, query, queries=found.queries)
    low, high = np.full(found.queries, np.inf), np.full(found.queries, -np.inf)
    np.minimum.at(low, query, scores)
    np.maximum.at(high, query, scores)
    if how == "max":
        return _divided(scores, np.maximum(np.abs(low), np.abs(high))[query], otherwise=0.0)
    if how == "minmax":
        return _divided(scores - low[query], (high - low)[query], otherwise=1.0)
    counts = np.maximum(np.diff(found.starts), 1)
    mean = np.bincount(query, weights=scores, minlength=found.queries) / counts
    apart = np.where((high > low)[query], scores - mean[query], 0.0)
    spread = np.sqrt(np.bincount(query, weights=apart**2, minlength=found.queries) / counts)
    return _divided(apart, spread[query], otherwise=0.0)


def _within_1(scores: FloatArray, query: IntArray, *, queries: int) -> FloatArray:
    """Return the scores of each query divided by a power of 2, which changes no digit, so that nothing can overflow."""
    largest = np.zeros(queries)
    np.maximum.at(largest, query, np.abs(scores))
    return np.ldexp(scores, -np.frexp(largest)[1][query])


def _divided(scores: FloatArray, by: FloatArray, *, otherwise: float) -> FloatArray:
    """Return scores / by, and something else where that is a division by 0."""
    divided = np.full(len(scores), otherwise)
    np.divide(scores, by, out=divided, where=by > 0)
    return divided


def _pairs(members: Sequence[Found]) -> _Pairs:
    query = np.concatenate([found.query_of_row for found in members])
    document = np.concatenate([found.documents for found in members])
    width = int(document.max(initial=0)) + 1
    keys, inverse = np.unique(query * width + document, return_inverse=True)
    ends = np.cumsum([len(found.documents) for found in members])[:-1]
    return _Pairs(keys // width, keys % width, np.split(inverse, ends))


def _fused(pairs: _Pairs, parts: FloatArray, *, queries: int, shelf: Shelf) -> Found:
    scores = np.zeros(len(parts))
    for column in np.sort(parts, axis=1).T:
        scores = scores + column
    lengths = np.bincount(pairs.query, minlength=queries)
    return Found(starts_of(lengths), pairs.document, scores).ordered(shelf)
