"""The sources that the documents of a corpus are pieces of, put together again from the pieces.

What stands between pieces is taken for blanks: Karat's own way of cutting leaves out nothing else. Which documents
together hold a span is then a matter of intervals: a cover is a set of documents that holds every character that is not
blank, none of them spare. Documents that overlap give several.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from karat.core.errors import InputError
from karat.text.spans import find_quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from karat.core.records import Document

MOST_COVERS = 16
_MOST_STEPS = 100_000
_SOLID = re.compile(r"\S")
Cover = tuple[str, ...]


class _Taken(NamedTuple):
    """A document of a cover, and those taken before it."""

    document: str
    before: _Taken | None


class Stretch(NamedTuple):
    """The characters of a source that a document holds."""

    start: int
    end: int
    document: str
    source: str

    @classmethod
    def of(cls, document: Document) -> Stretch:
        """Say what a document is a piece of; one that does not say so is a source of its own."""
        fields = [document.metadata.get(name) for name in ("source", "start", "end")]
        match fields:
            case [str() as source, int() as start, int() as end]:
                if end - start != len(document.text) or start < 0:
                    raise InputError(
                        f"document {document.id!r} has {len(document.text)} characters, but says that it is "
                        f"{source}:{start}-{end}; its start and end must be those of its text."
                    )
                return cls(start, end, document.id, source)
        return cls(0, len(document.text), document.id, document.id)


@dataclass(frozen=True, slots=True)
class Source:
    """A source: its text as far as documents hold it (blanks elsewhere), and their stretches by start."""

    text: str
    stretches: tuple[Stretch, ...]
    longest: int

    def holds(self, quote: str, start: int, end: int) -> bool:
        """Say whether a quote stands just there, but for blanks."""
        return self.text[start:end].split() == quote.split()

    def find(self, quote: str, *, near: int) -> tuple[int, int] | None:
        """Return where a quote stands: to the letter as near as can be, else as `find_quote` finds it."""
        wanted = quote.strip()
        exact = [match.start() for match in re.finditer(re.escape(wanted), self.text)] if wanted else []
        if exact:
            start = min(exact, key=lambda at: (abs(at - near), at))
            return start, start + len(wanted)
        found = find_quote(quote, self.text)
        return None if found is None else (found.start, found.end)

    def held(self, at: int) -> bool:
        """Say whether a document holds this character."""
        return bool(self._holding(at))

    def overlapping(self, start: int, end: int) -> list[Stretch]:
        """Return the stretches that hold something of a span that is not blank."""
        low, high = bisect_left(self.stretches, (start - self.longest,)), bisect_left(self.stretches, (end,))
        return [s for s in self.stretches[low:high] if self.text[max(start, s.start) : min(end, s.end)].strip()]

    def covers(self, start: int, end: int) -> tuple[Cover, ...]:
        """Return the sets of documents that hold a span, at most `MOST_COVERS`; none where a part of it is nowhere."""
        found: list[Cover] = []
        # Each entry: the first character still missing, the one for which the last document was taken, the documents.
        waiting: list[tuple[int, int, _Taken | None]] = [(self._solid(start, end), -1, None)]
        for _ in range(_MOST_STEPS + len(self.stretches)):
            if not waiting or len(found) == MOST_COVERS:
                break
            missing, before, taken = waiting.pop()
            if missing >= end:
                found.append(_listed(taken))
                continue
            # A document that also holds what the last one was taken for would make that one spare.
            able = [s for s in self._holding(missing) if s.start > before]
            able.sort(key=lambda s: (s.end, s.start, s.document))  # the last is looked at first: it reaches furthest
            waiting += [(self._solid(s.end, end), missing, _Taken(s.document, taken)) for s in able]
        return tuple(filter(None, found))

    def _holding(self, at: int) -> list[Stretch]:
        low, high = bisect_left(self.stretches, (at - self.longest,)), bisect_right(self.stretches, (at + 1,))
        return [s for s in self.stretches[low:high] if s.start <= at < s.end]

    def _solid(self, start: int, end: int) -> int:
        """Return the first place from start on that is not blank; end where there is none before it."""
        found = _SOLID.search(self.text, start, end)
        return found.start() if found else end


def _listed(taken: _Taken | None) -> Cover:
    documents: list[str] = []
    while taken is not None:
        documents.append(taken.document)
        taken = taken.before
    return tuple(reversed(documents))


def read_sources(documents: Iterable[Document]) -> dict[str, Source]:
    """Put the sources of documents together."""
    stretches: dict[str, list[tuple[Stretch, str]]] = {}
    for document in documents:
        stretch = Stretch.of(document)
        stretches.setdefault(stretch.source, []).append((stretch, document.text))
    return {name: _source(sorted(pieces)) for name, pieces in stretches.items()}


def _source(pieces: list[tuple[Stretch, str]]) -> Source:
    parts: list[str] = []
    at = 0
    for stretch, text in pieces:
        if stretch.end > at:
            parts += [" " * (stretch.start - at), text[max(0, at - stretch.start) :]]
            at = stretch.end
    ordered = tuple(stretch for stretch, _ in pieces)
    return Source("".join(parts), ordered, max(s.end - s.start for s in ordered))
