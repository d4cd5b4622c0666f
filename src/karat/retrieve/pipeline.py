"""A pipeline: stages put together, ready to be indexed and searched. It is a `Retriever` itself.

from karat.retrieve import bm25, dense, hybrid, top

pipeline = hybrid(bm25(), dense("minilm")) | top(5)
pipeline.index(documents)
hits = pipeline.search("how are memories cleared?")
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from karat.core.errors import InputError, SearchFailedError
from karat.core.records import Hit, Question
from karat.core.tables import RankingTable
from karat.retrieve.filtering.filters import filter_mask
from karat.retrieve.found import Found, starts_of
from karat.retrieve.language import build, joined
from karat.retrieve.shelf import Shelf
from karat.retrieve.stage import Request
from karat.retrieve.walking import stage_facts, stages_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from karat.core.records import Document
    from karat.retrieve.language import Expression, Step
    from karat.retrieve.retriever import Filters, Moment
    from karat.retrieve.stage import Stage


class Pipeline:
    """What a configuration describes, such as `hybrid(bm25, dense(minilm)) | top(5)`; it prints as that text again."""

    def __init__(self, expression: Expression) -> None:
        self.expression = expression
        self.stage: Stage = build(expression)
        self._shelf: Shelf | None = None

    def __or__(self, step: Step) -> Pipeline:
        return Pipeline(joined(self, step))

    def __ror__(self, step: Step) -> Pipeline:
        return Pipeline(joined(step, self))

    def __str__(self) -> str:
        return str(self.expression)

    def __repr__(self) -> str:
        return f"Pipeline({str(self)!r})"

    @property
    def shelf(self) -> Shelf:
        """The documents that are searched."""
        if self._shelf is None:
            raise InputError(f"{self}: nothing is indexed yet; call index(documents) first.")
        return self._shelf

    def index(
        self, documents: Iterable[Document], *, on_progress: Callable[[int, int, int], None] | None = None
    ) -> None:
        """Get ready to search these documents.

        on_progress: called with (done, all, of them from the cache) while documents are embedded.
        """
        shelf = Shelf(documents)
        for stage in stages_of(self.stage):
            if on_progress is not None and hasattr(stage, "on_progress"):
                stage.on_progress = on_progress
        self.stage.index(shelf)
        self._shelf = shelf

    def search(
        self, query: str, k: int = 10, filters: Filters | None = None, *, now: Moment | None = None
    ) -> list[Hit]:
        """Return at most k documents, best first."""
        found = self.find(Request((query,), _checked(k), filters=filters, now=now))
        if found.failed:
            raise SearchFailedError(found.failed[0])
        documents = [self.shelf.at(position) for position in found.documents.tolist()]
        return [Hit(d.id, score, d.text) for d, score in zip(documents, found.scores.tolist(), strict=True)]

    def search_many(
        self,
        queries: Sequence[Question] | Mapping[str, str],
        k: int = 10,
        filters: Filters | None = None,
        *,
        now: Moment | None = None,
    ) -> RankingTable:
        """Answer many questions, {id: text} or records, in one go; those that fail say why in the table."""
        texts = dict(queries) if isinstance(queries, Mapping) else {question.id: question.text for question in queries}
        if len(texts) < len(queries):
            raise InputError("two of the questions have the same id; ids must be unique.")
        found = self.find(Request(tuple(texts.values()), _checked(k), ids=tuple(texts), filters=filters, now=now))
        return ranking_table(found, tuple(texts), self.shelf)

    def find(self, request: Request) -> Found:
        """Answer a request of columns; where filters are given and no mask, the mask is made."""
        shelf = self.shelf
        if request.filters and request.allowed is None:
            request = replace(request, allowed=filter_mask(shelf, request.filters))
        return self.stage.find(request) if request.queries else Found.nothing(0)

    @property
    def facts(self) -> dict[str, object]:
        """What a card records of the pipeline: each stage with what decides its results."""
        return {"pipeline": str(self), "stages": stage_facts(self.stage)}


def ranking_table(found: Found, ids: tuple[str, ...], shelf: Shelf) -> RankingTable:
    """Return rankings by question; a question that failed has no rows and its reason."""
    answered = np.asarray([i for i in range(found.queries) if i not in found.failed], dtype=np.int64)
    lengths = np.diff(found.starts)[answered]
    return RankingTable(
        questions=pl.Series("question", [ids[i] for i in answered.tolist()], dtype=pl.String),
        starts=starts_of(lengths),
        documents=pl.Series("document", shelf.ids(found.documents), dtype=pl.String),
        scores=found.scores,
        failed={ids[i]: reason for i, reason in found.failed.items()},
    )


def _checked(k: object) -> int:
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise InputError(f"k is {k!r}, expected a whole number above 0.")
    return k
