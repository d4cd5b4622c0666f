"""Phrases in a document: words in a row. What is costly is made only for a document that needs it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from goldproof.jobs.build.unanswerables.terms import tokens, year_spellings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.records.entities import Document

# Stands between two texts, so that the last word of one and the first of the next are no neighbours.
_BREAK = "|"


class DocumentWords:
    """The words of a document's text, of its title and of the names that stand for it."""

    def __init__(self, document: Document, names: Sequence[str]) -> None:
        self._row = tokens(document.text)
        for text in (document.title, *names):
            self._row += [_BREAK, *tokens(text)] if text else []
        self.distinct = set(self._row)

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """Every two words in a row."""
        return frozenset(zip(self._row, self._row[1:], strict=False))

    @cached_property
    def text(self) -> str:
        """The words with one blank around each."""
        return f" {' '.join(self._row)} "


@dataclass(frozen=True, slots=True)
class Alternatives:
    """Phrases of which one suffices, by their length."""

    singles: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    longer: tuple[str, ...]

    @classmethod
    def of(cls, phrases: Sequence[str]) -> Alternatives:
        """Sort the phrases by their length in words."""
        spelt = (spelling for phrase in phrases for spelling in year_spellings(phrase))
        rows = [tuple(tokens(phrase)) for phrase in spelt]
        return cls(
            singles=frozenset(row[0] for row in rows if len(row) == 1),
            pairs=frozenset((row[0], row[1]) for row in rows if len(row) == 2),
            longer=tuple(f" {' '.join(row)} " for row in rows if len(row) > 2),
        )

    def in_document(self, words: DocumentWords) -> bool:
        """Whether the document holds one of the phrases."""
        if not self.singles.isdisjoint(words.distinct):
            return True
        if self.pairs and not self.pairs.isdisjoint(words.pairs):
            return True
        return any(phrase in words.text for phrase in self.longer)
