"""Two rankings to compare with, whatever the system: by words (bm25) and by meaning (dense, minilm).

Both rank the memories that were stored when the query was asked and that satisfy its filters. A memory that shares no
word with the query has no lexical rank. Where the extra `dense` is missing there are no dense ranks, and it is said
why. So it is for queries whose memories are too many to embed: at most MOST_EMBEDDED characters of distinct texts are,
for the first queries whose memories fit; by words all are ranked. A conversation is indexed once, as far as these
queries see it, so a word's weight is that of the conversation; what a query does not see is left out of its ranking.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from goldproof.errors import InputError, MissingExtraError
from goldproof.jobs.memory.analysis.stored import documents_of, passes, pool_key
from goldproof.memory.memory import keep_models
from goldproof.retrieve import bm25, dense
from goldproof.retrieve.stage import Request

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from goldproof.io.scenarios.scenario import MemoryItem
    from goldproof.jobs.memory.answered import Answered
    from goldproof.records.arrays import BoolArray
    from goldproof.retrieve import Pipeline


# Embedding costs about 57 ms of one core for a text of 1,000 characters, hence two minutes for all of this: what a
# reader waits for an explanation. Conversations of 480,000 characters, one for each of 200 queries, would cost hours.
MOST_EMBEDDED = 2_000_000
TOO_MANY = (
    f"too many texts to embed for this: in one analysis at most {MOST_EMBEDDED:,} characters of memories are embedded"
)


@dataclass(frozen=True, slots=True)
class Ranks:
    """The rank of one memory for one query, from 1, by words and by meaning; similarity: the cosine of the second."""

    lexical: int | None = None
    dense: int | None = None
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class References:
    """The ranks of the memories of many queries; no_dense: by query, why it has no dense ranks, where it has none."""

    ranks: Mapping[str, Mapping[str, Ranks]] = field(default_factory=dict)
    no_dense: Mapping[str, str] = field(default_factory=dict)

    def of(self, key: str) -> Mapping[str, Ranks]:
        """Return the ranks for a query, by memory; a memory that no ranking has is not there."""
        return self.ranks.get(key, {})

    def why_no_dense(self, key: str) -> str:
        """Return why a query has no dense ranks; empty where it has them."""
        return self.no_dense.get(key, "")


@dataclass(frozen=True, slots=True)
class _Place:
    rank: int
    score: float


def reference_ranks(rows: Sequence[Answered]) -> References:
    """Rank the memories for these queries."""
    words = _all_places(bm25(), _conversations(rows))
    fitting = _fitting(rows)
    no_dense = {row.key: TOO_MANY for row in rows if row.key not in fitting}
    try:
        meaning = _all_places(dense("minilm"), _conversations(row for row in rows if row.key in fitting))
    except (MissingExtraError, InputError) as error:  # not installed, or no folder for the vectors
        meaning, no_dense = {}, {row.key: str(error) for row in rows}
    ranks = {key: _joined(places, meaning.get(key, {})) for key, places in words.items()}
    return References(ranks, no_dense)


def _fitting(rows: Iterable[Answered]) -> frozenset[str]:
    """Return the queries whose memories are embedded: in their order, each whose new texts still fit."""
    taken: set[str] = set()
    keys, left = [], MOST_EMBEDDED
    for row in rows:
        new = {memory.content for memory in row.pool} - taken
        cost = sum(len(text) for text in new)
        if cost <= left:
            taken |= new
            left -= cost
            keys.append(row.key)
    return frozenset(keys)


@dataclass(frozen=True, slots=True)
class _Conversation:
    """The memories that some of these queries see, and the queries."""

    memories: tuple[MemoryItem, ...]
    rows: tuple[Answered, ...]


def _conversations(rows: Iterable[Answered]) -> list[_Conversation]:
    groups: dict[str, list[Answered]] = {}
    for row in rows:
        if row.pool:
            groups.setdefault(row.scenario.id, []).append(row)
    found = []
    for group in groups.values():
        longest_first = sorted(group, key=lambda row: -len(row.pool))
        memories = {memory.id: memory for row in longest_first for memory in row.pool}
        found.append(_Conversation(tuple(memories.values()), tuple(group)))
    return found


def _all_places(pipeline: Pipeline, conversations: Sequence[_Conversation]) -> dict[str, dict[str, _Place]]:
    if conversations:
        keep_models(pipeline.stage)
    places: dict[str, dict[str, _Place]] = {}
    with pipeline:
        for conversation in conversations:
            pipeline.index(documents_of(conversation.memories))
            alike: dict[object, list[Answered]] = {}
            for row in conversation.rows:
                alike.setdefault((pool_key(row), repr(row.query.filters)), []).append(row)
            for rows in alike.values():
                places |= _asked(pipeline, rows, memories=conversation.memories)
    return places


def _asked(
    pipeline: Pipeline, rows: Sequence[Answered], *, memories: tuple[MemoryItem, ...]
) -> dict[str, dict[str, _Place]]:
    """Ask queries of the same pool and filters; all memories that they see are ranked."""
    request = Request(tuple(row.query.text for row in rows), len(memories), allowed=_seen(rows[0], memories))
    found = pipeline.find(request)
    documents, scores, bounds = found.documents.tolist(), found.scores.tolist(), found.starts.tolist()
    answers: dict[str, dict[str, _Place]] = {}
    for number, row in enumerate(rows):
        start, end = bounds[number], bounds[number + 1]
        answers[row.key] = {memories[documents[i]].id: _Place(i - start + 1, scores[i]) for i in range(start, end)}
    return answers


def _seen(row: Answered, memories: tuple[MemoryItem, ...]) -> BoolArray:
    """Return which memories were stored when a query was asked, and satisfy its filters."""
    seen = {memory.id for memory in row.pool if passes(row.query.filters, memory)}
    return np.fromiter((memory.id in seen for memory in memories), dtype=np.bool_, count=len(memories))


def _joined(words: Mapping[str, _Place], meaning: Mapping[str, _Place]) -> dict[str, Ranks]:
    joined: dict[str, Ranks] = {}
    for memory in (*words, *(one for one in meaning if one not in words)):
        by_words, by_meaning = words.get(memory), meaning.get(memory)
        joined[memory] = Ranks(
            lexical=None if by_words is None else by_words.rank,
            dense=None if by_meaning is None else by_meaning.rank,
            similarity=None if by_meaning is None else by_meaning.score,
        )
    return joined
