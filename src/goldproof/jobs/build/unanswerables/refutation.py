"""Reject proposals that some document answers after all, in two passes with flat memory.

A document refutes a proposal where it holds

1. of every group of `joined` one phrase, whole words in a row (the new name, the new year, the negation; and the
   question's subject where it is known), in its text, its title or the names that its samples give it; and
2. of the question's other content words a share of at least `REFUTES`, weighted by rarity: ln(1 + N / n), for n of N
   documents that hold the word. A plain share misjudges: "net sales ... 2018" is in every report, "servicing fee" in
   one. A proposal without other words is refuted by the first condition alone.

The first pass counts n, the second decides. A question that the pool already has is rejected before.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from goldproof.jobs.build.unanswerables.words import tokens, variants, year_spellings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import numpy.typing as npt

    from goldproof.jobs.build.unanswerables.proposal import Proposal
    from goldproof.records.entities import Document

REFUTES = 0.5
KNOWN = "the pool already has this question"
REFUTED = "a document joins the substitute with the question's other words"


@dataclass(frozen=True, slots=True)
class Rejected:
    """A proposal that is not used, and why; `share`: how much of the other words the document holds."""

    proposal: Proposal
    reason: str
    document: str | None = None
    share: float | None = None


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """Accepted and rejected proposals, both in the order of their keys."""

    accepted: tuple[Proposal, ...]
    rejected: tuple[Rejected, ...]

    @property
    def counts(self) -> dict[str, dict[str, int]]:
        """How many were rejected: method -> reason -> number."""
        counts = Counter((rejected.proposal.method, rejected.reason) for rejected in self.rejected)
        return {
            method: {reason: counts[method, reason] for _, reason in sorted(counts) if counts[method, reason]}
            for method in sorted({method for method, _ in counts})
        }


def check_proposals(
    proposals: Iterable[Proposal],
    documents: Callable[[], Iterable[Document]],
    *,
    labels: Mapping[str, Sequence[str]] | None = None,
    is_known: Callable[[str], bool] | None = None,
) -> CheckOutcome:
    """Return which proposals no document refutes.

    documents: returns an iterator that starts anew; called twice. labels: document id -> names that it has
    besides its title (`Substitutes.labels`).
    """
    ordered = sorted({proposal.key: proposal for proposal in proposals}.items())
    known = {key for key, proposal in ordered if is_known is not None and is_known(proposal.question)}
    fresh = [proposal for key, proposal in ordered if key not in known]
    refuted = _refuted(fresh, documents, labels=labels or {})
    rejected = [*(Rejected(proposal, KNOWN) for key, proposal in ordered if key in known), *refuted]
    bad = {proposal.proposal.key for proposal in refuted}
    return CheckOutcome(
        accepted=tuple(proposal for proposal in fresh if proposal.key not in bad),
        rejected=tuple(sorted(rejected, key=lambda proposal: proposal.proposal.key)),
    )


def _refuted(
    proposals: Sequence[Proposal], documents: Callable[[], Iterable[Document]], *, labels: Mapping[str, Sequence[str]]
) -> list[Rejected]:
    if not proposals:
        return []
    index = _Index(proposals)
    joins = [tuple(Alternatives.of(group) for group in proposal.joined) for proposal in proposals]
    index.weigh(_rarity(index, documents(), labels=labels))
    best: dict[int, tuple[float, str]] = {}
    for document in documents():
        words = DocumentWords(document, labels.get(document.id, ()))
        for number, share in index.near(words.distinct):
            # The largest share is reported; of equals the smallest id, in whatever order the documents are read.
            better = (-share, document.id) < best.get(number, (1.0, ""))
            if better and all(group.in_document(words) for group in joins[number]):
                best[number] = (-share, document.id)
    return [Rejected(proposals[n], REFUTED, document, -share) for n, (share, document) in sorted(best.items())]


def _rarity(
    index: _Index, documents: Iterable[Document], *, labels: Mapping[str, Sequence[str]]
) -> npt.NDArray[np.float64]:
    holding = np.zeros(index.size, dtype=np.int64)
    read = 0
    for document in documents:
        holding[index.present(DocumentWords(document, labels.get(document.id, ())).distinct)] += 1
        read += 1
    return np.log1p(read / np.maximum(holding, 1))


class _Index:
    """The words of all proposals as numbers; a document is compared only with those whose rarest words it holds.

    A word that a proposal needs is in every document that refutes it; and of its other words, one of the heaviest
    is, if without them less than the share is left. The rarer of the two says which documents are looked at.
    """

    def __init__(self, proposals: Sequence[Proposal]) -> None:
        self._numbers: dict[str, list[int]] = {}
        self._slots: dict[tuple[str, ...], int] = {}
        self._rows = [[self._slot(variants(word)) for word in proposal.others] for proposal in proposals]
        self._needs = [[self._slot(spellings) for spellings in _needed(proposal)] for proposal in proposals]
        self.size = len(self._slots)
        self._weights: list[list[float]] = []
        self._wholes: list[float] = []
        self._by_slot: dict[int, list[int]] = {}
        self._anywhere: list[int] = []

    def present(self, words_of_document: set[str]) -> list[int]:
        """Return the slots that some word of a document fills."""
        words = self._numbers.keys() & words_of_document
        return list({slot for word in words for slot in self._numbers[word]})

    def weigh(self, weights: npt.NDArray[np.float64]) -> None:
        """Set the weight of each slot."""
        rarity = weights.tolist()
        for number, (row, needs) in enumerate(zip(self._rows, self._needs, strict=True)):
            self._weights.append([rarity[slot] for slot in row])
            self._wholes.append(sum(self._weights[-1]))
            keys = self._keys(number, needs, rarity)
            for slot in keys:
                self._by_slot.setdefault(slot, []).append(number)
            if not keys:
                self._anywhere.append(number)

    def near(self, words: set[str]) -> list[tuple[int, float]]:
        """Return the proposals whose needed words a document holds, with a sufficient share of the other words."""
        filled = set(self.present(words))
        numbers = {number for slot in filled for number in self._by_slot.get(slot, ())}
        near = ((number, self._share(number, filled)) for number in sorted(numbers.union(self._anywhere)))
        return [(number, share) for number, share in near if share >= REFUTES - 1e-9]

    def _share(self, number: int, filled: set[int]) -> float:
        if not filled.issuperset(self._needs[number]):
            return 0.0
        row, weights = self._rows[number], self._weights[number]
        held = sum(weight for slot, weight in zip(row, weights, strict=True) if slot in filled)
        return held / self._wholes[number] if row else 1.0

    def _keys(self, number: int, needs: list[int], rarity: list[float]) -> list[int]:
        """Return slots of which every document that refutes fills one."""
        rarest = sorted(needs, key=lambda slot: -rarity[slot])[:1]
        heavy = self._heaviest(number)
        return heavy if heavy and (not rarest or _commonness(heavy, rarity) < _commonness(rarest, rarity)) else rarest

    def _heaviest(self, number: int) -> list[int]:
        left, taken = self._wholes[number], []
        pairs = zip(self._weights[number], self._rows[number], strict=True)
        for weight, slot in sorted(pairs, key=lambda pair: (-pair[0], pair[1])):
            taken.append(slot)
            left -= weight
            if left < (REFUTES - 1e-6) * self._wholes[number]:
                break
        return list(dict.fromkeys(taken))

    def _slot(self, spellings: tuple[str, ...]) -> int:
        if spellings not in self._slots:
            self._slots[spellings] = len(self._slots)
            for spelling in spellings:
                self._numbers.setdefault(spelling, []).append(self._slots[spellings])
        return self._slots[spellings]


def _commonness(slots: list[int], rarity: list[float]) -> float:
    """Return about what share of the documents fills one of the slots: rarity is ln(1 + N / n)."""
    return sum(1 / math.expm1(rarity[slot]) for slot in slots if rarity[slot])


def _needed(proposal: Proposal) -> list[tuple[str, ...]]:
    """Return the words without which no document refutes, in their spellings; alternatives are checked later."""
    words = (word for group in proposal.joined if len(group) == 1 for word in tokens(group[0]))
    return [tuple(tokens(" ".join(year_spellings(word)))) for word in words]


# Separates two texts, so that the last word of one and the first of the next are no neighbours.
_BREAK = "|"


class DocumentWords:
    """The words of a document's text, its title and its other names."""

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
