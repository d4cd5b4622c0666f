"""Floor and top: drop results below a value, or after the first k.

The floor is for the similarity (the cosine of query and document) where the ranking has one, as after `dense` and after
`hybrid` with a dense member; otherwise for the score, whose scale is the retriever's own: a floor of 0.3 means little
for BM25, and after reciprocal rank fusion of two members, whose scores stay below 2 / 61, it would drop everything.
`of` says which is meant. A row whose similarity is unknown is dropped by a floor of similarity, and counted.

The floor only removes, so it asks its source for k and no more.
"""

from __future__ import annotations

from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from goldproof.checks import whole_number
from goldproof.errors import InputError
from goldproof.retrieve.stage import Step, param, stage

if TYPE_CHECKING:
    from goldproof.records.arrays import FloatArray
    from goldproof.retrieve.document_index import DocumentIndex
    from goldproof.retrieve.ranking import RankingBatch
    from goldproof.retrieve.stage import Request


@stage("floor", summary="Drops documents that lie below a value.")
class Floor(Step):
    """Drop rows whose similarity or score is below `least`.

    unknown: how many rows were dropped since the documents were indexed because their similarity is unknown.
    """

    reads_query: ClassVar[bool] = False
    least: float = param("the least that is kept", kw_only=False)
    of: Literal["similarity", "score"] | None = param(
        "the similarity (cosine) or the score; unless given the similarity where there is one, else the score",
        default=None,
    )

    def __post_init__(self) -> None:
        if self.of == "similarity":
            self._check_reachable()
        self.unknown = 0
        self._lock = Lock()  # queries may be asked in several threads

    @property
    def remarks(self) -> tuple[str, ...]:
        """How many rows were dropped because their similarity is unknown."""
        many = "result" if self.unknown == 1 else "results"
        were = "was" if self.unknown == 1 else "were"
        return (f"floor: {self.unknown} {many} had no similarity and {were} dropped.",) if self.unknown else ()

    def index(self, documents: DocumentIndex) -> None:
        """Get the source ready."""
        super().index(documents)
        self.unknown = 0

    def find(self, request: Request) -> RankingBatch:
        """Drop the rows below the floor."""
        ranking = self.source.find(request)
        if self.of == "score" or (self.of is None and ranking.similarity is None):
            return ranking.kept(ranking.scores >= self.least)
        similarity = self._similarity(ranking)
        with self._lock:
            self.unknown += int(np.isnan(similarity).sum())
        return ranking.kept(similarity >= self.least)

    def _similarity(self, ranking: RankingBatch) -> FloatArray:
        if ranking.similarity is None:
            raise InputError(
                "floor: of=similarity, but no stage before it has an embedder, so no similarity is known; "
                "put dense(...) before it, or say of=score."
            )
        self._check_reachable()
        return ranking.similarity

    def _check_reachable(self) -> None:
        if self.least > 1:
            raise InputError(
                f"floor: {self.least:g} is above 1, the highest similarity there is; say of=score if a score is meant."
            )


@stage("top", summary="Keeps the first k.")
class Top(Step):
    """Keep the first k documents, or as many as are asked for if that is less."""

    reads_query: ClassVar[bool] = False
    k: int = param("how many documents are returned at most", kw_only=False)

    def __post_init__(self) -> None:
        whole_number(self.k, "k", stage=self.name)

    def find(self, request: Request) -> RankingBatch:
        """Ask the source for no more than k."""
        k = min(self.k, request.k)
        return self.source.find(replace(request, k=k)).cut(k)
