"""Conversations that become a table: plain lists that grow, and are turned into columns all at once."""

from __future__ import annotations

from itertools import accumulate
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from goldproof.core.traces import TraceTable
from goldproof.io.jsonl import BadRecordError
from goldproof.io.traces.result_lists import BadResultError, ResultLists

if TYPE_CHECKING:
    from goldproof.core.arrays import IntArray
    from goldproof.io.traces.conversation import Conversation


class TraceBatch:
    """The conversations collected so far."""

    def __init__(self) -> None:
        self._conversations: list[str] = []
        self._clusters: list[str | None] = []
        self._questions: list[str] = []
        self._texts: list[str | None] = []
        self._iterations: list[int] = []  # per conversation
        self._searches: list[int] = []  # per iteration
        self._counts: list[int] = []  # results per search
        self._queries: list[str | None] = []
        self._failed_searches: list[int] = []
        self._failed: dict[str, str] = {}
        self._results = ResultLists()

    def __len__(self) -> int:
        return len(self._conversations)

    @property
    def size(self) -> int:
        """How much is in it: results, and what stands for a conversation or a search that has none."""
        return len(self._results) + len(self._counts) + len(self._conversations)

    def add(self, found: Conversation) -> None:
        """Add a conversation; where a result is bad, nothing of it is added."""
        try:
            self._results.extend(found.results)
        except BadResultError as error:
            raise BadRecordError(f"{found.place(error.index)}: {error}") from error
        self._failed_searches += [len(self._queries) + position for position in found.failed_searches]
        self._conversations.append(found.id)
        self._clusters.append(found.cluster)
        self._questions.append(found.question or found.id)
        self._texts.append(found.text)
        self._iterations.append(len(found.iterations))
        self._searches += found.iterations
        self._counts += found.counts
        self._queries += found.queries
        if found.failure is not None:
            self._failed[found.id] = found.failure

    def table(self) -> TraceTable:
        """Return what was collected."""
        return TraceTable(
            conversations=pl.Series("conversation", self._conversations, dtype=pl.String),
            clusters=pl.Series("cluster", self._clusters, dtype=pl.String),
            questions=pl.Series("question", self._questions, dtype=pl.String),
            texts=pl.Series("text", self._texts, dtype=pl.String),
            iteration_starts=_starts(self._iterations),
            search_starts=_starts(self._searches),
            result_starts=_starts(self._counts),
            queries=pl.Series("query", self._queries, dtype=pl.String),
            results=self._results.table(),
            failed_searches=np.asarray(self._failed_searches, dtype=np.int64),
            failed=MappingProxyType(self._failed),
        )


def _starts(counts: list[int]) -> IntArray:
    return np.fromiter(accumulate(counts, initial=0), dtype=np.int64, count=len(counts) + 1)
