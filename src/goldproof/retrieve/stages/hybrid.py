"""Several retrievers fused by rank or score.

By rank, counted from 1 in the order of the member:

    rrf    sum over members of  weight / (c + rank)
    isr    N * sum of  weight / rank^2
    borda  sum of  weight * (n - rank + 1);  a document that the member lacks gets  weight * (n - m + 1) / 2

By score, normalised per query and member over the documents that the member returned:

    sum    sum of  weight * score             CombSUM
    mnz    N * sum of  weight * score         CombMNZ
    max    the highest score                  CombMAX
    med    the median score                   CombMED

    minmax  (s - min) / (max - min); all equal: 1
    zscore  (s - mean) / standard deviation (of the population); all equal: 0
    max     s / largest |s|; all 0: 0
    none    s

N is the number of members (of weight above 0) that returned the document, n the number of documents that any member
returned for the query, m the number that this member returned: the points of its missing ranks are shared out evenly.

A document that a member did not return:
    rrf, isr   gets nothing from it
    borda      gets its share of the points that are left
    sum, mnz   gets 0 from it, or the lowest that the member gave for the query where that is below 0: being absent
               never helps
    max, med   has no score from it: the maximum or median is that of the scores there are, so a document that one
               member alone returned keeps that member's score. Of two scores the median is the mean. max and med take
               no weights.

mnz multiplies, so a negative sum would rank documents lower the more members return them: it refuses zscore, and a
query with a negative score under max or none has failed.

The contributions to one document are added smallest first, so that neither the order of the members nor the other
queries of a batch change a digit.

The same numbers as ranx 0.3.21, except that ranx
    - gives 0 by min-max where all scores are equal: the only document of a member counts as if it were not returned
    - ranks equal scores within a member as its run lists them; here by id, descending, as everywhere (rrf, isr, borda)
    - refuses runs of different queries; here a member without results for a query changes nothing in its order

Fox, Shaw, TREC-2 1993 (Comb*). Cormack, Clarke, Büttcher, SIGIR 2009 (RRF). Aslam, Montague, SIGIR 2001 (Borda-fuse).
Mourão, Martins, Magalhães, Computerized Medical Imaging and Graphics 39, 2015 (inverse square rank).

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
RankMethod: TypeAlias = Literal["rrf", "isr", "borda"]
ScoreMethod: TypeAlias = Literal["sum", "mnz", "max", "med"]
_UNWEIGHTED = ("max", "med")
_NEGATIVE = "hybrid: mnz multiplies scores, so it needs scores of 0 or more; use normalise=minmax."


class _Pairs(NamedTuple):
    """Every (query, document) that some member returned, and the places of each member's rows among them."""

    query: IntArray
    document: IntArray
    rows: list[IntArray]


def fuse_ranks(
    members: Sequence[RankingBatch],
    documents: DocumentIndex,
    *,
    weights: Sequence[float],
    c: float,
    method: RankMethod,
) -> RankingBatch:
    """Fuse by ranks."""
    pairs = _pairs(members)
    queries = members[0].queries
    candidates = np.bincount(pairs.query, minlength=queries)
    parts = np.zeros((len(pairs.query), len(members)))
    for i, (ranking, rows) in enumerate(zip(members, pairs.rows, strict=True)):
        rank = ranking.rank_of_row
        if method == "rrf":
            parts[rows, i] = weights[i] / (c + rank)
        elif method == "isr":
            parts[rows, i] = weights[i] / rank.astype(np.float64) ** 2
        else:
            left = (candidates - np.diff(ranking.starts) + 1) / 2
            parts[:, i] = weights[i] * left[pairs.query]
            parts[rows, i] = weights[i] * (candidates[ranking.query_of_row] - rank + 1)
    scores = _summed(parts)
    if method == "isr":
        scores = scores * _returned_by(pairs, weights)
    return _fused(pairs, scores, queries=queries, documents=documents)


def fuse_scores(
    members: Sequence[RankingBatch],
    documents: DocumentIndex,
    *,
    weights: Sequence[float],
    normalise: Normalise,
    method: ScoreMethod,
) -> RankingBatch:
    """Fuse by normalised scores; max and med do not look at the weights."""
    pairs = _pairs(members)
    queries = members[0].queries
    # Scores that are not normalised may be too large to be added: the pipeline fails such a query.
    with np.errstate(over="ignore", invalid="ignore"):
        parts, lowest = _score_parts(members, pairs, normalise)
        if method == "max":
            return _fused(pairs, np.nanmax(parts, axis=1, initial=-np.inf), queries=queries, documents=documents)
        if method == "med":
            return _fused(pairs, _medians(parts), queries=queries, documents=documents)
        absent = np.isnan(parts)
        parts[absent] = lowest[pairs.query][absent]
        scores = _summed(parts * np.asarray(weights))
        if method == "mnz":
            scores = scores * _returned_by(pairs, weights)
    fused = _fused(pairs, scores, queries=queries, documents=documents)
    if method == "mnz":
        negative = dict.fromkeys(np.flatnonzero((lowest < 0).any(axis=1)).tolist(), _NEGATIVE)
        return replace(_without(fused, negative), failed=negative)
    return fused


def _score_parts(members: Sequence[RankingBatch], pairs: _Pairs, normalise: Normalise) -> tuple[FloatArray, FloatArray]:
    """Return a row per pair with the score of each member (NaN: none), and of each query the members' lowest or 0."""
    parts = np.full((len(pairs.query), len(members)), np.nan)
    lowest = np.zeros((members[0].queries, len(members)))
    for i, (ranking, rows) in enumerate(zip(members, pairs.rows, strict=True)):
        parts[rows, i] = normalised(ranking, normalise)
        np.minimum.at(lowest[:, i], ranking.query_of_row, parts[rows, i])
    return parts, lowest


def _summed(parts: FloatArray) -> FloatArray:
    """Return the sum of each row, smallest first."""
    scores = np.zeros(len(parts))
    for column in np.sort(parts, axis=1).T:
        scores = scores + column
    return scores


def _medians(parts: FloatArray) -> FloatArray:
    """Return the median of each row without its NaN; every row has a number."""
    ordered = np.sort(parts, axis=1)  # NaN last
    n = np.count_nonzero(~np.isnan(parts), axis=1)
    rows = np.arange(len(parts))
    return np.asarray((ordered[rows, (n - 1) // 2] + ordered[rows, n // 2]) / 2)


def _returned_by(pairs: _Pairs, weights: Sequence[float]) -> IntArray:
    """Return how many members of weight above 0 returned each pair."""
    times = np.zeros(len(pairs.query), dtype=np.int64)
    for rows, weight in zip(pairs.rows, weights, strict=True):
        times[rows] += weight > 0
    return times


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


def _fused(pairs: _Pairs, scores: FloatArray, *, queries: int, documents: DocumentIndex) -> RankingBatch:
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
    method="by rank: `rrf`, `isr`, `borda`; by score: `sum`, `mnz`, `max`, `med` (CombSUM, CombMNZ, CombMAX, CombMED)",
    weights="one per member, equal unless given; not for `max` and `med`",
    c="of `rrf`: the higher, the less the first ranks stand out",
    normalise="of the methods by score: how scores are made comparable",
    depth="how many documents each member is asked for, if that is more than k",
)
class Hybrid(Source):
    """Search with several retrievers, and fuse their rankings."""

    takes_stages: ClassVar[bool] = True
    reads_query: ClassVar[bool] = False

    def __init__(
        self,
        *members: object,  # stages; in Python whatever can be made into one
        method: Literal["rrf", "sum", "mnz", "max", "med", "borda", "isr"] = "rrf",
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
        self._check_method(weighted=weights is not None)
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
        fused = self._fuse(answers, documents).cut(request.k)
        fused = replace(fused, failed=dict(sorted({**fused.failed, **failed}.items())))
        embedding = knows_similarity(self)
        return fused if embedding is None else replace(fused, similarity=embedding.similarities(request.queries, fused))

    def similarities(self, queries: tuple[str, ...], ranking: RankingBatch) -> FloatArray:
        """Return the cosine of each row by the first member that has an embedder, NaN where none has."""
        member = self._embedding_member()
        return np.full(len(ranking.documents), np.nan) if member is None else member.similarities(queries, ranking)

    def _embedding_member(self) -> KnowsSimilarity | None:
        return next((member for member in map(knows_similarity, self.members) if member is not None), None)

    def _fuse(self, answers: list[RankingBatch], documents: DocumentIndex) -> RankingBatch:
        if self.method == "rrf" or self.method == "isr" or self.method == "borda":  # noqa: PLR1714 - narrows the type
            return fuse_ranks(answers, documents, weights=self.weights, c=self.c, method=self.method)
        return fuse_scores(answers, documents, weights=self.weights, normalise=self.normalise, method=self.method)

    def _check_method(self, *, weighted: bool) -> None:
        if weighted and self.method in _UNWEIGHTED:
            raise InputError(f"hybrid: method {self.method} takes no weights; leave them out, or use sum or mnz.")
        if self.method == "mnz" and self.normalise == "zscore":
            raise InputError(
                "hybrid: method mnz multiplies scores, and zscore makes half of them negative; use normalise=minmax."
            )

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
