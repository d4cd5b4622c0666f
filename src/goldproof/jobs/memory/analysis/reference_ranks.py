"""Compare lexical and dense reference ranks of missing memories, to detect vocabulary mismatch.

Both rank the memories that were stored when the query was asked and that satisfy its filters. A memory that shares no
content word with the query has no lexical rank. Without the extra `dense` there are no dense ranks, and the diagnosis
says why. The same holds for queries whose memories are too many to embed: at most MOST_EMBEDDED characters of distinct
texts are embedded, for the first queries whose memories fit; lexical ranks have no limit. A conversation is indexed
once, as far as these queries see it, so a word's weight is that of the conversation; memories that a query does not see
are left out of its ranking.

A rank within k is good. One beyond k and within 2k is near: a larger k would bring it, and a reranker would read it.

    lexical good, dense poor          hybrid search, unless words are searched already
    dense good, lexical poor          the wording differs: hybrid search, or an embedder like the reference
    both poor                         the wording differs from both: query expansion, another embedder
    near, by the system's own rank    a larger k, re-ranking

Another embedder is advised only to a pipeline that has one. Of a system of the user's it is not known how it searches.

The system's own rank is that of the deeper search; where there is none, the better of the two is taken for it. Where
the system itself ranks the memory within k the wording is not what kept it out, and nothing is advised. In a small pool
a good rank says little, so the number of ranked memories is given.
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

# Embedding costs about 57 ms of one core for a text of 1,000 characters, so this much takes two minutes: as long as a
# reader would wait. Conversations of 480,000 characters, one for each of 200 queries, would take hours.
MOST_EMBEDDED = 2_000_000
TOO_MANY = (
    f"too many texts to embed for this: in one analysis at most {MOST_EMBEDDED:,} characters of memories are embedded"
)


@dataclass(frozen=True, slots=True)
class Ranks:
    """The lexical and the dense rank of one memory for one query, from 1; similarity: the cosine of the dense one."""

    lexical: int | None = None
    dense: int | None = None
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class References:
    """The ranks of the memories of many queries; no_dense: query -> why it has no dense ranks."""

    ranks: Mapping[str, Mapping[str, Ranks]] = field(default_factory=dict)
    no_dense: Mapping[str, str] = field(default_factory=dict)

    def of(self, key: str) -> Mapping[str, Ranks]:
        """Return the ranks for a query, by memory; a memory without any rank is left out."""
        return self.ranks.get(key, {})

    def why_no_dense(self, key: str) -> str:
        """Return why a query has no dense ranks; empty where it has them."""
        return self.no_dense.get(key, "")


@dataclass(frozen=True, slots=True)
class _Ranked:
    rank: int
    score: float


def reference_ranks(rows: Sequence[Answered]) -> References:
    """Rank the memories of each query by BM25 and by MiniLM."""
    lexical = _rank_all(bm25(), _conversations(rows))
    fitting = _fitting(rows)
    no_dense = {row.key: TOO_MANY for row in rows if row.key not in fitting}
    try:
        by_meaning = _rank_all(dense("minilm"), _conversations(row for row in rows if row.key in fitting))
    except (MissingExtraError, InputError) as error:  # not installed, or no folder for the vectors
        by_meaning, no_dense = {}, {row.key: str(error) for row in rows}
    ranks = {key: _joined(ranking, by_meaning.get(key, {})) for key, ranking in lexical.items()}
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
    conversations = []
    for group in groups.values():
        longest_first = sorted(group, key=lambda row: -len(row.pool))
        memories = {memory.id: memory for row in longest_first for memory in row.pool}
        conversations.append(_Conversation(tuple(memories.values()), tuple(group)))
    return conversations


def _rank_all(pipeline: Pipeline, conversations: Sequence[_Conversation]) -> dict[str, dict[str, _Ranked]]:
    if conversations:
        share_embedders(pipeline.stage)
    rankings: dict[str, dict[str, _Ranked]] = {}
    with pipeline:
        for conversation in conversations:
            pipeline.index(documents_of(conversation.memories))
            alike: dict[object, list[Answered]] = {}
            for row in conversation.rows:
                alike.setdefault((pool_key(row), repr(row.query.filters)), []).append(row)
            for rows in alike.values():
                rankings |= _rank(pipeline, rows, memories=conversation.memories)
    return rankings


def _rank(
    pipeline: Pipeline, rows: Sequence[Answered], *, memories: tuple[MemoryItem, ...]
) -> dict[str, dict[str, _Ranked]]:
    """Rank all memories that queries of the same pool and filters see."""
    request = Request(tuple(row.query.text for row in rows), len(memories), allowed=_seen(rows[0], memories))
    batch = pipeline.find(request)
    documents, scores, bounds = batch.documents.tolist(), batch.scores.tolist(), batch.starts.tolist()
    rankings: dict[str, dict[str, _Ranked]] = {}
    for number, row in enumerate(rows):
        start, end = bounds[number], bounds[number + 1]
        rankings[row.key] = {memories[documents[i]].id: _Ranked(i - start + 1, scores[i]) for i in range(start, end)}
    return rankings


def _seen(row: Answered, memories: tuple[MemoryItem, ...]) -> BoolArray:
    """Return which memories were stored when a query was asked, and satisfy its filters."""
    seen = {memory.id for memory in row.pool if satisfies(row.query.filters, memory)}
    return np.fromiter((memory.id in seen for memory in memories), dtype=np.bool_, count=len(memories))


def _joined(by_words: Mapping[str, _Ranked], by_meaning: Mapping[str, _Ranked]) -> dict[str, Ranks]:
    joined: dict[str, Ranks] = {}
    for memory in dict.fromkeys((*by_words, *by_meaning)):
        lexical, dense = by_words.get(memory), by_meaning.get(memory)
        joined[memory] = Ranks(
            lexical=None if lexical is None else lexical.rank,
            dense=None if dense is None else dense.rank,
            similarity=None if dense is None else dense.score,
        )
    return joined


@dataclass(frozen=True, slots=True)
class MissingMemory:
    """One missing memory with its ranks.

    ranked: how many memories have a rank. own_rank: by the system's own deeper search, where there is one. besides:
    what must change beside k for it to come. too_few: fewer than k came, so that k is not what kept it out. reranked:
    a reranker was not asked again, and has its own advice. no_dense: why there is no dense rank.
    """

    memory: str
    ranks: Ranks
    k: int
    ranked: int
    kind: SystemKind = "unknown"
    own_rank: int | None = None
    besides: str = ""
    too_few: bool = False
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
        """The rank by the system's own search, else the better reference rank."""
        if self.own_rank is not None or self.kind != "unknown":
            return self.own_rank
        return min((rank for rank in (self.ranks.lexical, self.ranks.dense) if rank is not None), default=None)

    @property
    def near(self) -> bool:
        """Whether the system ranks it beyond k and within 2k."""
        return self.system_rank is not None and self.k < self.system_rank <= 2 * self.k


class Wording(NamedTuple):
    """A sentence on the two ranks, and the advice that follows."""

    sentence: str = ""
    advice: tuple[Advice, ...] = ()


def wording_of(missing: MissingMemory) -> Wording:
    """Compare the two ranks with k, and advise."""
    sentence = f"{_lexical(missing)}, {_dense(missing)}: {_verdict(missing)}."
    if missing.own_rank is not None and missing.own_rank <= missing.k:
        return Wording(sentence)
    return Wording(sentence, (*_by_wording(missing), *_by_nearness(missing)))


def _verdict(missing: MissingMemory) -> str:
    lexical, dense = missing.lexical, missing.dense
    if missing.no_dense:
        return "words find it" if lexical else "words do not find it"
    if lexical and dense:
        return "words and embeddings both find it"
    if lexical:
        return "words find it, embeddings do not"
    return "worded differently, embeddings find it" if dense else "worded differently, neither finds it"


def _by_wording(missing: MissingMemory) -> Iterator[Advice]:
    lexical, dense, memory = missing.lexical, missing.dense, missing.memory
    embeds = missing.kind in ("dense", "hybrid")
    if lexical and not dense:
        if missing.kind != "lexical":
            yield Advice("G", _hybrid(missing, "lexical"), memory)
    elif dense and not lexical:
        if missing.kind == "dense":
            yield Advice("A", f"minilm ranks it {missing.ranks.dense} of {missing.ranked}", memory)
        else:
            yield Advice("G", _hybrid(missing, "dense"), memory)
    elif not lexical and not missing.near:
        finds = "BM25 does not rank it" if missing.no_dense else "neither BM25 nor minilm ranks it"
        yield Advice("C", f"{finds} within k; search with other words for the query too", memory)
        if embeds and not missing.no_dense:
            yield Advice("A", "minilm does not rank it within k; another model may", memory)


def _by_nearness(missing: MissingMemory) -> Iterator[Advice]:
    if not missing.near or missing.reranked:
        return
    rank, twice = missing.system_rank, 2 * missing.k
    if missing.own_rank is not None:
        larger = f"its rank is {rank}; k = {rank}{missing.besides} would bring it"
        yield Advice("B", larger, missing.memory, choice="a larger k")
        yield Advice("D", f"its rank is {rank}; a reranker that reads {twice} would see it", missing.memory)
    elif not missing.too_few:
        better = f"the better of BM25 and minilm ranks it {rank}"
        yield Advice("B", f"{better}; k = {rank} may bring it", missing.memory, choice="a larger k")
        yield Advice("D", f"{better}; re-ranking the first {twice} may bring it", missing.memory)


def _hybrid(missing: MissingMemory, part: str) -> str:
    if missing.kind == "hybrid":
        return f"give the {part} part of the hybrid more weight"
    name, rank, add = (
        ("BM25", missing.ranks.lexical, "match words too")
        if part == "lexical"
        else ("minilm", missing.ranks.dense, "search by embeddings too")
    )
    return f"{name} ranks it {rank}; {add}" + (", if it does not yet" if missing.kind == "unknown" else "")


def _lexical(missing: MissingMemory) -> str:
    rank = missing.ranks.lexical
    return "No BM25 rank (no content word in common)" if rank is None else f"BM25 rank {rank}"


def _dense(missing: MissingMemory) -> str:
    if missing.no_dense:
        return f"minilm rank unknown ({missing.no_dense})"
    return f"minilm rank {missing.ranks.dense} of {missing.ranked}"
