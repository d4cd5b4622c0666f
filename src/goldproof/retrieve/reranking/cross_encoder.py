"""A cross-encoder as a reranker: sentence-transformers' `CrossEncoder`, by name or from a local folder.

The pairs of one query are scored in one call and never together with those of another: padding to the longest pair of a
batch moves the last digits, and a score must not depend on what else was asked.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Protocol

from goldproof.errors import InputError, reason_of
from goldproof.retrieve.attempts import FailedAnswer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class PairModel(Protocol):
    """What is used of a `CrossEncoder`."""

    def predict(self, pairs: Sequence[tuple[str, str]], **settings: Any) -> Any:  # noqa: ANN401 - an array of theirs
        """Return a score per pair."""


def open_cross_encoder(name: str) -> Callable[[str, Sequence[str]], list[float]]:
    """Load a cross-encoder and return it as a function (query, texts) -> scores."""
    try:
        package = importlib.import_module("sentence_transformers")
    except ModuleNotFoundError as error:
        raise InputError(
            f"rerank: cross-encoder:{name} needs a package that is not here: pip install sentence-transformers"
        ) from error
    try:
        model: PairModel = package.CrossEncoder(name)
    except Exception as error:
        # Theirs may raise anything from a missing file to a failed download: all mean that it cannot be loaded.
        raise InputError(f"rerank: cross-encoder:{name} cannot be loaded: {reason_of(error)}") from error
    return scores_of(model)


def scores_of(model: PairModel) -> Callable[[str, Sequence[str]], list[float]]:
    """Return a function that scores the texts of one query."""

    def score(query: str, texts: Sequence[str]) -> list[float]:
        predicted = model.predict([(query, text) for text in texts], show_progress_bar=False)
        if getattr(predicted, "ndim", 1) != 1:
            raise FailedAnswer(
                f"the cross-encoder gives {predicted.shape[-1]} numbers per pair; expected a model with one label."
            )
        return [float(one) for one in predicted]

    return score
