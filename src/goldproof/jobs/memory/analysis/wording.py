"""Is it the wording? The lexical and the dense rank of an expected memory side by side, and what they point to.

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

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from goldproof.jobs.memory.analysis.remedy import Advice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.jobs.memory.analysis.own_search import SystemKind
    from goldproof.jobs.memory.analysis.reference import Ranks


@dataclass(frozen=True, slots=True)
class Situation:
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


def wording_of(situation: Situation) -> Wording:
    """Compare the two ranks with k."""
    sentence = f"{_lexical(situation)}, {_dense(situation)}: {_verdict(situation)}."
    if situation.own_rank is not None and situation.own_rank <= situation.k:
        return Wording(sentence)
    return Wording(sentence, (*_by_wording(situation), *_by_nearness(situation)))


def _verdict(situation: Situation) -> str:
    lexical, dense = situation.lexical, situation.dense
    if situation.no_dense:
        return "the words find it" if lexical else "wording mismatch as far as words go"
    if lexical and dense:
        return "the wording is no obstacle to either"
    if lexical:
        return "the words find it, the meaning does not"
    return "wording mismatch, the meaning finds it" if dense else "wording mismatch, neither finds it"


def _by_wording(situation: Situation) -> Iterator[Advice]:
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


def _by_nearness(situation: Situation) -> Iterator[Advice]:
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


def _lexical(situation: Situation) -> str:
    rank = situation.ranks.lexical
    return "lexical rank none (no word in common)" if rank is None else f"lexical rank {rank}"


def _dense(situation: Situation) -> str:
    if situation.no_dense:
        return f"dense rank not known ({situation.no_dense})"
    return f"dense rank {situation.ranks.dense} of {situation.ranked}"
