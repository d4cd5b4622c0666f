"""Exact and approximate nearest vectors.

Exact search takes documents and queries in blocks. A block's scores come from one float32 matrix product, whose last
bits depend on shapes, threads and processor: they only choose candidates. With vectors of length 1 in d dimensions such
a score is at most e = 1.1 d 2^-24 away from the true one (the bound holds for every order of summation), so a document
that belongs to the first k is never more than e below the k-th exact score known so far. Candidates are scored again
pair by pair in one fixed way (`pair_scores`), and only these scores are compared and returned. So the result does not
depend on the batch, on block sizes or on threads.

Order: score descending, then document id descending, cut at k; ties across the cut are broken by the id.

Memory beside the matrix and the result is bounded, whatever the number of documents and queries and however many are
tied (a block has 2 million scores, and all of them may be candidates; the tests hold it below 100 MB). Time grows with
the candidates: where m documents are tied at the cut, m pairs are scored again.

Approximate search asks a graph (HNSW, by usearch) for more than k documents; these are scored and ordered as in exact
search (`pair_scores`, `best_rows`), so every score is exact, and what may be missing is a document that the graph did
not propose. Where the graph has little to choose from, the search is exact: k large for the corpus, or few documents
allowed. A query for which too few proposals are allowed is answered exactly too.

The graph is built by one thread in the order of the corpus, so the same vectors give the same graph and the same result
on one kind of processor with one version of usearch. Another processor or version may round distances otherwise, and
then propose other documents. Building takes long: benchmarks/bench_dense.py shows how long.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from goldproof.errors import MissingExtraError
from goldproof.retrieve.ranking import RankingBatch, starts_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from usearch.index import Index

    from goldproof.embed import Vectors
    from goldproof.records.arrays import BoolArray, FloatArray, IntArray

_QUERIES = 256
_SCORES = 1 << 21
_DOCUMENTS = 1 << 16
_COPIED = 1 << 22
_MULTIPLIED = 1 << 20
_PAIRS = 1 << 18


@dataclass(frozen=True, slots=True, eq=False)
class ExactSearch:
    """Exact search in documents given as rows of length 1 or 0.

    id_order: grows with the id of the document; ties go to the greater. The last two are the sizes of a block; they
    change speed and memory, never the result.
    """

    vectors: Vectors
    id_order: IntArray
    scores_per_block: int = _SCORES
    queries_per_block: int = _QUERIES

    @property
    def description(self) -> str:
        """The kind of search, for the card."""
        return "exact"

    def find(self, queries: Vectors, *, k: int, allowed: BoolArray | None = None) -> RankingBatch:
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
        best.score_candidates()
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
    """The best k of each query of a block, with exact scores, and candidates that wait to be scored."""

    search: ExactSearch
    queries: Vectors
    k: int
    query: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    document: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    score: FloatArray = field(default_factory=lambda: np.empty(0, dtype=np.float64))
    candidates: list[tuple[IntArray, IntArray]] = field(default_factory=list)
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
            self.candidates.append((query, positions[column]))
            # As many again as are kept: a few times over the whole corpus, since candidates become rare.
            if sum(len(documents) for _, documents in self.candidates) > len(self.query):
                self.score_candidates()

    def score_candidates(self) -> None:
        """Score the candidates, keep the best k of each query, and demand of further ones what the k-th has."""
        if not self.candidates:
            return
        query = np.concatenate([query for query, _ in self.candidates])
        document = np.concatenate([document for _, document in self.candidates])
        self.candidates = []
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


def _joined(parts: list[_Best]) -> RankingBatch:
    none = np.empty(0, dtype=np.int64)
    lengths = np.concatenate([none, *(np.bincount(part.query, minlength=len(part.queries)) for part in parts)])
    document = np.concatenate([none, *(part.document for part in parts)])
    score = np.concatenate([np.empty(0, dtype=np.float64), *(part.score for part in parts)])
    return RankingBatch(starts_of(lengths), document, score, similarity=score)


CONNECTIVITY = 16
EXPANSION_ADD = 128
EXPANSION_SEARCH = 256
# Asked of the graph: this many times k, and some more for small k.
_SPARE_FACTOR = 2
_SPARE = 32
# Above this share of the corpus a look at every document is cheaper than the graph.
_SHARE = 0.1


class ApproximateSearch:
    """Approximate search by a graph, with the methods of `ExactSearch`; building it takes long."""

    def __init__(self, vectors: Vectors, id_order: IntArray) -> None:
        self.exact = ExactSearch(vectors, id_order)
        self._graph = _built(vectors) if len(vectors) else None

    @property
    def description(self) -> str:
        """The kind of search, for the card."""
        settings = f"connectivity {CONNECTIVITY}, expansion {EXPANSION_ADD} and {EXPANSION_SEARCH}"
        return f"approximate: usearch {version('usearch')}, HNSW, {settings}"

    def find(self, queries: Vectors, *, k: int, allowed: BoolArray | None = None) -> RankingBatch:
        """Return about the best k documents of each query, with exact scores; only allowed ones."""
        documents = len(self.exact.vectors)
        usable = documents if allowed is None else int(np.count_nonzero(allowed))
        wanted = (_SPARE_FACTOR * k + _SPARE) * documents // max(usable, 1)
        if self._graph is None or k < 1 or not len(queries) or wanted > _SHARE * documents:
            return self.exact.find(queries, k=k, allowed=allowed)
        proposed = _proposed(self._graph, queries, wanted=wanted)
        if allowed is not None:
            proposed = [positions[allowed[positions]] for positions in proposed]
        for i, positions in enumerate(proposed):
            if len(positions) < min(k, usable):
                proposed[i] = self.exact.find(queries[i : i + 1], k=k, allowed=allowed).documents
        return self._scored(queries, proposed, k)

    def _scored(self, queries: Vectors, proposed: list[IntArray], k: int) -> RankingBatch:
        document = np.concatenate(proposed)
        query = np.repeat(np.arange(len(proposed)), [len(positions) for positions in proposed])
        score = pair_scores(self.exact.vectors, queries, documents=document, query_of_row=query)
        rows = best_rows(query, score, id_order=self.exact.id_order[document], k=k)
        lengths = np.bincount(query[rows], minlength=len(proposed))
        return RankingBatch(starts_of(lengths), document[rows], score[rows], similarity=score[rows])


def _proposed(graph: Index, queries: Vectors, *, wanted: int) -> list[IntArray]:
    """Return positions for each query, in no order that matters."""
    from usearch.index import BatchMatches  # noqa: PLC0415 - optional, and loaded by `load_usearch`

    # Each query walks the graph by itself: the threads do not change what it finds.
    matches = graph.search(np.ascontiguousarray(queries), count=wanted)
    each = [matches[i] for i in range(len(queries))] if isinstance(matches, BatchMatches) else [matches]
    return [match.keys.astype(np.int64) for match in each]


def load_usearch() -> ModuleType:
    """Import usearch, or say what to install where it is missing; called before anything that takes long.

    Importing onnxruntime (the embedder minilm) after usearch crashes the process in some of their versions, so it is
    imported before, where it is installed.
    """
    with suppress(ImportError):
        import_module("onnxruntime")
    try:
        return import_module("usearch.index")
    except ImportError as error:
        raise MissingExtraError("approximate search", "ann") from error


def _built(vectors: Vectors) -> Index:
    # The inner product of vectors of length 1 is their cosine, and unlike it defined for a vector of zeros.
    graph: Index = load_usearch().Index(
        ndim=vectors.shape[1],
        metric="ip",
        dtype="f32",
        connectivity=CONNECTIVITY,
        expansion_add=EXPANSION_ADD,
        expansion_search=EXPANSION_SEARCH,
    )
    # Without a copy: `ExactSearch` holds the same array, so it outlives the graph's use of it.
    graph.add(np.arange(len(vectors), dtype=np.uint64), np.asarray(vectors), copy=False, threads=1)
    return graph
