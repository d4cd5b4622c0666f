"""A source whose scores are written down, and small document indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.records.entities import Document
from goldproof.retrieve.document_index import DocumentIndex
from goldproof.retrieve.ranking import RankingBatch
from goldproof.retrieve.stage import Request

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.records.arrays import FloatArray


class Given:
    """Returns the scores that are given per query, to allowed documents, at most k.

    obeys: whether it takes notice of what is allowed. failed: query -> why. Asked requests are kept in `asked`.
    """

    def __init__(
        self, scores: Mapping[str, Mapping[str, float]], *, obeys: bool = True, failed: Mapping[str, str] | None = None
    ) -> None:
        self.scores = scores
        self.obeys = obeys
        self.failed = failed or {}
        self.asked: list[Request] = []
        self.documents = DocumentIndex()
        self.indexed = 0

    def index(self, documents: DocumentIndex) -> None:
        self.documents = documents
        self.indexed += 1

    def find(self, request: Request) -> RankingBatch:
        self.asked.append(request)
        rankings = [self._ranking(query, request) for query in request.queries]
        failed = {i: self.failed[query] for i, query in enumerate(request.queries) if query in self.failed}
        return RankingBatch.of_lists(rankings, self.documents, failed=failed).cut(request.k)

    def _ranking(self, query: str, request: Request) -> list[tuple[int, float]]:
        if query in self.failed:
            return []
        rows = [(self.documents.position(name), score) for name, score in self.scores.get(query, {}).items()]
        if not self.obeys or request.allowed is None:
            return rows
        return [(at, score) for at, score in rows if at < self.documents.size and request.allowed[at]]


class GivenDense(Given):
    """Knows the similarity of every query and document: cosines[query][document]."""

    def __init__(self, cosines: Mapping[str, Mapping[str, float]], *, returns: int = 100) -> None:
        super().__init__({q: dict(list(row.items())[:returns]) for q, row in cosines.items()})
        self.cosines = cosines

    def find(self, request: Request) -> RankingBatch:
        found = super().find(request)
        return RankingBatch(found.starts, found.documents, found.scores, similarity=found.scores)

    def similarities(self, queries: tuple[str, ...], found: RankingBatch) -> FloatArray:
        ids = self.documents.ids(found.documents)
        asked = [queries[i] for i in found.query_of_row.tolist()]
        return np.asarray([self.cosines[q].get(d, np.nan) for q, d in zip(asked, ids, strict=True)], dtype=np.float64)


def documents_of(*ids: str, **metadata: list[object]) -> DocumentIndex:
    """Documents by id; metadata: a list with a value per document, None where it lacks the field."""
    return DocumentIndex(
        Document(name, text=name, metadata={k: v[i] for k, v in metadata.items() if v[i] is not None})
        for i, name in enumerate(ids)
    )


def shown(found: RankingBatch, documents: DocumentIndex, query: int = 0) -> list[tuple[str, float]]:
    """The ranking of one query: (id, score), scores to 6 digits."""
    rows = slice(found.starts[query], found.starts[query + 1])
    return [
        (name, round(score, 6))
        for name, score in zip(documents.ids(found.documents[rows]), found.scores[rows].tolist(), strict=True)
    ]


def names(found: RankingBatch, documents: DocumentIndex, query: int = 0) -> list[str]:
    """The ids of one query's ranking."""
    return [name for name, _ in shown(found, documents, query)]


def ask(*queries: str, k: int = 10) -> Request:
    """A request without filters."""
    return Request(queries or ("q",), k)
