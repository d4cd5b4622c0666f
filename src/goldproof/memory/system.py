"""The seam for memory systems: what the benchmark calls. Whatever people have is adapted to it by `open_memory`.

A system is emptied before each conversation, told what was said in its order, and asked. What it raises for one query
fails that query, with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self, runtime_checkable

from goldproof.records.entities import Hit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType

    from goldproof.retrieve.retriever import Filters, Moment


@dataclass(frozen=True, slots=True)
class MemoryHit(Hit):
    """One returned memory; similarity: the cosine of query and memory, where the system knows it."""

    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class Searched:
    """The answer to one query of several: hits, or why there are none."""

    hits: tuple[MemoryHit, ...] = ()
    error: str | None = None


@runtime_checkable
class MemorySystem(Protocol):
    """Something that remembers."""

    def clear(self) -> None:
        """Forget everything."""

    def add(self, role: str, content: str, metadata: Mapping[str, object]) -> Sequence[str]:
        """Store one thing that was said; return the ids of what was stored or changed by it, which may be none."""

    def search(self, query: str, k: int, filters: Filters | None = None, now: Moment | None = None) -> Sequence[Hit]:
        """Return at most k memories, best first; nothing where nothing is relevant."""


@runtime_checkable
class SearchesMany(Protocol):
    """A system that answers several queries of one moment at once."""

    def search_many(
        self, queries: Sequence[str], k: int, filters: Filters | None = None, now: Moment | None = None
    ) -> Sequence[Searched]:
        """Return one answer per query, in their order."""


@runtime_checkable
class Described(Protocol):
    """A system that says what it is: title for tables, facts for the card, remarks for the report."""

    @property
    def title(self) -> str:
        """Its name in tables."""

    @property
    def facts(self) -> Mapping[str, object]:
        """What decides its results."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was done to its answers, in sentences."""


@runtime_checkable
class DescribedMemory(MemorySystem, Described, Protocol):
    """What `open_memory` returns: a system that says what it is, and tells similarities where it knows them.

    `close`, or the end of a `with` block, lets go of what Goldproof opened; an object of the user's is left alone.
    """

    def close(self) -> None:
        """Let go of files and connections."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def search(
        self, query: str, k: int, filters: Filters | None = None, now: Moment | None = None
    ) -> Sequence[MemoryHit]:
        """Return at most k memories, best first; nothing where nothing is relevant."""
