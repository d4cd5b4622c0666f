"""Search traces as columns: the searches of an agent in the last turn of each conversation, and their results.

A conversation has turns, a turn has iterations, an iteration has searches, a search has results. Only the last turn is
scored, and only iterations in which search was invoked count, so nothing else is here. The levels are nested as group
starts: the iterations of conversation c are `iteration_starts[c]:iteration_starts[c + 1]`, the searches of iteration j
are `search_starts[j]:search_starts[j + 1]`, the results of search s are `result_starts[s]:result_starts[s + 1]`. Tables
are frozen, and their arrays are never changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import numpy.typing as npt
    import polars as pl

    from goldproof.records.arrays import IntArray

UNLABELLED = -1
HIGHEST_GAIN = 4
RESULT_COLUMNS = ("id", "url", "title", "snippet", "type")
Fields = dict[str, object]
_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class ResultTable:
    """Results in the order in which they were returned, search by search.

    columns: those of `RESULT_COLUMNS` that the file has, and no others, as text (null where a result lacks it, never
    empty text); `id` may be whole numbers instead. Without any of them it has the right height all the same.
    fields: what else is known of each result (sender, path, author, ...); None where no result has any.
    gains: 0 to 4, or UNLABELLED.
    """

    columns: pl.DataFrame
    gains: npt.NDArray[np.int8]
    fields: Sequence[Fields | None] | None = None

    def __len__(self) -> int:
        return len(self.gains)


@dataclass(frozen=True, slots=True, eq=False)
class TraceTable:
    """The last turns of some conversations.

    clusters: null where none is given. questions: the id by which labels beside the trace are looked up (the turn's
    own question id, else the conversation's id). texts: the words of the question, null where not given.
    queries: what each search asked for, null where not given. failed_searches: the searches that ended in an error, as
    positions. failed: conversations for which the system crashed -> why; they have no iterations.
    """

    conversations: pl.Series
    clusters: pl.Series
    questions: pl.Series
    texts: pl.Series
    iteration_starts: IntArray
    search_starts: IntArray
    result_starts: IntArray
    queries: pl.Series
    results: ResultTable
    failed_searches: IntArray
    failed: Mapping[str, str] = field(default_factory=lambda: _NOTHING)

    @property
    def results_by_iteration(self) -> IntArray:
        """Group starts of results per iteration."""
        starts: IntArray = self.result_starts[self.search_starts]
        return starts

    @property
    def results_by_conversation(self) -> IntArray:
        """Group starts of results per conversation."""
        starts: IntArray = self.results_by_iteration[self.iteration_starts]
        return starts

    def only(self, position: int) -> TraceTable:
        """Return a single conversation, by its position."""
        conversation = slice(position, position + 1)
        iterations = slice(*self.iteration_starts[position : position + 2])
        searches = slice(*self.search_starts[[iterations.start, iterations.stop]])
        rows = slice(*self.result_starts[[searches.start, searches.stop]])
        inside = (self.failed_searches >= searches.start) & (self.failed_searches < searches.stop)
        fields = self.results.fields
        return TraceTable(
            conversations=self.conversations[conversation],
            clusters=self.clusters[conversation],
            questions=self.questions[conversation],
            texts=self.texts[conversation],
            iteration_starts=self.iteration_starts[position : position + 2] - iterations.start,
            search_starts=self.search_starts[iterations.start : iterations.stop + 1] - searches.start,
            result_starts=self.result_starts[searches.start : searches.stop + 1] - rows.start,
            queries=self.queries[searches],
            results=ResultTable(
                columns=self.results.columns[rows],
                gains=self.results.gains[rows],
                fields=None if fields is None else fields[rows],
            ),
            failed_searches=self.failed_searches[inside] - searches.start,
            failed={name: why for name, why in self.failed.items() if name == self.conversations[position]},
        )
