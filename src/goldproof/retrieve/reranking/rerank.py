"""Reranking: the first results of a source are read again by something better and slower, and the best are kept.

The preset takes 10 and keeps 3. Documents are ordered by the new score; among equal ones the source's order stands (and
that follows the one rule of ties). So that the order shows in the scores, a score that is not below the one before it
is lowered by a millionth. Similarities of the source are kept. A query that cannot be scored fails, with its reason.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

import numpy as np

from goldproof.errors import InputError
from goldproof.retrieve.attempts import ask_all
from goldproof.retrieve.falling import falling
from goldproof.retrieve.found import Found, starts_of
from goldproof.retrieve.reranking.rerankers import open_reranker
from goldproof.retrieve.shelf import searched_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.retrieve.attempts import Answer
    from goldproof.retrieve.reranking.rerankers import Judged
    from goldproof.retrieve.shelf import Shelf
    from goldproof.retrieve.stage import Request, Stage


class _Chosen(NamedTuple):
    """Rows of the source in their new order, with their new scores."""

    rows: list[int]
    scores: list[float]


class Rerank:
    """The best of what a source found, by another judge.

    by: `llm:MODEL`, `cross-encoder:NAME`, `module:function`, or a function (query, texts) -> scores. depth: how many
    are read. keep: how many are returned at most.
    """

    kind: ClassVar[Literal["source", "step", "query step"]] = "step"

    def __init__(self, source: Stage, by: object, *, depth: int = 10, keep: int = 3) -> None:
        if not 1 <= keep <= depth:
            raise InputError(
                f"rerank: depth={depth}, keep={keep}; expected keep of at least 1, and no more than depth."
            )
        self.source = source
        self.depth, self.keep = depth, keep
        self.reranker = open_reranker(by)
        self._shelf: Shelf | None = None

    @property
    def concurrency(self) -> int:
        """How many queries may be asked at once."""
        return self.reranker.concurrency

    @property
    def facts(self) -> dict[str, object]:
        """What a card records of it."""
        source = getattr(self.reranker, "source", None)
        by = {"by": self.reranker.key} if source is None else {"by": self.reranker.key, "source": source}
        return {**by, "depth": self.depth, "keep": self.keep}

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was done on the way, in sentences."""
        return self.reranker.remarks

    def index(self, shelf: Shelf) -> None:
        """Pass the documents on."""
        self.source.index(shelf)
        self._shelf = shelf

    def find(self, request: Request) -> Found:
        """Read the first results of each query again."""
        if self._shelf is None:
            raise InputError("rerank: nothing is indexed yet; call index first.")
        found = self.source.find(replace(request, k=self.depth)).cut(self.depth)
        pairs = _judged(found, request.queries, self._shelf)
        answers = ask_all(self._score, pairs, concurrency=self.reranker.concurrency)
        return _chosen(found, answers, keep=min(self.keep, request.k))

    def _score(self, judged: Judged) -> list[float]:
        return self.reranker.score(judged) if judged[1] else []


def _judged(found: Found, queries: tuple[str, ...], shelf: Shelf) -> list[Judged]:
    documents = [shelf.at(position) for position in found.documents.tolist()]
    texts = [(document.id, searched_text(document)) for document in documents]
    bounds = found.starts.tolist()
    return [(query, tuple(texts[bounds[i] : bounds[i + 1]])) for i, query in enumerate(queries)]


def _chosen(found: Found, answers: Sequence[Answer[list[float]]], *, keep: int) -> Found:
    failed = dict(found.failed)
    chosen = []
    for number, answer in enumerate(answers):
        if answer.failure is not None:
            failed[number] = f"rerank: {answer.failure}"
        chosen.append(_best(answer.value or [], int(found.starts[number]), keep=keep))
    rows = np.asarray([row for one in chosen for row in one.rows], dtype=np.int64)
    return Found(
        starts=starts_of(np.asarray([len(one.rows) for one in chosen], dtype=np.int64)),
        documents=found.documents[rows],
        scores=np.asarray([score for one in chosen for score in one.scores], dtype=np.float64),
        similarity=None if found.similarity is None else found.similarity[rows],
        failed=dict(sorted(failed.items())),
    )


def _best(scores: Sequence[float], start: int, *, keep: int) -> _Chosen:
    order = sorted(range(len(scores)), key=lambda i: (-scores[i], i))[:keep]
    return _Chosen([start + i for i in order], falling(scores[i] for i in order))
