"""Approximate search for large corpora: a graph of neighbours (HNSW, by usearch) instead of a look at every document.

The graph proposes more than k documents; these are scored and ordered as in exact search (`pair_scores`, `best_rows`),
so every score is exact, and what may be missing is a document that the graph did not propose. Where the graph has
little to choose from, the search is exact: k large for the corpus, or few documents allowed. A query for which too few
proposals are allowed is answered exactly too.

The graph is built by one thread in the order of the corpus, so the same vectors give the same graph and the same result
on one kind of processor with one version of usearch. Another processor or version may round distances otherwise, and
then propose other documents. Building takes long: benchmarks/bench_dense.py shows how long.
"""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING

import numpy as np

from goldproof.errors import MissingExtraError
from goldproof.retrieve.found import Found, starts_of
from goldproof.retrieve.vectors.exact_search import ExactSearch, best_rows, pair_scores

if TYPE_CHECKING:
    from types import ModuleType

    from usearch.index import Index

    from goldproof.embed.embedder import Vectors
    from goldproof.records.arrays import BoolArray, IntArray

CONNECTIVITY = 16
EXPANSION_ADD = 128
EXPANSION_SEARCH = 256
# Asked of the graph: this many times k, and some more for small k.
_SPARE_FACTOR = 2
_SPARE = 32
# Above this share of the corpus a look at every document is cheaper than the graph.
_SHARE = 0.1


class ApproximateSearch:
    """The same shape as `ExactSearch`; building it takes long."""

    def __init__(self, vectors: Vectors, id_order: IntArray) -> None:
        self.exact = ExactSearch(vectors, id_order)
        self._graph = _built(vectors) if len(vectors) else None

    @property
    def description(self) -> str:
        """What a card says of the search."""
        settings = f"connectivity {CONNECTIVITY}, expansion {EXPANSION_ADD} and {EXPANSION_SEARCH}"
        return f"approximate: usearch {version('usearch')}, HNSW, {settings}"

    def find(self, queries: Vectors, *, k: int, allowed: BoolArray | None = None) -> Found:
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

    def _scored(self, queries: Vectors, proposed: list[IntArray], k: int) -> Found:
        document = np.concatenate(proposed)
        query = np.repeat(np.arange(len(proposed)), [len(positions) for positions in proposed])
        score = pair_scores(self.exact.vectors, queries, documents=document, query_of_row=query)
        rows = best_rows(query, score, id_order=self.exact.id_order[document], k=k)
        lengths = np.bincount(query[rows], minlength=len(proposed))
        return Found(starts_of(lengths), document[rows], score[rows], similarity=score[rows])


def _proposed(graph: Index, queries: Vectors, *, wanted: int) -> list[IntArray]:
    """Return positions for each query, in no order that matters."""
    from usearch.index import BatchMatches  # noqa: PLC0415 - optional, and loaded by `load_usearch`

    # Each query walks the graph by itself: the threads do not change what it finds.
    matches = graph.search(np.ascontiguousarray(queries), count=wanted)
    each = [matches[i] for i in range(len(queries))] if isinstance(matches, BatchMatches) else [matches]
    return [match.keys.astype(np.int64) for match in each]


def load_usearch() -> ModuleType:
    """Import usearch, or say what to install where it is missing; call it before anything long is begun.

    Importing onnxruntime (the embedder minilm) after usearch ends the process in some of their versions, so it is
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
