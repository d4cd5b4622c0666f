"""Trivial memories that a benchmark must beat.

    everything    all memories, oldest first, however many were asked for
    nothing       never anything
    newest        the last k
    keyword       memories that share a content word with the query, by the share of the query's words, then the newest

All of them honour filters.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, ClassVar

from goldproof.memory.memory_file import checked_entry
from goldproof.memory.system import MemoryHit, OpenedMemory
from goldproof.retrieve.stages.filters import matches
from goldproof.text.tokens import content_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from goldproof.memory.memory_file import Entry
    from goldproof.retrieve import Filters, Moment


class TrivialMemory(OpenedMemory):
    """Memories in a list; a subclass says which are returned, and in which order."""

    title: ClassVar[str]

    def __init__(self) -> None:
        self._entries: list[Entry] = []

    @property
    def facts(self) -> dict[str, object]:
        """Its name, for the card."""
        return {"memory": self.title}

    @property
    def remarks(self) -> tuple[str, ...]:
        """None."""
        return ()

    def clear(self) -> None:
        """Forget everything."""
        self._entries = []

    def add(self, role: str, content: str, metadata: Mapping[str, object] | None = None) -> list[str]:
        """Store one utterance; return its id."""
        self._entries.append(checked_entry(len(self._entries) + 1, role, content=content, metadata=metadata))
        return [self._entries[-1].id]

    def search(
        self,
        query: str,
        k: int = 5,
        filters: Filters | None = None,
        now: Moment | None = None,  # noqa: ARG002 - no age matters here
    ) -> list[MemoryHit]:
        """Return the memories that this baseline chooses."""
        allowed = [entry for entry in self._entries if not filters or matches(filters, entry.fields)]
        return list(self._chosen(query, allowed, k=k))

    def _chosen(self, query: str, entries: Sequence[Entry], *, k: int) -> Iterable[MemoryHit]:
        raise NotImplementedError


class Everything(TrivialMemory):
    """All memories, oldest first."""

    title: ClassVar[str] = "everything"

    def _chosen(self, query: str, entries: Sequence[Entry], *, k: int) -> Iterable[MemoryHit]:  # noqa: ARG002
        return _by_place(entries)


class Nothing(TrivialMemory):
    """Never anything."""

    title: ClassVar[str] = "nothing"

    def _chosen(self, query: str, entries: Sequence[Entry], *, k: int) -> Iterable[MemoryHit]:  # noqa: ARG002
        return ()


class NewestK(TrivialMemory):
    """The last k, newest first."""

    title: ClassVar[str] = "newest"

    def _chosen(self, query: str, entries: Sequence[Entry], *, k: int) -> Iterable[MemoryHit]:  # noqa: ARG002
        return _by_place(list(islice(reversed(entries), k)))


class KeywordMatch(TrivialMemory):
    """Memories that share a content word with the query; the score is the share of the query's words."""

    title: ClassVar[str] = "keyword"

    def __init__(self) -> None:
        super().__init__()
        self._words: dict[int, frozenset[str]] = {}  # of each memory by its number, read once

    def clear(self) -> None:
        """Forget everything."""
        super().clear()
        self._words = {}

    def add(self, role: str, content: str, metadata: Mapping[str, object] | None = None) -> list[str]:
        """Store one utterance and its words; return its id."""
        ids = super().add(role, content, metadata)
        self._words[self._entries[-1].number] = frozenset(content_words(content))
        return ids

    def _chosen(self, query: str, entries: Sequence[Entry], *, k: int) -> Iterable[MemoryHit]:
        wanted = set(content_words(query))
        shares = {entry.number: len(wanted & self._words[entry.number]) for entry in entries}
        newest_first = [entry for entry in reversed(entries) if shares[entry.number]]
        best = sorted(newest_first, key=lambda entry: shares[entry.number], reverse=True)[:k]
        return [MemoryHit(entry.id, shares[entry.number] / len(wanted), entry.content) for entry in best]


def _by_place(entries: Sequence[Entry]) -> list[MemoryHit]:
    """Return hits whose scores are their places: n, n - 1, ..., 1."""
    return [MemoryHit(e.id, float(len(entries) - i), e.content) for i, e in enumerate(entries)]
