"""Kernels: the minimal sets of documents that suffice to answer a question, found by asking a judge.

1. What is ruled already is used at no cost: a document that suffices alone is a kernel.
2. Expansion finds a set that suffices (`expanding`), from the first documents of the start.
3. Minimising makes a kernel of it (`minimising`).
4. Alternatives: a member of the kernel is banned and the search goes on from the rest of the kernel; then another
   member; then, for every kernel found so, its members as well. A kernel that has no banned member serves again at no
   cost, and bans that include bans under which nothing was found are not tried: what could not be found among more
   documents will not be found among fewer. (This is Reiter's tree of hitting sets, breadth first. Where every
   expansion may go on until nothing is left to be found, it finds every kernel.)

Questions are independent and may be looked at at the same time. Within one question rulings are asked for one after
the other: a kernel found early spares the search for it under other bans, and the outcome never depends on timing.

Of two kernels of which one lies within the other only that one is reported. A query that the retriever cannot answer
finds nothing, and the search is then not exhausted. Errors that end the run (budget, model down) pass through; what was
ruled until then is in the cache of the judge's model.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.errors import SearchFailedError
from goldproof.jobs.mine.kernels.expanding import Expansion
from goldproof.jobs.mine.kernels.minimising import minimise
from goldproof.jobs.mine.kernels.outcome import BOUNDS, EXPANSION, KernelOutcome, KernelSettings, Search
from goldproof.jobs.mine.kernels.rulings import Rulings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from goldproof.judge.judge import Judge, Ruling
    from goldproof.records.entities import Document, Question

Ids = frozenset[str]
MOST_BANS = 10_000  # many large kernels without a member in common have more ways to be banned than can be tried


async def find_kernels(
    question: Question,
    *,
    start: Sequence[Document],
    judge: Judge,
    search: Search,
    settings: KernelSettings | None = None,
    known: Mapping[Ids, Ruling] | None = None,
) -> KernelOutcome:
    """Find kernels of a question.

    start: where the search starts from, best first (targets, then documents that suffice alone, then the best hits).
    known: what is ruled already, by the ids of the documents (rulings on single documents above all).
    """
    chosen = settings or KernelSettings()
    rulings = Rulings(question, judge=judge, most=chosen.rulings, known=known)
    finder = _Finder(question, start=start, rulings=rulings, search=search, settings=chosen)
    await finder.look()
    return finder.outcome()


async def check_kernel(
    question: Question,
    *,
    documents: Sequence[Document],
    judge: Judge,
    settings: KernelSettings | None = None,
    known: Mapping[Ids, Ruling] | None = None,
) -> KernelOutcome:
    """Judge a set that somebody proposes (an agent), and minimise it where it suffices; nothing is searched for."""
    rulings = Rulings(question, judge=judge, most=(settings or KernelSettings()).rulings, known=known)
    proposed = tuple({document.id: document for document in documents}.values())
    ruling = await rulings.on(proposed, why="agent") if proposed else None
    found = await minimise(proposed, ruling, rulings=rulings) if ruling is not None and ruling.sufficient else None
    ids = () if found is None else (_in_order(document.id for document in found.documents),)
    return KernelOutcome(
        kernels=ids if found is not None and found.proven else (),
        unverified=ids if found is not None and not found.proven else (),
        rulings=rulings.asked,
        exhausted=not rulings.refused,
        bounded="rulings" if rulings.refused else "",
        failed=rulings.failed,
    )


@dataclass(frozen=True, slots=True)
class _Ban:
    """Documents that must not be used, and those to start from instead: the rest of the kernel that led here."""

    banned: Ids = frozenset()
    rest: tuple[str, ...] = ()


class _Finder:
    """The search for the kernels of one question."""

    def __init__(
        self,
        question: Question,
        *,
        start: Sequence[Document],
        rulings: Rulings,
        search: Search,
        settings: KernelSettings,
    ) -> None:
        self._question = question
        self._start = tuple({document.id: document for document in start}.values())
        self._rulings = rulings
        self._search = search
        self._settings = settings
        self._seen = {document.id: document for document in self._start}
        self._found = rulings.kernels()
        self._bounds: set[str] = set()
        self._informed: list[bool] = []  # of each expansion

    async def look(self) -> None:
        """Look for one kernel after the other, breadth first, until nothing is left to be banned."""
        queue, met, barren = deque([_Ban()]), {frozenset[str]()}, list[Ids]()
        while queue and not self._rulings.refused:
            ban = queue.popleft()
            if any(bans <= ban.banned for bans in barren):
                continue
            kernel = next((ids for ids in self._found if not ids & ban.banned), None)
            enough = kernel is None and len(self._found) > self._settings.alternatives
            if enough or len(met) > MOST_BANS:
                self._bounds.add("alternatives")
                return
            kernel = kernel or await self._look_without(ban)
            if kernel is None:
                barren.append(ban.banned)
                continue
            for member in sorted(kernel):
                banned = ban.banned | {member}
                if banned not in met:
                    met.add(banned)
                    queue.append(_Ban(banned, tuple(sorted(kernel - banned))))

    async def _look_without(self, ban: _Ban) -> Ids | None:
        """Look for a set that suffices without the banned documents; None where none is found."""
        allowed = [document for document in self._start if document.id not in ban.banned]
        first = [self._seen[one] for one in ban.rest if one in self._seen] or allowed[: self._settings.seeds]
        whys = ("alternative", "alternative") if ban.banned else ("seed", "expand")
        expansion = Expansion(self._question, self._rulings, self._searched, self._settings, ban.banned, self._start)
        expanded = await expansion.run(first, whys=whys)
        self._bounds.update({expanded.bound} - {""})
        self._informed.append(expansion.informed)
        if expanded.ruling is None:
            return None
        minimal = await minimise(expanded.documents, expanded.ruling, rulings=self._rulings)
        ids = frozenset(document.id for document in minimal.documents)
        self._found.append(ids)
        return ids

    async def _searched(self, words: str, many: int, banned: Ids) -> Sequence[Document]:
        try:
            found = await self._search(words, many, banned)
        except SearchFailedError:  # of one query; with others the search can go on, but it is not exhausted
            self._bounds.add("search failed")
            return ()
        for document in found:
            self._seen.setdefault(document.id, document)
        return found

    def outcome(self) -> KernelOutcome:
        """Return what was found."""
        kernels = _innermost(self._rulings.kernels())
        loose = [ids for ids in self._rulings.sufficient() if not any(kernel <= ids for kernel in kernels)]
        bounds = self._bounds | ({"rulings"} if self._rulings.refused else set())
        return KernelOutcome(
            kernels=tuple(_in_order(ids) for ids in kernels),
            unverified=tuple(_in_order(ids) for ids in _innermost(loose)),
            rulings=self._rulings.asked,
            added=tuple((one, EXPANSION) for one in self._added()),
            exhausted=not bounds,
            bounded=", ".join(bound for bound in BOUNDS if bound in bounds),
            informed=bool(self._informed) and all(self._informed),
            failed=self._rulings.failed,
        )

    def _added(self) -> list[str]:
        """Return the documents that the judge saw and the start does not have, in the order of seeing."""
        started = {document.id for document in self._start}
        looked_at = dict.fromkeys(one for asked in self._rulings.asked for one in asked.documents)
        return [one for one in looked_at if one not in started]


def _innermost(sets: Sequence[Ids]) -> list[Ids]:
    """Return the sets that have no other one within them."""
    return [ids for ids in sets if not any(other < ids for other in sets)]


def _in_order(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(ids))
