"""Rankings of a batch of queries as columns: order, ties, cut, split, merge.

Rows of query i are at `starts[i]:starts[i + 1]`, best first by the one rule of ties (score descending, then document
id descending). A document occurs at most once per query. A query that failed has no rows and a reason.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from goldproof.records.arrays import BoolArray, FloatArray, IntArray
    from goldproof.retrieve.document_index import DocumentIndex
    from goldproof.retrieve.stage import Request


@dataclass(frozen=True, slots=True, eq=False)
class RankingBatch:
    """Rankings of a batch of queries.

    documents: positions in the `DocumentIndex`. similarity: the cosine of query and document where an embedder told it,
    else NaN; None where no stage of this pipeline has an embedder. failed: query (its number in the batch) -> why.
    """

    starts: IntArray
    documents: IntArray
    scores: FloatArray
    similarity: FloatArray | None = None
    failed: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def of_lists(
        cls,
        rankings: Sequence[Sequence[tuple[int, float]]],
        documents: DocumentIndex,
        *,
        failed: Mapping[int, str] | None = None,
    ) -> RankingBatch:
        """Build from (position, score) pairs per query, in any order."""
        positions = np.asarray([position for ranking in rankings for position, _ in ranking], dtype=np.int64)
        scores = np.asarray([score for ranking in rankings for _, score in ranking], dtype=np.float64)
        starts = starts_of(np.asarray([len(ranking) for ranking in rankings], dtype=np.int64))
        return cls(starts, positions, scores, failed=dict(failed or {})).ordered(documents)

    @classmethod
    def nothing(cls, queries: int) -> RankingBatch:
        """Return empty rankings."""
        return cls(np.zeros(queries + 1, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float64))

    @property
    def queries(self) -> int:
        """The number of queries."""
        return len(self.starts) - 1

    @property
    def query_of_row(self) -> IntArray:
        """The query of each row."""
        return np.repeat(np.arange(self.queries), np.diff(self.starts))

    @property
    def rank_of_row(self) -> IntArray:
        """The rank of each row within its query, from 1."""
        return np.arange(len(self.documents)) - np.repeat(self.starts[:-1], np.diff(self.starts)) + 1

    def kept(self, rows: BoolArray) -> RankingBatch:
        """Return these rows only, in their order."""
        lengths = np.bincount(self.query_of_row[rows], minlength=self.queries)
        return replace(
            self,
            starts=starts_of(lengths),
            documents=self.documents[rows],
            scores=self.scores[rows],
            similarity=None if self.similarity is None else self.similarity[rows],
        )

    def cut(self, k: int) -> RankingBatch:
        """Return the first k rows of each query."""
        if not len(self.documents) or int(np.diff(self.starts).max()) <= k:
            return self
        return self.kept(self.rank_of_row <= k)

    def rescored(self, scores: FloatArray, documents: DocumentIndex) -> RankingBatch:
        """Return the same rows with other scores, in their new order."""
        return replace(self, scores=scores).ordered(documents)

    def ordered(self, documents: DocumentIndex) -> RankingBatch:
        """Return the rows of each query in order: score descending, then document id descending."""
        order = np.lexsort((-self.scores, self.query_of_row))
        _order_ties(order, self, documents)
        return replace(
            self,
            documents=self.documents[order],
            scores=self.scores[order],
            similarity=None if self.similarity is None else self.similarity[order],
        )


def _order_ties(order: IntArray, ranking: RankingBatch, documents: DocumentIndex) -> None:
    """Put rows of the same query and score in the order of their ids, descending; only these ids are looked at."""
    query, scores = ranking.query_of_row[order], ranking.scores[order]
    as_before = (query[1:] == query[:-1]) & (scores[1:] == scores[:-1])
    tied = np.zeros(len(order), dtype=np.bool_)
    tied[1:] = as_before
    tied[:-1] |= as_before
    if not tied.any():
        return
    run = np.zeros(len(order), dtype=np.int64)
    np.cumsum(~as_before, out=run[1:])
    rows = order[tied]
    order[tied] = rows[np.lexsort((-documents.id_keys(ranking.documents[rows]), run[tied]))]


def starts_of(lengths: IntArray) -> IntArray:
    """Return where each group starts, and the end of the last."""
    starts = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts


class RankingPart(NamedTuple):
    """The rankings of some queries; places: which of all queries they are."""

    places: Sequence[int]
    ranking: RankingBatch


def subrequest(request: Request, places: Sequence[int]) -> Request:
    """Return a request for some of its queries."""
    if len(places) == len(request.queries):
        return request
    ids = tuple(request.ids[i] for i in places) if request.ids else ()
    return replace(request, queries=tuple(request.queries[i] for i in places), ids=ids)


def merged(parts: Sequence[RankingPart], queries: int) -> RankingBatch:
    """Return all rankings in the order of the queries; every query is in exactly one part."""
    if len(parts) == 1:
        return parts[0].ranking
    if not parts:
        return RankingBatch.nothing(queries)
    lengths = np.zeros(queries, dtype=np.int64)
    failed: dict[int, str] = {}
    for places, ranking in parts:
        lengths[list(places)] = np.diff(ranking.starts)
        failed.update({places[i]: reason for i, reason in ranking.failed.items()})
    query_of_row = np.concatenate(
        [np.asarray(part.places, dtype=np.int64)[part.ranking.query_of_row] for part in parts]
    )
    order = np.argsort(query_of_row, kind="stable")
    return RankingBatch(
        starts_of(lengths),
        np.concatenate([ranking.documents for _, ranking in parts])[order],
        np.concatenate([ranking.scores for _, ranking in parts])[order],
        similarity=_similarities(parts, order),
        failed=dict(sorted(failed.items())),
    )


def _similarities(parts: Sequence[RankingPart], order: np.ndarray[tuple[int], np.dtype[np.int64]]) -> FloatArray | None:
    """Return the similarities of all rows; a part without any has NaN, and where no part has any there are none."""
    if all(ranking.similarity is None for _, ranking in parts):
        return None
    known = [np.full(len(r.documents), np.nan) if r.similarity is None else r.similarity for _, r in parts]
    joined: FloatArray = np.concatenate(known)[order]
    return joined


STEP = 1e-6


def strictly_falling(scores: Iterable[float]) -> list[float]:
    """Return scores made strictly decreasing: one that is not below the one before is set a millionth below it."""
    lowered: list[float] = []
    for score in scores:
        if lowered and score >= lowered[-1]:
            lowered.append(lowered[-1] - STEP * max(abs(lowered[-1]), 1.0))
        else:
            lowered.append(score)
    return lowered
