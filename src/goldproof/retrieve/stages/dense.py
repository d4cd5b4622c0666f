"""Dense retrieval: documents by the similarity of their vectors to the query's.

Score and similarity are both the cosine: the dot product of two vectors of length 1, in [-1, 1] up to rounding. Every
document has one, so k documents come back wherever the corpus has them; a `floor` after it decides what is too far off.
A text that the embedder maps to zeros has cosine 0 to everything.

What is embedded of a document is its title and text (`DocumentIndex.texts`). Queries are embedded with their own
purpose, since some models treat the two sides differently; `code=True` says that they look for code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from goldproof.closeable import HasClose
from goldproof.errors import InputError
from goldproof.progress import OnProgress, Progress
from goldproof.retrieve.stage import Source, param, stage
from goldproof.retrieve.stages.vector_file import embedded, open_vectors
from goldproof.retrieve.stages.vector_search import ExactSearch, pair_scores

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.embed import Embedder, Purpose, Vectors
    from goldproof.records.arrays import FloatArray
    from goldproof.retrieve.document_index import DocumentIndex
    from goldproof.retrieve.ranking import RankingBatch
    from goldproof.retrieve.stage import Request
    from goldproof.retrieve.stages.vector_search import ApproximateSearch


@stage("dense", summary="Finds documents whose embeddings are near that of the query, by their cosine.")
class Dense(Source):
    """Search by embeddings: the cosine of query and document."""

    searches_corpus: ClassVar[bool] = True

    embedder: str | Embedder | Callable[..., object] = param(
        "a name (`minilm`, `google:gemini-embedding-001`), a `module:function`, or an `Embedder`",
        default="minilm",
        kw_only=False,
    )
    search: Literal["exact", "usearch"] = param(
        '"exact" looks at every document; "usearch" is approximate and for large corpora', default="exact"
    )
    code: bool = param("the queries look for code", default=False)

    def __post_init__(self) -> None:
        self.purpose: Purpose = "code query" if self.code else "query"
        self._model: Embedder | None = None
        self._ready: _Ready | None = None
        self._asked: tuple[tuple[str, ...], Vectors] | None = None

    def close(self) -> None:
        """Close the file of vectors until a query is embedded."""
        if self._ready is not None:
            _close(self._ready.embedder)

    def index(self, documents: DocumentIndex) -> None:
        """Embed the documents; what was embedded before comes from the cache."""
        from goldproof.embed import open_embedder  # noqa: PLC0415 - loads models

        if self.search == "usearch":
            from goldproof.retrieve.stages.vector_search import load_usearch  # noqa: PLC0415 - optional

            load_usearch()
        relay = _Relay(documents.on_progress, len(documents.texts))
        if self._model is None:  # a model is loaded once, however often documents are indexed
            self._model = open_embedder(self.embedder, cache=False)
        embedder = open_embedder(self._model, on_progress=relay.within_piece)
        try:
            vectors = open_vectors(documents.texts, embedder, on_piece=relay.begin_piece)
        except BaseException:
            _close(embedder)
            raise
        relay.end()
        self.close()
        self._asked = None
        self._ready = _Ready(embedder, vectors, self._searcher(vectors, documents))

    def find(self, request: Request) -> RankingBatch:
        """Return the k nearest documents of each query."""
        vectors = self._vectors_of(request.queries, timed=request.timed)
        return self._indexed.searcher.find(vectors, k=request.k, allowed=request.allowed)

    def similarities(self, queries: tuple[str, ...], ranking: RankingBatch) -> FloatArray:
        """Return the cosine of each row's query and document; NaN for a document that is not of the corpus."""
        vectors = self._indexed.vectors
        known = ranking.documents < len(vectors)
        cosines = np.full(len(ranking.documents), np.nan)
        cosines[known] = pair_scores(
            vectors,
            self._vectors_of(queries),
            documents=ranking.documents[known],
            query_of_row=ranking.query_of_row[known],
        )
        return cosines

    @property
    def facts(self) -> dict[str, object]:
        """What decides the results: the embedder's key, the dimensions, and the kind of search."""
        ready = self._indexed
        return {
            "embedder": ready.embedder.key,
            "dimensions": ready.vectors.shape[1],
            "purpose": self.purpose,
            "search": ready.searcher.description,
        }

    @property
    def _indexed(self) -> _Ready:
        if self._ready is None:
            raise InputError("dense: index the documents before searching.")
        return self._ready

    def _searcher(self, vectors: Vectors, documents: DocumentIndex) -> ExactSearch | ApproximateSearch:
        id_order = documents.id_order()
        if self.search == "exact":
            return ExactSearch(vectors, id_order)
        from goldproof.retrieve.stages.vector_search import ApproximateSearch  # noqa: PLC0415 - optional

        return ApproximateSearch(vectors, id_order)

    def _vectors_of(self, queries: tuple[str, ...], *, timed: bool = False) -> Vectors:
        """Embed the queries; a hybrid asks for the same ones twice, so the last are remembered."""
        asked = self._asked
        if asked is None or asked[0] != queries or timed:
            asked = (queries, self._embedded(queries, timed=timed))
            self._asked = asked
        return asked[1]

    def _embedded(self, queries: tuple[str, ...], *, timed: bool) -> Vectors:
        ready = self._indexed
        columns = ready.vectors.shape[1]
        if not queries or not len(ready.vectors):
            return np.zeros((len(queries), columns), dtype=np.float32)
        # A model on this machine is asked anew; one that is paid for is not, and the time says so.
        uncached = getattr(ready.embedder, "local_model", None) if timed else None
        vectors = embedded(queries, uncached or ready.embedder, self.purpose)
        if vectors.shape[1] != columns:
            raise InputError(
                f"dense: embedder {ready.embedder.key} gave queries vectors of {vectors.shape[1]} numbers and "
                f"documents of {columns}; expected the same for both."
            )
        return vectors


@dataclass(frozen=True, slots=True, eq=False)
class _Ready:
    """The embedder, vectors and searcher of the indexed documents."""

    embedder: Embedder
    vectors: Vectors
    searcher: ExactSearch | ApproximateSearch


def _close(embedder: Embedder) -> None:
    if isinstance(embedder, HasClose):
        embedder.close()


class _Relay:
    """Adds up the progress of the pieces in which a corpus is embedded."""

    def __init__(self, on_progress: OnProgress, total: int) -> None:
        self._on_progress = on_progress
        self._total = total
        self._start: int | None = None
        self._cached_before = 0
        self._cached = 0

    def begin_piece(self, start: int) -> None:
        self._start = start
        self._cached_before += self._cached
        self._cached = 0
        self._tell(start)

    def within_piece(self, progress: Progress) -> None:
        """Take in the progress of one call of the embedder; queries, embedded later, are no part of it."""
        if self._start is not None:
            self._cached = progress.cached
            self._tell(self._start + progress.done)

    def end(self) -> None:
        self._tell(self._total)
        self._start = None

    def _tell(self, done: int) -> None:
        cached = self._cached_before + self._cached
        self._on_progress(Progress("documents embedded", done, self._total, cached=cached))
