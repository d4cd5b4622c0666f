"""What reranks, by name: a model that grades, a cross-encoder, or a function of the user's."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast

from goldproof.errors import InputError, kind_of, shown
from goldproof.plugins import load_user_object, name_of, source_sha256
from goldproof.retrieve.attempts import FailedAnswer

if TYPE_CHECKING:
    from collections.abc import Callable

# A query with the (id, text) of each document found for it.
Judged: TypeAlias = "tuple[str, tuple[tuple[str, str], ...]]"
EXPECTED = "llm:MODEL, cross-encoder:NAME, module:function, or a function (query, texts) -> scores"


class Reranker(Protocol):
    """Something that scores the documents found for a query."""

    @property
    def key(self) -> str:
        """Its name, with all that changes its scores."""

    @property
    def concurrency(self) -> int:
        """How many queries may be asked at once."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was done on the way, in sentences."""

    def score(self, judged: Judged) -> list[float]:
        """Return a score per document, higher is better; raises where it cannot."""


def open_reranker(by: object) -> Reranker:
    """Return the reranker that a name stands for, or the function itself as one."""
    if isinstance(by, str):
        kind, _, name = by.partition(":")
        if not kind.strip() or not name.strip():
            raise InputError(f"rerank: {by!r} is not known; expected {EXPECTED}.")
        if kind == "llm":
            from goldproof.retrieve.reranking.llm_reranker import LlmReranker  # noqa: PLC0415 - only where a model is asked

            return LlmReranker(name)
        if kind == "cross-encoder":
            from goldproof.retrieve.reranking.cross_encoder import open_cross_encoder  # noqa: PLC0415 - loads torch

            return FunctionReranker(open_cross_encoder(name), by)
    function = load_user_object(by, where="rerank") if isinstance(by, str) else by
    if callable(getattr(function, "score", None)) and hasattr(function, "concurrency"):
        return cast("Reranker", function)
    if not callable(function) or isinstance(function, type):
        raise InputError(f"rerank: {shown(by)} is {kind_of(function)}; expected {EXPECTED}.")
    own = getattr(function, "key", None)
    key = own if isinstance(own, str) and own else name_of(by)
    return FunctionReranker(function, key, source=source_sha256(by))


class FunctionReranker:
    """A function (query, texts) -> scores; source: the sha256 of the file in which it is written."""

    concurrency = 1
    remarks: tuple[str, ...] = ()

    def __init__(self, function: Callable[..., Any], key: str, *, source: str | None = None) -> None:
        self._function = function
        self.key = key
        self.source = source

    def score(self, judged: Judged) -> list[float]:
        """Return a score per document, checked."""
        query, documents = judged
        return checked_scores(self._function(query, [text for _, text in documents]), len(documents), self.key)


def checked_scores(returned: Any, expected: int, key: str) -> list[float]:  # noqa: ANN401 - the user's
    """Return the scores as floats; a wrong number of them, or one that is no finite number, fails the query."""
    try:
        scores = [float(score) for score in returned]
    except (TypeError, ValueError):
        raise FailedAnswer(f"{key} returned {shown(returned)}; expected {expected} numbers, one per text.") from None
    if len(scores) != expected:
        raise FailedAnswer(f"{key} returned {len(scores)} scores for {expected} texts; expected one per text.")
    wrong = next((score for score in scores if not math.isfinite(score)), None)
    if wrong is not None:
        raise FailedAnswer(f"{key} returned the score {wrong}; expected finite numbers.")
    return scores
