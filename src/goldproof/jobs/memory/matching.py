"""Which memories of the scenario does a returned item stand for?

By its id, where the system gave that id on storing one memory, and gave that memory no other id. By its text, where it
equals the content of a stored memory (case and blanks aside). Everything else was rewritten by the system: facts drawn
from a memory, several memories merged into one, a text under an id that nobody has seen. Such an item is put before a
judge, who reads item and memory side by side (`goldproof.jobs.memory.rewritten`), and is counted as matched by the
judge. An item without a text that no id explains is nobody's.

An id comes once in an answer; a repetition is dropped and counted by the system's adapter.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from goldproof.io.scenarios.scenario import MOST_GRADE
from goldproof.jobs.memory.scored import Matched

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.io.scenarios.scenario import MemoryItem
    from goldproof.jobs.memory.answered import Answered
    from goldproof.jobs.memory.rewritten import TextMatcher
    from goldproof.memory.system import MemoryHit


class Doubtful(NamedTuple):
    """An item that only a reader can match: its place (row, rank) and the memories that it may stand for.

    merged: its id came from several memories, and it may stand for more than one of them.
    """

    row: int
    rank: int
    hit: MemoryHit
    candidates: tuple[MemoryItem, ...]
    merged: bool = False


def match_rows(rows: Sequence[Answered], *, texts: TextMatcher) -> list[tuple[Matched, ...]]:
    """Return, for each query, its returned items with the memories they stand for, and their grades."""
    found: list[list[Matched]] = []
    doubtful: list[Doubtful] = []
    for place, row in enumerate(rows):
        sure = _Sure(row)
        found.append([sure.match(hit) for hit in row.hits])
        doubtful += [
            Doubtful(place, rank, hit, sure.candidates(hit, texts), sure.is_merged(hit))
            for rank, (hit, match) in enumerate(zip(row.hits, found[place], strict=True))
            if match.how == "none" and hit.text
        ]
    for item, reading in zip(doubtful, texts.match(doubtful), strict=True):
        if reading.memories or reading.unread:
            found[item.row][item.rank] = Matched(item.hit, reading.memories, "judge", unread=reading.unread)
    return [_graded(row, matches) for row, matches in zip(rows, found, strict=True)]


class _Sure:
    """What ids and equal texts tell of the items of one query."""

    def __init__(self, row: Answered) -> None:
        self._row = row
        self._sources: Mapping[str, tuple[str, ...]] = row.stored.sources
        self._by_text: dict[str, list[str]] | None = None

    def match(self, hit: MemoryHit) -> Matched:
        sources = self._sources.get(hit.doc_id, ())
        if len(sources) == 1 and self._row.stored.ids_of[sources[0]] == 1:
            return Matched(hit, sources, "id")
        same = self._same_text(hit)
        if same:
            return Matched(hit, same, "text")
        if sources and not hit.text:
            return Matched(hit, sources, "id")
        return Matched(hit, (), "none")

    def is_merged(self, hit: MemoryHit) -> bool:
        """Say whether an id came from several memories."""
        return len(self._sources.get(hit.doc_id, ())) > 1

    def candidates(self, hit: MemoryHit, texts: TextMatcher) -> tuple[MemoryItem, ...]:
        """Return what a rewritten item may stand for: what its id came from, else what is near among all."""
        sources = self._sources.get(hit.doc_id, ())
        if sources:
            return tuple(memory for memory in self._row.pool if memory.id in sources)
        expected = [memory for memory in self._row.pool if memory.id in self._row.query.expected]
        return texts.near(hit.text or "", self._row.pool, always=expected)

    def _same_text(self, hit: MemoryHit) -> tuple[str, ...]:
        if not hit.text:
            return ()
        if self._by_text is None:
            self._by_text = {}
            for memory in self._row.pool:
                self._by_text.setdefault(_plain(memory.content), []).append(memory.id)
        same = self._by_text.get(_plain(hit.text), [])
        sources = self._sources.get(hit.doc_id, ())
        return tuple(memory for memory in same if memory in sources) or tuple(same)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _graded(row: Answered, matches: Sequence[Matched]) -> tuple[Matched, ...]:
    """Give each item the highest grade of the memories it stands for, as 0 to 1."""
    grades = row.query.expected
    return tuple(
        replace(match, gain=max((grades.get(memory, 0) for memory in match.memories), default=0) / MOST_GRADE)
        for match in matches
    )
