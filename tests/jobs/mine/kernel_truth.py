"""A known truth: a corpus of which it is known what suffices, and a judge that knows it."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from goldproof.jobs.mine.kernels import search_of
from goldproof.judge.judge import YES_NO, Evidence, Label, Ruling, Scale
from goldproof.records.entities import Document, Question
from goldproof.retrieve import open_retriever

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable, Sequence
    from typing import Any, TypeVar

    from goldproof.jobs.mine.kernels import Search
    from goldproof.llm.model import Estimate

    T = TypeVar("T")

QUESTION = Question("q", "which planted facts are needed")


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def corpus(many: int) -> dict[str, Document]:
    """Return documents that all hold a word of the question, and each some words of its own."""
    return {f"d{i}": Document(f"d{i}", f"planted own{i} detail{i} side{i % 3}") for i in range(many)}


def bm25_search(documents: Iterable[Document]) -> Search:
    by_id = {document.id: document for document in documents}
    retriever = open_retriever("bm25")
    retriever.index(by_id.values())
    return search_of(retriever, by_id)


@dataclass
class PlantedJudge:
    """Says yes where a planted kernel is among the documents.

    names_missing: whether it says what is missing. quotes: nothing, the kernel, or every document. failing: the share
    of sets, drawn from their ids, for which it comes to no ruling.
    """

    kernels: Sequence[frozenset[str]]
    names_missing: bool = True
    quotes: str = "kernel"
    failing: float = 0.0
    salt: int = 0
    instead: Label = "failed"
    asked: list[tuple[str, ...]] = field(default_factory=list)

    key = "planted"
    concurrency = 4

    @property
    def scale(self) -> Scale:
        return YES_NO

    async def judge(self, question: Question, documents: Sequence[Document]) -> Ruling:
        assert question == QUESTION
        ids = tuple(document.id for document in documents)
        self.asked.append(ids)
        await asyncio.sleep(0)
        if self._fails(ids):
            return Ruling(self.instead, reason="scripted")
        held = [kernel for kernel in self.kernels if kernel <= set(ids)]
        if held:
            return Ruling("yes", evidence=self._evidence(ids, held[0]))
        return Ruling("no", missing=self._missing(frozenset(ids)) if self.names_missing else "")

    def _fails(self, ids: tuple[str, ...]) -> bool:
        digest = hashlib.sha256(f"{self.salt} {ids}".encode()).digest()
        return digest[0] < self.failing * 256

    def _evidence(self, ids: tuple[str, ...], kernel: frozenset[str]) -> tuple[Evidence, ...]:
        quoted = {"kernel": sorted(kernel), "all": list(ids), "none": []}[self.quotes]
        return tuple(Evidence(one, 0, 7, "planted") for one in quoted)

    def _missing(self, ids: frozenset[str]) -> str:
        nearest = min(self.kernels, key=lambda kernel: len(kernel - ids), default=frozenset())
        return next((f"own{one[1:]} detail{one[1:]}" for one in sorted(nearest - ids)), "")

    def estimate(self, question: Question, documents: Sequence[Document]) -> Estimate:
        raise NotImplementedError

    def why_not_sets(self, question: Question) -> str | None:  # noqa: ARG002
        return None
