"""A memory that is not ours, behind the seam: any object with the three methods.

How it is called is in `calling`, what it may return in `returned`. The order in which memories came is kept. One that
came twice keeps its first place. Where a score is missing, place i of n scores n - i + 1. A score from -1 to 1 is taken
for the similarity, unless the scores rise somewhere: then they may be distances. What the system itself calls
`similarity` is taken as that.

Filters that it cannot be given are applied here, to memories whose metadata is known from what was added, by their id
or their text; it is then asked for more than k, and the first k that match are kept. A memory that it has rewritten
cannot be looked up, and stays.
"""

from __future__ import annotations

import inspect
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from goldproof.closeable import Closeable
from goldproof.errors import GoldproofError, InputError, SearchFailedError, reason_of
from goldproof.memory.calling import EXPECTED, PAIRS, methods_of
from goldproof.memory.entry import Entry, checked_entry
from goldproof.memory.returned import Found, read_found, read_ids
from goldproof.memory.system import MemoryHit
from goldproof.memory.tally import Tally
from goldproof.plugins import name_of
from goldproof.retrieve.parallel import FailedAnswer
from goldproof.retrieve.stages.filters import matches

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.retrieve.retriever import Filters, Moment

DEEPER = 10
DEEPEST = 100


class ForeignMemory(Closeable):
    """A memory of the user's, which `close` leaves alone.

    source: the sha256 of the file that says what it is, where there is one.
    """

    def __init__(self, target: object, *, title: str | None = None, source: str | None = None) -> None:
        self.title = title or name_of(target)
        self._source = source
        self._methods = methods_of(target, self.title)
        self._tally = Tally(self.title)
        self._entries: list[Entry] = []
        self._by_id: dict[str, list[Entry]] = {}

    @property
    def facts(self) -> dict[str, object]:
        """What a card records of it."""
        return {"memory": self.title, "source": self._source}

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was done to its answers, in sentences."""
        return self._tally.remarks(takes_metadata=self._methods.add.metadata is not None)

    def clear(self) -> None:
        """Have it forget everything."""
        self._entries, self._by_id = [], {}
        self._methods.clear()

    def add(self, role: str, content: str, metadata: Mapping[str, object] | None = None) -> list[str]:
        """Have it store one thing that was said; return the ids that it gave."""
        entry = checked_entry(len(self._entries) + 1, role, content=content, metadata=metadata)
        returned = self._methods.add(role, content, dict(metadata or {}))
        try:
            ids = read_ids(returned)
        except FailedAnswer as failure:
            raise GoldproofError(self.said(f"{self.title}: {failure}")) from None
        self._entries.append(entry)
        for one in ids:
            self._by_id.setdefault(one, []).append(entry)
        return list(ids)

    def search(
        self, query: str, k: int = 5, filters: Filters | None = None, now: Moment | None = None
    ) -> list[MemoryHit]:
        """Return what it found, in its order."""
        sifts = bool(filters) and self._methods.search.filters is None
        depth = max(DEEPER * k, DEEPEST) if sifts else k
        returned = self._methods.search(query, depth, filters=filters, now=now)
        try:
            found = read_found(returned, query, known=self._by_id)
        except FailedAnswer as failure:
            raise SearchFailedError(self.said(f"{self.title}: {failure}")) from None
        return self._hits(self._sifted(found, filters or {}, k=k) if sifts else found)

    def said(self, reason: str) -> str:
        """Return a reason as it may be shown."""
        return reason

    def _sifted(self, found: Sequence[Found], filters: Filters, *, k: int) -> list[Found]:
        kept, unknown = [], 0
        for one in found:
            entries = self._by_id.get(one.id) or [entry for entry in self._entries if entry.content == one.text]
            unknown += not entries
            if not entries or any(matches(filters, entry.fields) for entry in entries):
                kept.append(one)
        self._tally.sifted(unknown=unknown)
        return kept[:k]

    def _hits(self, found: Sequence[Found]) -> list[MemoryHit]:
        first: dict[str, Found] = {}
        for one in found:
            first.setdefault(one.id, one)
        once = list(first.values())
        scores = [one.score for one in once if one.score is not None]
        by_place = len(scores) < len(once)
        rises = any(later > earlier for earlier, later in pairwise(scores))
        self._tally.answered(repeats=len(found) - len(once), by_place=by_place and bool(scores), rises=rises)
        return [
            MemoryHit(
                one.id,
                float(len(once) - i) if by_place or one.score is None else one.score,
                one.text if one.text is not None else self._text(one.id),
                _similarity(one, told=not by_place and not rises),
            )
            for i, one in enumerate(once)
        ]

    def _text(self, memory: str) -> str | None:
        """Return what was stored under an id, where that is one thing."""
        entries = self._by_id.get(memory, [])
        return entries[0].content if len(entries) == 1 else None


def _similarity(one: Found, *, told: bool) -> float | None:
    if one.similarity is not None:
        return one.similarity
    return one.score if told and one.score is not None and -1.0 <= one.score <= 1.0 else None


def made(target: Any, name: str) -> object:  # noqa: ANN401 - anything
    """Return the object; a class or a factory is called without arguments."""
    is_memory = any(callable(getattr(target, method, None)) for pair in PAIRS for method in pair)
    if not inspect.isclass(target) and (is_memory or not callable(target)):
        return target
    try:
        return target()
    except GoldproofError:
        raise
    except TypeError as error:
        raise InputError(f"{name}: making it without arguments failed ({reason_of(error)}); {EXPECTED}.") from error
    except (Exception, SystemExit) as error:
        raise InputError(f"{name}: making it failed with {reason_of(error)}") from error
