"""Does the corpus answer a proposal after all? All proposals against all documents, in two passes, with flat memory.

A document refutes a proposal where it holds

1. of every group of `joined` one phrase, whole words in a row (the new name, the new year, the negation; and the
   question's subject where it is known), in its text, its title or the names that its samples give it; and
2. of the question's other content words a share of at least `REFUTES`, weighted by rarity: ln(1 + N / n), for n of N
   documents that hold the word. A plain share misjudges: "net sales ... 2018" is in every report, "servicing fee" in
   one. A proposal without other words is refuted by the first condition alone.

The first pass counts n, the second decides. A question that the pool already has is no new question and is rejected
before.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from karat.core.errors import InputError
from karat.jobs.build.unanswerables.phrases import Alternatives, DocumentWords
from karat.jobs.build.unanswerables.terms import tokens, variants, year_spellings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import numpy.typing as npt

    from karat.core.records import Document
    from karat.jobs.build.unanswerables.proposal import Proposal

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
    """What passed and what did not, both in the order of the proposals' keys."""

    accepted: tuple[Proposal, ...]
    rejected: tuple[Rejected, ...]

    @property
    def counts(self) -> dict[str, dict[str, int]]:
        """How many were rejected: method -> reason -> number."""
        found = Counter((one.proposal.method, one.reason) for one in self.rejected)
        return {
            method: {reason: found[method, reason] for _, reason in sorted(found) if found[method, reason]}
            for method in sorted({method for method, _ in found})
        }


def check(
    proposals: Iterable[Proposal],
    documents: Iterable[Document],
    *,
    labels: Mapping[str, Sequence[str]] | None = None,
    is_known: Callable[[str], bool] | None = None,
) -> CheckOutcome:
    """Return which proposals no document refutes.

    documents: read twice, so a list, or something that starts anew each time. labels: document id -> names that stand
    for it besides its title (`Substitutes.labels`).
    """
    if iter(documents) is documents:
        raise InputError("the documents can be read once only, expected a list or something that can be read twice.")
    ordered = sorted({one.key: one for one in proposals}.items())
    known = {key for key, one in ordered if is_known is not None and is_known(one.question)}
    fresh = [one for key, one in ordered if key not in known]
    refuted = _refuted(fresh, documents, labels=labels or {})
    rejected = [*(Rejected(one, KNOWN) for key, one in ordered if key in known), *refuted]
    bad = {one.proposal.key for one in refuted}
    return CheckOutcome(
        accepted=tuple(one for one in fresh if one.key not in bad),
        rejected=tuple(sorted(rejected, key=lambda one: one.proposal.key)),
    )


def _refuted(
    proposals: Sequence[Proposal], documents: Iterable[Document], *, labels: Mapping[str, Sequence[str]]
) -> list[Rejected]:
    if not proposals:
        return []
    index = _Index(proposals)
    joins = [tuple(Alternatives.of(group) for group in one.joined) for one in proposals]
    index.weigh(_rarity(index, documents, labels=labels))
    best: dict[int, tuple[float, str]] = {}
    for document in documents:
        words = DocumentWords(document, labels.get(document.id, ()))
        for number, share in index.near(words.distinct):
            # The largest share is told; of equals the smallest id, whatever came first.
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
    """The words of all proposals as numbers, so that a document is compared with all of them at once."""

    def __init__(self, proposals: Sequence[Proposal]) -> None:
        self._numbers: dict[str, list[int]] = {}
        self._slots: dict[tuple[str, ...], int] = {}
        rows = [[self._slot(variants(word)) for word in one.others] for one in proposals]
        needs = [[self._slot(spellings) for spellings in _needed(one)] for one in proposals]
        self.size = len(self._slots) + 1
        self._flat, self._starts = _flattened(rows, empty=self.size - 1)
        self._needs, self._need_starts = _flattened(needs, empty=self.size - 1)
        self._weights: npt.NDArray[np.float64] = np.ones(len(self._flat))
        self._whole: npt.NDArray[np.float64] = np.ones(len(proposals))

    def present(self, found: set[str]) -> list[int]:
        """Return the slots that some word of a document fills; the last slot is always filled."""
        words = self._numbers.keys() & found
        return [*{slot for word in words for slot in self._numbers[word]}, self.size - 1]

    def weigh(self, weights: npt.NDArray[np.float64]) -> None:
        """Set how much each slot counts."""
        self._weights = weights[self._flat]
        self._whole = np.add.reduceat(self._weights, self._starts)

    def near(self, found: set[str]) -> list[tuple[int, float]]:
        """Return the proposals whose needed words a document holds, with a sufficient share of the other words."""
        filled = np.zeros(self.size, dtype=bool)
        filled[self.present(found)] = True
        joined = np.logical_and.reduceat(filled[self._needs], self._need_starts)
        share = np.add.reduceat(self._weights * filled[self._flat], self._starts) / self._whole
        numbers = np.flatnonzero(joined & (share >= REFUTES - 1e-9))
        return [(int(number), float(share[number])) for number in numbers]

    def _slot(self, spellings: tuple[str, ...]) -> int:
        if spellings not in self._slots:
            self._slots[spellings] = len(self._slots)
            for spelling in spellings:
                self._numbers.setdefault(spelling, []).append(self._slots[spellings])
        return self._slots[spellings]


def _needed(proposal: Proposal) -> list[tuple[str, ...]]:
    """The words without which no document joins, in their spellings; a group of alternatives is looked at later."""
    words = (word for group in proposal.joined if len(group) == 1 for word in tokens(group[0]))
    return [tuple(tokens(" ".join(year_spellings(word)))) for word in words]


def _flattened(rows: list[list[int]], *, empty: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    filled = [row or [empty] for row in rows]
    starts = np.cumsum([0, *(len(row) for row in filled[:-1])])
    return np.array([slot for row in filled for slot in row], dtype=np.int64), starts
