"""Recency: the newest documents, whatever the query. A baseline, and a member for `hybrid`.

    score = 0.5 ** (age / half_life)

Ages are counted as `ages` says. Beyond 500 half-lives the score falls as 1 / age instead (`halving`). With
missing="keep" a document without a turn or time comes last, with score 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from goldproof.errors import InputError
from goldproof.retrieve.found import Found, starts_of
from goldproof.retrieve.timing.ages import Ages, By, Missing
from goldproof.retrieve.timing.decay import HALF_LIFE
from goldproof.retrieve.timing.halving import halved

if TYPE_CHECKING:
    from goldproof.records.arrays import FloatArray
    from goldproof.retrieve.retriever import Moment
    from goldproof.retrieve.shelf import Shelf
    from goldproof.retrieve.stage import Request


class Recency:
    """Returns the newest documents."""

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
        self._shelf: Shelf | None = None

    @property
    def facts(self) -> dict[str, object]:
        """What decides its results; the half-life in turns or days."""
        return {"half_life": self.half_life, **self.ages.facts}

    @property
    def remarks(self) -> tuple[str, ...]:
        """How many documents are newer than now."""
        return self.ages.remarks

    def index(self, shelf: Shelf) -> None:
        """Read the ages."""
        self.ages.index(shelf)
        self._shelf = shelf

    def find(self, request: Request) -> Found:
        """Return the same newest documents for each query."""
        if self._shelf is None:
            raise InputError("recency: index the documents before searching.")
        documents = np.arange(self._shelf.size)
        documents = documents if request.allowed is None else documents[request.allowed]
        scores = recency_scores(self.ages.of(documents, request.now), self.half_life)
        once = Found(starts_of(np.asarray([len(documents)])), documents, scores).ordered(self._shelf).cut(request.k)
        times = len(request.queries)
        return Found(
            starts_of(np.full(times, len(once.documents))), np.tile(once.documents, times), np.tile(once.scores, times)
        )


def recency_scores(ages: FloatArray, half_life: float) -> FloatArray:
    """Return a score per age; 0 where there is none."""
    return np.nan_to_num(halved(ages, half_life))
