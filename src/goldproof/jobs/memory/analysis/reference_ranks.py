"""Lexical and dense reference ranks; vocabulary mismatch.

Both rank the memories that were stored when the query was asked and that satisfy its filters. A memory that shares no
word with the query has no lexical rank. Where the extra `dense` is missing there are no dense ranks, and it is said
why. So it is for queries whose memories are too many to embed: at most MOST_EMBEDDED characters of distinct texts are,
for the first queries whose memories fit; by words all are ranked. A conversation is indexed once, as far as these
queries see it, so a word's weight is that of the conversation; what a query does not see is left out of its ranking.

Good is a rank within k. Near is one beyond k and within 2k: a larger k would bring it, and a reranker would read it.

    lexical good, dense poor          hybrid search, unless words are searched already
    dense good, lexical poor          the wording differs: an embedder like the reference, or hybrid search
    both poor                         the wording differs from both: query expansion, another embedder
    near, by the system's own rank    a larger k, re-ranking

The system's own rank is that of the deeper search; where there is none, the better one of the two stands for it. Where
the system itself ranks the memory within k the wording is not what kept it out, and nothing is advised. In a small pool
a good rank says little: how many were ranked is said.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from goldproof.errors import InputError, MissingExtraError
from goldproof.jobs.memory.analysis.findings import Advice, documents_of, pool_key, satisfies
from goldproof.memory.memory import share_embedders
from goldproof.retrieve import bm25, dense
from goldproof.retrieve.stage import Request

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from goldproof.io.scenarios.scenario import MemoryItem
    from goldproof.jobs.memory.analysis.deeper_search import SystemKind
    from goldproof.jobs.memory.records import Answered
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
class _Ranked:
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


def _all_places(pipeline: Pipeline, conversations: Sequence[_Conversation]) -> dict[str, dict[str, _Ranked]]:
    if conversations:
        share_embedders(pipeline.stage)
    places: dict[str, dict[str, _Ranked]] = {}
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
) -> dict[str, dict[str, _Ranked]]:
    """Ask queries of the same pool and filters; all memories that they see are ranked."""
    request = Request(tuple(row.query.text for row in rows), len(memories), allowed=_seen(rows[0], memories))
    found = pipeline.find(request)
    documents, scores, bounds = found.documents.tolist(), found.scores.tolist(), found.starts.tolist()
    answers: dict[str, dict[str, _Ranked]] = {}
    for number, row in enumerate(rows):
        start, end = bounds[number], bounds[number + 1]
        answers[row.key] = {memories[documents[i]].id: _Ranked(i - start + 1, scores[i]) for i in range(start, end)}
    return answers


def _seen(row: Answered, memories: tuple[MemoryItem, ...]) -> BoolArray:
    """Return which memories were stored when a query was asked, and satisfy its filters."""
    seen = {memory.id for memory in row.pool if satisfies(row.query.filters, memory)}
    return np.fromiter((memory.id in seen for memory in memories), dtype=np.bool_, count=len(memories))


def _joined(words: Mapping[str, _Ranked], meaning: Mapping[str, _Ranked]) -> dict[str, Ranks]:
    joined: dict[str, Ranks] = {}
    for memory in (*words, *(one for one in meaning if one not in words)):
        by_words, by_meaning = words.get(memory), meaning.get(memory)
        joined[memory] = Ranks(
            lexical=None if by_words is None else by_words.rank,
            dense=None if by_meaning is None else by_meaning.rank,
            similarity=None if by_meaning is None else by_meaning.score,
        )
    return joined


@dataclass(frozen=True, slots=True)
class MissingMemory:
    """What is known of one missing memory.

    ranked: how many memories have a dense rank. own_rank: by the system's own deeper search, where there is one.
    besides: what must change with k, for it to come. reranked: there is a reranker, which says the rest. no_dense: why
    there is no dense rank.
    """

    memory: str
    ranks: Ranks
    k: int
    ranked: int
    kind: SystemKind = "unknown"
    own_rank: int | None = None
    besides: str = ""
    reranked: bool = False
    no_dense: str = ""

    @property
    def lexical(self) -> bool:
        """Whether words find it."""
        return self.ranks.lexical is not None and self.ranks.lexical <= self.k

    @property
    def dense(self) -> bool:
        """Whether the reference embedder finds it."""
        return self.ranks.dense is not None and self.ranks.dense <= self.k

    @property
    def system_rank(self) -> int | None:
        """The rank by the system, or what stands for it."""
        if self.own_rank is not None or self.kind != "unknown":
            return self.own_rank
        return min((rank for rank in (self.ranks.lexical, self.ranks.dense) if rank is not None), default=None)

    @property
    def near(self) -> bool:
        """Whether the system ranks it beyond k and within 2k."""
        return self.system_rank is not None and self.k < self.system_rank <= 2 * self.k


class Wording(NamedTuple):
    """What the ranks say, in a sentence, and the advice that rests on them."""

    sentence: str = ""
    advice: tuple[Advice, ...] = ()


def wording_of(situation: MissingMemory) -> Wording:
    """Compare the two ranks with k."""
    sentence = f"{_lexical(situation)}, {_dense(situation)}: {_verdict(situation)}."
    if situation.own_rank is not None and situation.own_rank <= situation.k:
        return Wording(sentence)
    return Wording(sentence, (*_by_wording(situation), *_by_nearness(situation)))


def _verdict(situation: MissingMemory) -> str:
    lexical, dense = situation.lexical, situation.dense
    if situation.no_dense:
        return "the words find it" if lexical else "wording mismatch as far as words go"
    if lexical and dense:
        return "the wording is no obstacle to either"
    if lexical:
        return "the words find it, the meaning does not"
    return "wording mismatch, the meaning finds it" if dense else "wording mismatch, neither finds it"


def _by_wording(situation: MissingMemory) -> Iterator[Advice]:
    lexical, dense, memory = situation.lexical, situation.dense, situation.memory
    if lexical and not dense:
        if situation.kind != "lexical":
            yield Advice("G", _hybrid(situation.kind, "lexical"), memory)
    elif dense and not lexical:
        if situation.kind != "hybrid":
            yield Advice("A", "the reference embedder (minilm) ranks it within k", memory)
        if situation.kind != "dense":
            yield Advice("G", _hybrid(situation.kind, "dense"), memory)
    elif not lexical and not situation.near:
        yield Advice("C", "other words for the query may reach it", memory)
        if not situation.no_dense:
            yield Advice("A", "the reference embedder (minilm) does not rank it within k; another may", memory)


def _by_nearness(situation: MissingMemory) -> Iterator[Advice]:
    if not situation.near or situation.reranked:
        return
    rank, twice = situation.system_rank, 2 * situation.k
    if situation.own_rank is None:
        yield Advice("B", f"the better reference rank is {rank}: k = {rank} may bring it", situation.memory)
        yield Advice(
            "D", f"the better reference rank is {rank}: a reranker that reads {twice} may see it", situation.memory
        )
    else:
        yield Advice("B", f"its own rank is {rank}: k = {rank}{situation.besides} would bring it", situation.memory)
        yield Advice("D", f"its own rank is {rank}: a reranker that reads {twice} would see it", situation.memory)


def _hybrid(kind: SystemKind, part: str) -> str:
    if kind == "hybrid":
        return f"a larger weight for the {part} part of the hybrid may raise it"
    return f"a {part} part beside the system's own ranks it within k"


def _lexical(situation: MissingMemory) -> str:
    rank = situation.ranks.lexical
    return "lexical rank none (no word in common)" if rank is None else f"lexical rank {rank}"


def _dense(situation: MissingMemory) -> str:
    if situation.no_dense:
        return f"dense rank not known ({situation.no_dense})"
    return f"dense rank {situation.ranks.dense} of {situation.ranked}"
