"""Exact search: the k documents of greatest dot product with a query, over a matrix that may lie on disk.

Documents and queries are taken in blocks. A block's scores come from one float32 matrix product, whose last bits depend
on shapes, threads and processor: they only choose candidates. With vectors of length 1 in d dimensions such a score is
at most e = 1.1 d 2^-24 away from the true one (the bound holds for every order of summation), so a document that
belongs to the first k is never more than e below the k-th exact score known so far. Candidates are scored again pair by
pair in one fixed way (`pair_scores`), and only these scores are compared and returned. So the result does not depend on
the batch, on block sizes or on threads.

Order: score descending, then document id descending, cut at k; ties across the cut are settled by the id.

Memory beside the matrix and the result is bounded, whatever the number of documents and queries and however many are
tied (a block has 2 million scores, and all of them may be candidates; the tests hold it below 100 MB). Time grows with
the candidates: where m documents are tied at the cut, m pairs are scored again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from goldproof.retrieve.found import Found, starts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.embed.embedder import Vectors
    from goldproof.records.arrays import BoolArray, FloatArray, IntArray

_QUERIES = 256
_SCORES = 1 << 21
_DOCUMENTS = 1 << 16
_COPIED = 1 << 22
_MULTIPLIED = 1 << 20
_PAIRS = 1 << 18


@dataclass(frozen=True, slots=True, eq=False)
class ExactSearch:
    """Documents as rows of length 1 or 0.

    id_order: grows with the id of the document; ties go to the greater. The last two are the sizes of a block; they
    change speed and memory, never the result.
    """

    vectors: Vectors
    id_order: IntArray
    scores_per_block: int = _SCORES
    queries_per_block: int = _QUERIES

    @property
    def description(self) -> str:
        """What a card says of the search."""
        return "exact"

    def find(self, queries: Vectors, *, k: int, allowed: BoolArray | None = None) -> Found:
        """Return the best k documents of each query (rows of length 1 or 0); only allowed ones, where that is given."""
        rows = None if allowed is None else np.flatnonzero(allowed)
        k = min(k, len(self.vectors))
        step = self.queries_per_block
        parts = [self._find(queries[start : start + step], k, rows) for start in range(0, len(queries), step)]
        return _joined(parts)

    def _find(self, queries: Vectors, k: int, rows: IntArray | None) -> _Best:
        best = _Best(self, np.ascontiguousarray(queries), k)
        if k > 0:
            for positions, block in self._blocks(len(queries), rows):
                best.offer(positions, best.queries @ block.T)
        best.settle()
        return best

    def _blocks(self, queries: int, rows: IntArray | None) -> Iterator[tuple[IntArray, Vectors]]:
        """Yield positions and their vectors; a copy is made only where documents are left out."""
        size = max(min(self.scores_per_block // queries, _DOCUMENTS), 1)
        if rows is None:
            vectors = np.asarray(self.vectors)
            for start in range(0, len(vectors), size):
                block = vectors[start : start + size]
                yield np.arange(start, start + len(block)), block
            return
        size = max(min(size, _COPIED // max(self.vectors.shape[1], 1)), 1)
        for start in range(0, len(rows), size):
            positions = rows[start : start + size]
            yield positions, np.asarray(self.vectors[positions])


@dataclass(slots=True, eq=False)
class _Best:
    """The best k of each query of a block: those settled, with exact scores, and candidates that wait to be scored."""

    search: ExactSearch
    queries: Vectors
    k: int
    query: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    document: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    score: FloatArray = field(default_factory=lambda: np.empty(0, dtype=np.float64))
    waiting: list[tuple[IntArray, IntArray]] = field(default_factory=list)
    least: npt.NDArray[np.float32] = field(init=False)

    def __post_init__(self) -> None:
        self.least = np.full((len(self.queries), 1), -np.inf, dtype=np.float32)

    def offer(self, positions: IntArray, scores: Vectors) -> None:
        """Take in the candidates of a block of documents (scores: a row per query)."""
        if not len(self.query):
            self._raise_least(scores)
        hits = np.flatnonzero(scores >= self.least)
        if len(hits) > 2 * self.k * len(scores):
            self._raise_least(scores)
            hits = np.flatnonzero(scores >= self.least)
        for start in range(0, len(hits), _PAIRS):
            query, column = np.divmod(hits[start : start + _PAIRS], scores.shape[1])
            self.waiting.append((query, positions[column]))
            # As many again as are settled: a few times over the whole corpus, since candidates become rare.
            if sum(len(documents) for _, documents in self.waiting) > len(self.query):
                self.settle()

    def settle(self) -> None:
        """Score what waits, keep the best k of each query, and demand of candidates what the k-th has."""
        if not self.waiting:
            return
        query = np.concatenate([query for query, _ in self.waiting])
        document = np.concatenate([document for _, document in self.waiting])
        self.waiting = []
        score = pair_scores(self.search.vectors, self.queries, documents=document, query_of_row=query)
        self._keep(
            np.concatenate([self.query, query]),
            np.concatenate([self.document, document]),
            np.concatenate([self.score, score]),
        )

    def _keep(self, query: IntArray, document: IntArray, score: FloatArray) -> None:
        lengths = np.bincount(query, minlength=len(self.queries))
        order = best_rows(query, score, id_order=self.search.id_order[document], k=self.k)
        self.query, self.document, self.score = query[order], document[order], score[order]
        full = lengths >= self.k
        last = np.cumsum(np.minimum(lengths, self.k))[full] - 1
        self._demand(full, self.score[last] - self._error)

    def _raise_least(self, scores: Vectors) -> None:
        """Demand what the k-th of this block has: there are k documents at least as good."""
        if scores.shape[1] > self.k:
            place = scores.shape[1] - self.k
            kth = np.partition(scores, place, axis=1)[:, place].astype(np.float64)
            self._demand(np.ones(len(scores), dtype=np.bool_), kth - 2 * self._error)

    def _demand(self, queries: BoolArray, least: FloatArray) -> None:
        rounded_down = np.nextafter(least.astype(np.float32), np.float32(-np.inf))
        self.least[queries, 0] = np.maximum(self.least[queries, 0], rounded_down)

    @property
    def _error(self) -> float:
        return float(1.1 * self.queries.shape[1] * 2.0**-24)


def pair_scores(vectors: Vectors, queries: Vectors, *, documents: IntArray, query_of_row: IntArray) -> FloatArray:
    """Return the dot product of each pair of a document and a query, the same for the same two vectors always.

    The product of two float32 is exact in float64; the sum is numpy's pairwise one, whose order depends on d alone.
    """
    scores = np.empty(len(documents), dtype=np.float64)
    step = max(_MULTIPLIED // max(vectors.shape[1], 1), 1)
    for start in range(0, len(documents), step):
        rows = slice(start, start + step)
        products = np.asarray(vectors[documents[rows]], dtype=np.float64, order="C")
        products *= queries[query_of_row[rows]]
        scores[rows] = products.sum(axis=1)
    return scores


def best_rows(query: IntArray, score: FloatArray, *, id_order: IntArray, k: int) -> IntArray:
    """Return the rows to keep, by query: score descending, then id descending, at most k."""
    order = np.lexsort((-id_order, -score, query))
    starts = starts_of(np.bincount(query))
    return order[np.arange(len(order)) - starts[query[order]] < k]


def _joined(parts: list[_Best]) -> Found:
    none = np.empty(0, dtype=np.int64)
    lengths = np.concatenate([none, *(np.bincount(part.query, minlength=len(part.queries)) for part in parts)])
    document = np.concatenate([none, *(part.document for part in parts)])
    score = np.concatenate([np.empty(0, dtype=np.float64), *(part.score for part in parts)])
    return Found(starts_of(lengths), document, score, similarity=score)
