"""Decay of scores with age; recency as a baseline.

    linear   w = max(0, 1 - rate * age)          rate 0.1 unless given
    exp      w = 0.5 ** (age / half_life)        half_life 10 unless given

    score >= 0   score * w
    score < 0    score * (2 - w)

Ages are in turns of a conversation (by="turn") or in days (by="age"; half_life may be a duration such as `12h`),
counted as in `ages`. w lies in [0, 1] and is 1 at age 0. Beyond 500 half-lives exp falls as 1 / age instead, so that it
does not vanish and the order stays (`ages.halved`). A negative score times w would rise with age, so it is multiplied
by 2 - w: age lowers every score, and nothing jumps at a score of 0. The similarity stays as it is.

A document without a turn or time is refused when the corpus is indexed; with missing="keep" its score stays. An unknown
document has no metadata: it makes its query fail, or with missing="keep" its score stays too.

The score of recency is 0.5 ** (age / half_life), with the same fall beyond 500 half-lives. With missing="keep" a
document without a turn or time comes last, with score 0.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from goldproof.checks import number, whole_number
from goldproof.errors import InputError
from goldproof.retrieve.ranking import RankingBatch, starts_of
from goldproof.retrieve.stage import Source, Step, param, stage
from goldproof.retrieve.stages.ages import BY_DOC, FIELD_DOC, MISSING_DOC, NOW_DOC, Ages, halved

if TYPE_CHECKING:
    from goldproof.records.arrays import FloatArray
    from goldproof.retrieve.document_index import DocumentIndex
    from goldproof.retrieve.retriever import Moment
    from goldproof.retrieve.stage import Request

RATE = 0.1
HALF_LIFE = 10.0
HALF_LIFE_DOC = "the age at which half is left: turns, days, or a duration such as `12h`; 10 unless given"


@stage("decay", summary="Lets scores count less with age.")
class Decay(Step):
    """Weigh scores by age; the source is asked for `depth` documents, so that younger ones can move up."""

    kind: Literal["exp", "linear"] = param(
        "`exp` halves every half-life, `linear` loses the same each time, down to 0", default="exp", kw_only=False
    )
    half_life: float | str | None = param(HALF_LIFE_DOC, default=None)
    rate: float | None = param("of `linear`: what is lost per turn or day; 0.1 unless given", default=None)
    by: Literal["turn", "age"] = param(BY_DOC, default="turn")
    field: str | None = param(FIELD_DOC, default=None)
    now: Moment | None = param(NOW_DOC, default=None)
    missing: Literal["error", "keep"] = param(MISSING_DOC, default="error")
    depth: int = param("how many documents are looked at, if that is more than k", default=100)

    def __post_init__(self) -> None:
        wrong, value = ("rate", self.rate) if self.kind == "exp" else ("half_life", self.half_life)
        if value is not None:
            raise InputError(f"decay: {wrong} is for {'linear' if wrong == 'rate' else 'exp'}, not for {self.kind}.")
        self.ages = Ages(self.name, by=self.by, field=self.field, now=self.now, missing=self.missing)
        self._length = self.ages.length(self.half_life, HALF_LIFE)
        self._rate = RATE if self.rate is None else number(self.rate, "rate", stage=self.name, above=0)
        whole_number(self.depth, "depth", stage=self.name)

    @property
    def facts(self) -> dict[str, object]:
        """Its settings, for the card; a half-life in turns or days."""
        speed = {"half_life": self._length} if self.kind == "exp" else {"rate": self._rate}
        return {"kind": self.kind, **speed, **self.ages.facts, "depth": self.depth}

    @property
    def remarks(self) -> tuple[str, ...]:
        """How many documents are newer than now."""
        return self.ages.remarks

    def index(self, documents: DocumentIndex) -> None:
        """Read the ages, and get the source ready."""
        self.ages.index(documents)
        super().index(documents)

    def find(self, request: Request) -> RankingBatch:
        """Return the source's documents in the order of their decayed scores."""
        documents = self.documents
        ranking = self.source.find(replace(request, k=max(request.k, self.depth)))
        ages = self.ages.of(ranking.documents, request.now)
        if self.missing == "error" and np.isnan(ages).any():
            ranking, ages = self.ages.fail_unknown(ranking, ages, documents)
        scores = decayed(ranking.scores, self.weights(ages))
        return ranking.rescored(scores, documents).cut(request.k)

    def weights(self, ages: FloatArray) -> FloatArray:
        """Return the weight of each age; 1 where there is none."""
        linear = self.kind == "linear"
        weights = np.maximum(0.0, 1.0 - self._rate * ages) if linear else halved(ages, self._length)
        return np.where(np.isnan(ages), 1.0, weights)


def decayed(scores: FloatArray, weights: FloatArray) -> FloatArray:
    """Return scores times weights, so that a smaller weight never raises a score."""
    return scores * np.where(scores < 0, 2.0 - weights, weights)


@stage("recency", summary="Returns the newest documents, whatever the query.")
class Recency(Source):
    """Return the newest documents, whatever the query."""

    searches_corpus: ClassVar[bool] = True

    by: Literal["turn", "age"] = param(BY_DOC, default="turn")
    field: str | None = param(FIELD_DOC, default=None)
    half_life: float | str | None = param(HALF_LIFE_DOC, default=None)
    now: Moment | None = param(NOW_DOC, default=None)
    missing: Literal["error", "keep"] = param(MISSING_DOC, default="error")

    def __post_init__(self) -> None:
        self.ages = Ages(self.name, by=self.by, field=self.field, now=self.now, missing=self.missing)
        self._length = self.ages.length(self.half_life, HALF_LIFE)

    @property
    def facts(self) -> dict[str, object]:
        """Its settings, for the card; the half-life in turns or days."""
        return {"half_life": self._length, **self.ages.facts}

    @property
    def remarks(self) -> tuple[str, ...]:
        """How many documents are newer than now."""
        return self.ages.remarks

    def index(self, documents: DocumentIndex) -> None:
        """Read the ages."""
        self.ages.index(documents)
        super().index(documents)

    def find(self, request: Request) -> RankingBatch:
        """Return the same newest documents for each query."""
        documents = np.arange(self.documents.size)
        documents = documents if request.allowed is None else documents[request.allowed]
        scores = recency_scores(self.ages.of(documents, request.now), self._length)
        ranking = RankingBatch(starts_of(np.asarray([len(documents)])), documents, scores)
        newest = ranking.ordered(self.documents).cut(request.k)
        times = len(request.queries)
        starts = starts_of(np.full(times, len(newest.documents)))
        return RankingBatch(starts, np.tile(newest.documents, times), np.tile(newest.scores, times))


def recency_scores(ages: FloatArray, half_life: float) -> FloatArray:
    """Return a score per age; 0 where there is none."""
    return np.nan_to_num(halved(ages, half_life))
