"""Reassemble sources from the documents cut from them.

Gaps between pieces are taken for blanks: Goldproof's own way of cutting leaves out nothing else. Which documents
together hold a span is then a matter of intervals: a cover is a set of documents that holds every character that is not
blank, none of them spare. Documents that overlap give several.

A document about a definition of a program has more than a piece of the file in its text, and a class less than its
lines (its methods are documents of their own). Its metadata then say `source_start` and `source_end`, the definition,
and `source_pieces`: [start, end, place in the text] of what it does hold. In such a source a gap between documents is
not known, and not held, unless it is so short that it can be the line ends between two definitions.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, cast

from goldproof.errors import InputError
from goldproof.text.spans import find_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from goldproof.records.entities import Document

MOST_COVERS = 16
_MOST_STEPS = 100_000
_UNKNOWN = "\0"  # stands for what no document holds; no program has it
_LINE_ENDS = 3  # at most, between two definitions
_SOLID = re.compile(r"\S")
_ABOUT = ("source", "source_start", "source_end")
Cover = tuple[str, ...]


class Stretch(NamedTuple):
    """The characters of a source that a document holds."""

    start: int
    end: int
    document: str
    source: str

    @classmethod
    def of(cls, document: Document) -> Stretch:
        """Return the piece of a source that a document is, or is about; without metadata it is a source of its own."""
        if _has_pieces(document):
            source, start, end = (document.metadata[name] for name in _ABOUT)
            return cls(cast("int", start), cast("int", end), document.id, cast("str", source))
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


def read_sources(documents: Iterable[Document]) -> dict[str, Source]:
    """Put the sources of documents together."""
    pieces: dict[str, list[tuple[Stretch, str]]] = {}
    definitions: dict[str, dict[str, Stretch]] = {}
    for document in documents:
        whole = Stretch.of(document)
        pieces.setdefault(whole.source, []).extend(_pieces_of(document, whole))
        if _has_pieces(document):
            definitions.setdefault(whole.source, {})[document.id] = whole
    return {name: _source(sorted(held), definitions.get(name, {})) for name, held in pieces.items() if held}


def stretch_within(document: Document, start: int, end: int) -> Stretch | None:
    """Return where characters of a document's text stand in its source; None where they are not of one piece of it."""
    whole = Stretch.of(document)
    if not _has_pieces(document):
        return whole._replace(start=whole.start + start, end=whole.start + end)
    for at, until, place in cast("list[list[int]]", document.metadata["source_pieces"]):
        if place <= start < end <= place + until - at:
            return whole._replace(start=at + start - place, end=at + end - place)
    return None


def quote_of(document: Document) -> str | None:
    """Return the text of the source at a document's position; None where the document holds only parts of it."""
    whole = Stretch.of(document)
    match _pieces_of(document, whole):
        case [(stretch, text)] if stretch == whole:
            return text
    return None


def _has_pieces(document: Document) -> bool:
    match [document.metadata.get(name) for name in (*_ABOUT, "source_pieces")]:
        case [str(), int(), int(), list()]:
            return True
    return False


def _pieces_of(document: Document, whole: Stretch) -> list[tuple[Stretch, str]]:
    if not _has_pieces(document):
        return [(whole, document.text)]
    pieces: list[tuple[Stretch, str]] = []
    for piece in cast("list[object]", document.metadata["source_pieces"]):
        match piece:
            case [int() as start, int() as end, int() as at] if whole.start <= start < end <= whole.end and at >= 0:
                text = document.text[at : at + end - start]
                if len(text) == end - start:
                    pieces.append((Stretch(start, end, whole.document, whole.source), text))
                    continue
        raise InputError(
            f"document {document.id!r}: its source_pieces hold {piece!r}, expected [start, end, place in the text], "
            f"within {whole.start}-{whole.end}."
        )
    return pieces


def _source(pieces: list[tuple[Stretch, str]], definitions: Mapping[str, Stretch]) -> Source:
    parts: list[str] = []
    at = 0
    for stretch, text in pieces:
        if stretch.end > at:
            parts += [_gap(stretch.start - at, known=not definitions), text[max(0, at - stretch.start) :]]
            at = stretch.end
    ends = max((whole.end for whole in definitions.values()), default=at)
    ordered = tuple(stretch for stretch, _ in pieces)
    text = "".join((*parts, _gap(ends - at, known=False)))
    return Source(text, ordered, max(s.end - s.start for s in ordered), definitions)


def _gap(length: int, *, known: bool) -> str:
    return (" " if known or length <= _LINE_ENDS else _UNKNOWN) * length


@dataclass(frozen=True, slots=True)
class Source:
    """A source: its text as far as documents hold it (blanks elsewhere), and their stretches by start."""

    text: str
    stretches: tuple[Stretch, ...]
    longest: int
    definitions: Mapping[str, Stretch] = field(default_factory=dict)

    def holds(self, quote: str, start: int, end: int) -> bool:
        """Return whether a quote stands just there, apart from blanks and from gaps between documents."""
        here = self.text[start:end]
        if _UNKNOWN not in here:
            return here.split() == quote.split()
        pairs = zip(here.ljust(end - start), quote, strict=False)
        alike = (a in (b, _UNKNOWN) or (a.isspace() and b.isspace()) for a, b in pairs)
        return len(quote) == end - start and all(alike)

    def reaches(self, end: int) -> bool:
        """Return whether the source, as far as it is known, is that long; the last line end may be missing."""
        return end <= len(self.text) + (_LINE_ENDS if self.definitions else 0)

    def defined(self, start: int, end: int) -> list[str]:
        """Return the documents of the definition that a span is: from its first lines to its end."""
        firsts: dict[str, Stretch] = {}
        for stretch in self.overlapping(start, end) if self.definitions else ():
            firsts.setdefault(stretch.document, stretch)
        return [
            name
            for name, first in firsts.items()
            if (whole := self.definitions.get(name)) is not None
            and whole.start - _LINE_ENDS <= start < first.end
            and whole.end <= end <= whole.end + _LINE_ENDS
        ]

    def within(self, start: int, end: int) -> list[str]:
        """Return the documents that lie wholly within a span."""
        wholes = {s.document: self.definitions.get(s.document, s) for s in self.overlapping(start, end)}
        return [name for name, whole in wholes.items() if start <= whole.start and whole.end <= end]

    def find(self, quote: str, *, near: int) -> tuple[int, int] | None:
        """Return the position of a quote: to the letter as near as can be, else as `find_words` finds it."""
        wanted = quote.strip()
        exact = [match.start() for match in re.finditer(re.escape(wanted), self.text)] if wanted else []
        if exact:
            start = min(exact, key=lambda at: (abs(at - near), at))
            return start, start + len(wanted)
        words = find_words(quote, self.text)
        return None if words is None else (words.start, words.end)

    def held(self, at: int) -> bool:
        """Return whether a document holds this character."""
        return bool(self._holding(at))

    def overlapping(self, start: int, end: int) -> list[Stretch]:
        """Return the stretches that hold something of a span that is not blank."""
        low, high = bisect_left(self.stretches, (start - self.longest,)), bisect_left(self.stretches, (end,))
        return [s for s in self.stretches[low:high] if self.text[max(start, s.start) : min(end, s.end)].strip()]

    def covers(self, start: int, end: int) -> tuple[Cover, ...]:
        """Return the sets of documents that hold a span, at most `MOST_COVERS`; none where a part of it is missing."""
        covers: list[Cover] = []
        # Each entry: the first character still missing, the one for which the last document was taken, the documents.
        waiting: list[tuple[int, int, _CoverStep | None]] = [(self._solid(start, end), -1, None)]
        for _ in range(_MOST_STEPS + len(self.stretches)):
            if not waiting or len(covers) == MOST_COVERS:
                break
            missing, before, taken = waiting.pop()
            if missing >= end:
                covers.append(_listed(taken))
                continue
            # A document that also holds what the last one was taken for would make that one spare.
            able = [s for s in self._holding(missing) if s.start > before]
            able.sort(key=lambda s: (s.end, s.start, s.document))  # the last is looked at first: it reaches furthest
            waiting += [(self._solid(s.end, end), missing, _CoverStep(s.document, taken)) for s in able]
        return tuple(filter(None, covers))

    def _holding(self, at: int) -> list[Stretch]:
        low, high = bisect_left(self.stretches, (at - self.longest,)), bisect_right(self.stretches, (at + 1,))
        return [s for s in self.stretches[low:high] if s.start <= at < s.end]

    def _solid(self, start: int, end: int) -> int:
        """Return the first position from start on that is not blank; end where there is none before it."""
        match = _SOLID.search(self.text, start, end)
        return match.start() if match else end


class _CoverStep(NamedTuple):
    """A document of a cover, and the steps before it."""

    document: str
    before: _CoverStep | None


def _listed(taken: _CoverStep | None) -> Cover:
    documents: list[str] = []
    while taken is not None:
        documents.append(taken.document)
        taken = taken.before
    return tuple(dict.fromkeys(reversed(documents)))
