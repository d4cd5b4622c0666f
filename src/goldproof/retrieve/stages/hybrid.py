"""Several retrievers fused by rank or score.

    rrf    sum over members of  weight / (c + rank)
    sum    sum over members of  weight * normalised score

Ranks count from 1 in the order of the member. Scores are normalised per query and member, over the documents that the
member returned:

    minmax  (s - min) / (max - min); all equal: 1
    zscore  (s - mean) / standard deviation (of the population); all equal: 0
    max     s / largest |s|; all 0: 0
    none    s

A document that a member did not return gets 0 from it, or the lowest that the member gave for the query where that is
below 0: being absent never helps. The contributions to one document are added smallest first, so that neither the order
of the members nor the other queries of a batch change a digit. Reciprocal rank fusion: Cormack, Clarke, Büttcher, SIGIR
2009.

Each member is asked for `depth` documents, or k if that is more. A query that failed in any member has failed: a
ranking without that member would be another system's.

Where a member has an embedder, every row gets its cosine by it, so that a floor after a hybrid applies to cosines; of
several such members the first counts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, Protocol, TypeAlias, cast, runtime_checkable

import numpy as np

from goldproof.checks import number, whole_number
from goldproof.errors import InputError
from goldproof.retrieve.ranking import RankingBatch, starts_of
from goldproof.retrieve.stage import Source, card_name, stage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.records.arrays import FloatArray, IntArray
    from goldproof.retrieve.document_index import DocumentIndex
    from goldproof.retrieve.stage import Request, Stage

Normalise: TypeAlias = Literal["minmax", "zscore", "max", "none"]


class _Pairs(NamedTuple):
    """Every (query, document) that some member returned, and the places of each member's rows among them."""

    query: IntArray
    document: IntArray
    rows: list[IntArray]


def fuse_ranks(
    members: Sequence[RankingBatch], documents: DocumentIndex, *, weights: Sequence[float], c: float
) -> RankingBatch:
    """Fuse by reciprocal rank."""
    pairs = _pairs(members)
    parts = np.zeros((len(pairs.query), len(members)))
    for i, (ranking, rows) in enumerate(zip(members, pairs.rows, strict=True)):
        parts[rows, i] = weights[i] / (c + ranking.rank_of_row)
    return _fused(pairs, parts, queries=members[0].queries, documents=documents)


def fuse_scores(
    members: Sequence[RankingBatch],
    documents: DocumentIndex,
    *,
    weights: Sequence[float],
    normalise: Normalise,
) -> RankingBatch:
    """Fuse by a weighted sum of normalised scores."""
    pairs = _pairs(members)
    parts = np.empty((len(pairs.query), len(members)))
    # Scores that are not normalised may be too large to be added: the pipeline fails such a query.
    with np.errstate(over="ignore", invalid="ignore"):
        for i, (ranking, rows) in enumerate(zip(members, pairs.rows, strict=True)):
            scores = normalised(ranking, normalise)
            lowest = np.zeros(ranking.queries)
            np.minimum.at(lowest, ranking.query_of_row, scores)
            parts[:, i] = weights[i] * lowest[pairs.query]
            parts[rows, i] = weights[i] * scores
        return _fused(pairs, parts, queries=members[0].queries, documents=documents)


def normalised(ranking: RankingBatch, method: Normalise) -> FloatArray:
    """Return the scores of a ranking, normalised within each query."""
    query, scores = ranking.query_of_row, ranking.scores
    if method == "none" or not len(scores):
        return scores
    scores = _within_1(scores, query, queries=ranking.queries)
    low, high = np.full(ranking.queries, np.inf), np.full(ranking.queries, -np.inf)
    np.minimum.at(low, query, scores)
    np.maximum.at(high, query, scores)
    if method == "max":
        return _divided(scores, np.maximum(np.abs(low), np.abs(high))[query], otherwise=0.0)
    if method == "minmax":
        return _divided(scores - low[query], (high - low)[query], otherwise=1.0)
    counts = np.maximum(np.diff(ranking.starts), 1)
    mean = np.bincount(query, weights=scores, minlength=ranking.queries) / counts
    apart = np.where((high > low)[query], scores - mean[query], 0.0)
    spread = np.sqrt(np.bincount(query, weights=apart**2, minlength=ranking.queries) / counts)
    return _divided(apart, spread[query], otherwise=0.0)


def _within_1(scores: FloatArray, query: IntArray, *, queries: int) -> FloatArray:
    """Return the scores of each query divided by a power of 2, which changes no digit, so that nothing can overflow."""
    largest = np.zeros(queries)
    np.maximum.at(largest, query, np.abs(scores))
    return np.ldexp(scores, -np.frexp(largest)[1][query])


def _divided(scores: FloatArray, by: FloatArray, *, otherwise: float) -> FloatArray:
    """Return scores / by, and `otherwise` where that is a division by 0."""
    divided = np.full(len(scores), otherwise)
    np.divide(scores, by, out=divided, where=by > 0)
    return divided


def _pairs(members: Sequence[RankingBatch]) -> _Pairs:
    query = np.concatenate([ranking.query_of_row for ranking in members])
    document = np.concatenate([ranking.documents for ranking in members])
    width = int(document.max(initial=0)) + 1
    keys, inverse = np.unique(query * width + document, return_inverse=True)
    ends = np.cumsum([len(ranking.documents) for ranking in members])[:-1]
    return _Pairs(keys // width, keys % width, np.split(inverse, ends))


def _fused(pairs: _Pairs, parts: FloatArray, *, queries: int, documents: DocumentIndex) -> RankingBatch:
    scores = np.zeros(len(parts))
    for column in np.sort(parts, axis=1).T:
        scores = scores + column
    lengths = np.bincount(pairs.query, minlength=queries)
    return RankingBatch(starts_of(lengths), pairs.document, scores).ordered(documents)


@runtime_checkable
class KnowsSimilarity(Protocol):
    """A stage that knows the similarity of any query and document."""

    def similarities(self, queries: tuple[str, ...], ranking: RankingBatch) -> FloatArray:
        """Return the cosine of each row's query and document, NaN where it is unknown."""


LARGEST_WEIGHT = 1e9


@stage(
    "hybrid",
    summary="Asks several pipelines and fuses their rankings into one.",
    members="the pipelines that are asked",
    method="`rrf` adds 1 / (c + rank), `sum` adds scores, made comparable first",
    weights="one per member, equal unless given",
    c="of `rrf`: the higher, the less the first ranks stand out",
    normalise="of `sum`: how scores are made comparable",
    depth="how many documents each member is asked for, if that is more than k",
)
class Hybrid(Source):
    """Search with several retrievers, and fuse their rankings."""

    takes_stages: ClassVar[bool] = True

    def __init__(
        self,
        *members: object,  # stages; in Python whatever can be made into one
        method: Literal["rrf", "sum"] = "rrf",
        weights: Sequence[float] | None = None,
        c: float = 60,
        normalise: Literal["minmax", "zscore", "max", "none"] = "minmax",
        depth: int = 100,
    ) -> None:
        if not members:
            raise InputError("hybrid: has no members; expected some, such as hybrid(bm25, dense(minilm)).")
        self.members = cast("tuple[Stage, ...]", members)
        self.method = method
        self.weights = _checked_weights(weights, self.members)
        self.c = number(c, "c", stage=self.name, above=-1)
        self.normalise = normalise
        self.depth = whole_number(depth, "depth", stage=self.name)

    @property
    def facts(self) -> dict[str, object]:
        """Its settings, for the card, beside its members."""
        weights = list(self.weights)
        more = {"c": self.c, "normalise": self.normalise, "depth": self.depth, "members": len(self.members)}
        return {"method": self.method, "weights": weights, **more}

    def index(self, documents: DocumentIndex) -> None:
        """Get every member ready; one that is named twice is indexed once."""
        super().index(documents)
        for i, member in enumerate(self.members):
            if not any(member is earlier for earlier in self.members[:i]):
                member.index(documents)

    def find(self, request: Request) -> RankingBatch:
        """Ask every member, and fuse."""
        documents = self.documents
        deeper = replace(request, k=max(request.k, self.depth))
        answers = [member.find(deeper) for member in self.members]
        failed = self._failures(answers)
        answers = [_without(answer, failed) for answer in answers]
        fused = replace(self._fuse(answers, documents).cut(request.k), failed=failed)
        embedding = knows_similarity(self)
        return fused if embedding is None else replace(fused, similarity=embedding.similarities(request.queries, fused))

    def similarities(self, queries: tuple[str, ...], ranking: RankingBatch) -> FloatArray:
        """Return the cosine of each row by the first member that has an embedder, NaN where none has."""
        member = self._embedding_member()
        return np.full(len(ranking.documents), np.nan) if member is None else member.similarities(queries, ranking)

    def _embedding_member(self) -> KnowsSimilarity | None:
        return next((member for member in map(knows_similarity, self.members) if member is not None), None)

    def _fuse(self, answers: list[RankingBatch], documents: DocumentIndex) -> RankingBatch:
        if self.method == "rrf":
            return fuse_ranks(answers, documents, weights=self.weights, c=self.c)
        return fuse_scores(answers, documents, weights=self.weights, normalise=self.normalise)

    def _failures(self, answers: list[RankingBatch]) -> dict[int, str]:
        failed: dict[int, str] = {}
        for i, (member, answer) in enumerate(zip(self.members, answers, strict=True), start=1):
            for query, reason in answer.failed.items():
                failed.setdefault(query, f"hybrid: member {i} ({card_name(member)}): {reason}")
        return dict(sorted(failed.items()))


def knows_similarity(stage: object) -> KnowsSimilarity | None:
    """Return the stage that knows similarities: this one, or the one that it is a step on; None where there is none."""
    if isinstance(stage, Hybrid):
        return stage if stage._embedding_member() is not None else None  # noqa: SLF001 - a hybrid inside a hybrid
    if isinstance(stage, KnowsSimilarity):
        return stage
    source = getattr(stage, "source", None)
    return None if source is None else knows_similarity(source)


def _without(ranking: RankingBatch, failed: dict[int, str]) -> RankingBatch:
    if not failed:
        return ranking
    return ranking.kept(~np.isin(ranking.query_of_row, list(failed)))


def _checked_weights(weights: Sequence[float] | None, members: tuple[Stage, ...]) -> tuple[float, ...]:
    if weights is None:
        return (1.0,) * len(members)
    if not isinstance(weights, list | tuple) or len(weights) != len(members):
        raise InputError(f"hybrid: weights are {weights!r}, expected one for each of the {len(members)} members.")
    if min(weights) < 0 or not 0 < max(weights) <= LARGEST_WEIGHT:
        raise InputError(
            f"hybrid: weights are {list(weights)}, expected none below 0, one above 0, and none above "
            f"{LARGEST_WEIGHT:,.0f}."
        )
    return tuple(weights)
