"""Expansion: a set that does not suffice is added to, until it does or a bound is hit.

After every no, documents are searched for and the best new ones join the set:

    the judge says what is missing    by those words; to fill up, as where it says nothing
    it says the same again            by those words and as where it says nothing, in turn: what it names may stand
                                      deeper in the list, or not be there
    it says nothing                   by the question, and by the question with the words of one document of the set,
                                      in turn; another document at each step

Options of a question are never searched for: their text may be wrong. A ruling without an outcome is no yes and names
nothing missing; the expansion goes on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.jobs.mine.kernels.outcome import KernelSettings, Search
    from goldproof.jobs.mine.kernels.rulings import Rulings
    from goldproof.judge.judge import Ruling
    from goldproof.records.entities import Document, Question

WORDS_OF_A_DOCUMENT = 1_000  # characters; the words of a whole module would drown the question


@dataclass(frozen=True, slots=True)
class Expanded:
    """Where an expansion ended. ruling: a yes on the documents, else None. bound: the one that ended it, if any did."""

    documents: tuple[Document, ...] = ()
    ruling: Ruling | None = None
    bound: str = ""


@dataclass(frozen=True, slots=True)
class Expansion:
    """One expansion.

    banned: ids that must not be in the set. reserve: documents that join it where the search finds too few. searched:
    what the judge named so far; empty text where it named nothing.
    """

    question: Question
    rulings: Rulings
    search: Search
    settings: KernelSettings
    banned: frozenset[str] = frozenset()
    reserve: Sequence[Document] = ()
    searched: set[str] = field(default_factory=set)

    async def run(self, first: Sequence[Document], *, whys: tuple[str, str]) -> Expanded:
        """Expand a set. whys: what the first ruling is asked for, and what all others."""
        found = first or await self._new(self.question.text, held=())
        held, step = tuple(found)[: self.settings.size], 0
        while held:
            ruling = await self.rulings.on(held, why=whys[min(step, 1)])
            if ruling is None:
                return Expanded(held, bound="rulings")
            if ruling.sufficient:
                return Expanded(held, ruling)
            more = await self._more(held, missing=ruling.missing.strip(), step=step)
            if more and (bound := self._bound(step, len(held))):
                return Expanded(held, bound=bound)
            if not more:
                break
            held, step = (*held, *more)[: self.settings.size], step + 1
        return Expanded(held)

    @property
    def informed(self) -> bool:
        """Whether the judge named, after every no so far, what is missing; all that it names is searched for."""
        return bool(self.searched) and "" not in self.searched

    def _bound(self, step: int, many: int) -> str:
        """Return the bound that forbids to add to so many documents after so many steps; empty if none does."""
        if step == self.settings.steps:
            return "steps"
        return "size" if many == self.settings.size else ""

    async def _more(self, held: Sequence[Document], *, missing: str, step: int) -> tuple[Document, ...]:
        """Return the documents to add, at most those of one step; none where nothing new can be found."""
        many = self.settings.per_step
        named = await self._new(missing, held=held) if missing else ()
        again = missing in self.searched
        self.searched.add(missing)
        if len(named) >= many and not again:
            return tuple(named[:many])
        beside = await self._unnamed(held, step=step)
        found = in_turns(named, beside) if again else [*named, *beside]
        found += [document for document in self.reserve if not self._taken(document, held)]
        return tuple({document.id: document for document in found}.values())[:many]

    async def _unnamed(self, held: Sequence[Document], *, step: int) -> list[Document]:
        """Return what is found where nobody says what is missing."""
        about = held[step % len(held)]
        words = f"{self.question.text} {about.title} {about.text[:WORDS_OF_A_DOCUMENT]}"
        return in_turns(await self._new(self.question.text, held=held), await self._new(words, held=held))

    async def _new(self, words: str, *, held: Sequence[Document]) -> Sequence[Document]:
        taken = self.banned | {document.id for document in held}
        found = await self.search(words, self.settings.per_step if held else self.settings.seeds, taken)
        return [document for document in found if not self._taken(document, held)]

    def _taken(self, document: Document, held: Sequence[Document]) -> bool:
        return document.id in self.banned or any(document.id == one.id for one in held)


def in_turns(first: Sequence[Document], second: Sequence[Document]) -> list[Document]:
    """Return the documents of both, one of each in turn."""
    return [document for document in chain.from_iterable(zip_longest(first, second)) if document is not None]
