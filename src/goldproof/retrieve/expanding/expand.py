"""Query expansion: the source is asked the query with further words after it.

The words come from the neighbours of the query's words by an embedder (`expand(minilm)`), from a model
(`expand("llm:NAME")`) or from a list (a mapping, or a YAML file of `word: [synonym, ...]`);
`goldproof.retrieve.expanding.synonyms` says how. At most `terms` are added in all, best first. `expanded(query)` shows
what a query becomes.

A query for which the model failed has failed, with the reason; the others are asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from goldproof.checks import number, whole
from goldproof.closeable import HasClose
from goldproof.errors import InputError
from goldproof.retrieve.attempts import ask_all
from goldproof.retrieve.expanding.synonyms import Asked, Listed, Neighbours, Synonyms, read_synonyms
from goldproof.retrieve.found import Found, starts_of

if TYPE_CHECKING:
    from goldproof.embed.embedder import Embedder
    from goldproof.llm.model import TextModel
    from goldproof.retrieve.shelf import Shelf
    from goldproof.retrieve.stage import Request, Stage

# Chosen for minilm: below it, neighbours tend to be related words rather than synonyms (subsonic for supersonic).
LEAST = 0.85
_MODEL = "llm:"


class Expand:
    """Adds words to queries.

    by: an embedder or its name, `llm:NAME` or a model, a mapping of synonyms or a path to a YAML file of them.
    least: the cosine that a neighbour must have; for embedders only.
    """

    kind: ClassVar[Literal["source", "step", "query step"]] = "query step"

    def __init__(
        self,
        source: Stage,
        by: str | Embedder | TextModel | Mapping[str, Sequence[str]] = "minilm",
        *,
        terms: int = 5,
        least: float = LEAST,
    ) -> None:
        self.source = source
        self.terms = whole(terms, "terms", stage="expand")
        self.least = number(least, "least", stage="expand", above=-1)
        if self.least > 1:
            raise InputError(f"expand: least is {least!r}, expected a cosine of at most 1.")
        self.synonyms = self._open(by)

    @property
    def facts(self) -> Mapping[str, object]:
        """What decides its results."""
        return {**self.synonyms.facts, "terms": self.terms}

    @property
    def concurrency(self) -> int | None:
        """How many queries may be asked at once; None where no model is waited for."""
        return self.synonyms.concurrency

    def index(self, shelf: Shelf) -> None:
        """Get the words of the corpus and the source ready."""
        self.synonyms.index(shelf)
        self.source.index(shelf)

    def find(self, request: Request) -> Found:
        """Ask the source the longer queries."""
        queries, failed = self._expand_all(request.queries)
        rows = [i for i in range(len(queries)) if i not in failed]
        ids = tuple(request.ids[i] for i in rows) if request.ids else ()
        asked = replace(request, queries=tuple(queries[i] for i in rows), ids=ids)
        found = self.source.find(asked) if rows else Found.nothing(0)
        return _spread(found, rows, failed) if failed else found

    def close(self) -> None:
        """Let go of the file of vectors until a word is embedded."""
        if isinstance(self.synonyms, HasClose):
            self.synonyms.close()

    def expanded(self, query: str) -> str:
        """Return what a query becomes."""
        return " ".join((query, *self.synonyms.of(query, terms=self.terms)))

    def _expand_all(self, queries: tuple[str, ...]) -> tuple[list[str], dict[int, str]]:
        if self.synonyms.concurrency is None:
            return [self.expanded(query) for query in queries], {}
        answers = ask_all(self.expanded, queries, concurrency=self.synonyms.concurrency)
        failed = {i: f"expand: {answer.failure}" for i, answer in enumerate(answers) if answer.failure is not None}
        return [answer.value or "" for answer in answers], failed

    def _open(self, by: str | Embedder | TextModel | Mapping[str, Sequence[str]]) -> Synonyms:
        if isinstance(by, Mapping):
            return Listed(by)
        if isinstance(by, str) and by.endswith((".yaml", ".yml")):
            return Listed(read_synonyms(Path(by)))
        if (isinstance(by, str) and by.startswith(_MODEL)) or hasattr(by, "ask"):
            from goldproof.llm.model import open_model  # noqa: PLC0415 - loads the models only where one is asked

            return Asked(open_model(by.removeprefix(_MODEL) if isinstance(by, str) else by))
        from goldproof.embed.embedder import open_embedder  # noqa: PLC0415 - loads the embedders only where one is needed

        return Neighbours(open_embedder(by), least=self.least)


def _spread(found: Found, rows: list[int], failed: Mapping[int, str]) -> Found:
    """Put the answers to some queries in their places among all."""
    lengths = np.zeros(len(rows) + len(failed), dtype=np.int64)
    lengths[rows] = np.diff(found.starts)
    reasons = {**failed, **{rows[i]: reason for i, reason in found.failed.items()}}
    return replace(found, starts=starts_of(lengths), failed=dict(sorted(reasons.items())))
