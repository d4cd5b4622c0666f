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

from goldproof.checks import number, one_of, whole_number
from goldproof.errors import InputError
from goldproof.retrieve.ranking import RankingBatch, starts_of
from goldproof.retrieve.stages.ages import Ages, By, Missing, halved

if TYPE_CHECKING:
    from goldproof.records.arrays import FloatArray
    from goldproof.retrieve.document_index import DocumentIndex
    from goldproof.retrieve.retriever import Moment
    from goldproof.retrieve.stage import Request, Stage

RATE = 0.1
HALF_LIFE = 10.0


class Decay:
    """Weigh scores by age; the source is asked for `depth` documents, so that younger ones can move up."""

    kind: ClassVar[Literal["source", "step", "query step"]] = "step"

    def __init__(
        self,
        source: Stage,
        kind: Literal["exp", "linear"] = "exp",
        *,
        half_life: float | str | None = None,
        rate: float | None = None,
        by: By = "turn",
        field: str | None = None,
        now: Moment | None = None,
        missing: Missing = "error",
        depth: int = 100,
    ) -> None:
        self.source = source
        self.shape = one_of(kind, ("exp", "linear"), stage="decay", name="kind")
        wrong, value = ("rate", rate) if self.shape == "exp" else ("half_life", half_life)
        if value is not None:
            raise InputError(f"decay: {wrong} is for {'linear' if wrong == 'rate' else 'exp'}, not for {self.shape}.")
        self.ages = Ages("decay", by=by, field=field, now=now, missing=missing)
        self.half_life = self.ages.length(half_life, HALF_LIFE)
        self.rate = RATE if rate is None else number(rate, "rate", stage="decay", above=0)
        self.depth = whole_number(depth, "depth", stage="decay")
        self._documents: DocumentIndex | None = None

    @property
    def facts(self) -> dict[str, object]:
        """Its settings, for the card; a half-life in turns or days."""
        speed = {"half_life": self.half_life} if self.shape == "exp" else {"rate": self.rate}
        return {"kind": self.shape, **speed, **self.ages.facts, "depth": self.depth}

    @property
    def remarks(self) -> tuple[str, ...]:
        """How many documents are newer than now."""
        return self.ages.remarks

    def index(self, documents: DocumentIndex) -> None:
        """Read the ages, and get the source ready."""
        self.ages.index(documents)
        self._documents = documents
        self.source.index(documents)

    def find(self, request: Request) -> RankingBatch:
        """Return the source's documents in the order of their decayed scores."""
        if self._documents is None:
            raise InputError("decay: index the documents before searching.")
        ranking = self.source.find(replace(request, k=max(request.k, self.depth)))
        ages = self.ages.of(ranking.documents, request.now)
        if self.ages.missing == "error" and np.isnan(ages).any():
            ranking, ages = self.ages.fail_unknown(ranking, ages, self._documents)
        scores = decayed(ranking.scores, self.weights(ages))
        return ranking.rescored(scores, self._documents).cut(request.k)

    def weights(self, ages: FloatArray) -> FloatArray:
        """Return the weight of each age; 1 where there is none."""
        linear = self.shape == "linear"
        weights = np.maximum(0.0, 1.0 - self.rate * ages) if linear else halved(ages, self.half_life)
        return np.where(np.isnan(ages), 1.0, weights)


def decayed(scores: FloatArray, weights: FloatArray) -> FloatArray:
    """Return scores times weights, so that a smaller weight never raises a score."""
    return scores * np.where(scores < 0, 2.0 - weights, weights)


class Recency:
    """Return the newest documents, whatever the query."""

    kind: ClassVar[Literal["source", "step", "query step"]] = "source"
    searches_corpus: ClassVar[bool] = True

    def __init__(
        self,
        *,
        by: By = "turn",
        field: str | None = None,
        half_life: float | str | None = None,
        now: Moment | None = None,
        missing: Missing = "error",
    ) -> None:
        self.ages = Ages("recency", by=by, field=field, now=now, missing=missing)
        self.half_life = self.ages.length(half_life, HALF_LIFE)
        self._documents: DocumentIndex | None = None

    @property
    def facts(self) -> dict[str, object]:
        """Its settings, for the card; the half-life in turns or days."""
        return {"half_life": self.half_life, **self.ages.facts}

    @property
    def remarks(self) -> tuple[str, ...]:
        """How many documents are newer than now."""
        return self.ages.remarks

    def index(self, documents: DocumentIndex) -> None:
        """Read the ages."""
        self.ages.index(documents)
        self._documents = documents

    def find(self, request: Request) -> RankingBatch:
        """Return the same newest documents for each query."""
        if self._documents is None:
            raise InputError("recency: index the documents before searching.")
        documents = np.arange(self._documents.size)
        documents = documents if request.allowed is None else documents[request.allowed]
        scores = recency_scores(self.ages.of(documents, request.now), self.half_life)
        newest = (
            RankingBatch(starts_of(np.asarray([len(documents)])), documents, scores)
            .ordered(self._documents)
            .cut(request.k)
        )
        times = len(request.queries)
        starts = starts_of(np.full(times, len(newest.documents)))
        return RankingBatch(starts, np.tile(newest.documents, times), np.tile(newest.scores, times))


def recency_scores(ages: FloatArray, half_life: float) -> FloatArray:
    """Return a score per age; 0 where there is none."""
    return np.nan_to_num(halved(ages, half_life))
