"""Kernels, the minimal sufficient document sets: expand, minimise, ban and search again.

1. What is ruled already is used at no cost: a document that suffices alone is a kernel.
2. Expansion (`Expansion`) finds a set that suffices, from the first documents of the start.
3. Minimising (`minimise`) makes a kernel of it.
4. Alternatives: a member of the kernel is banned and the search goes on from the rest of the kernel; then another
   member; then the members of every kernel found this way. A kernel that has no banned member serves again at no cost,
   and bans that include bans under which nothing was found are not tried: what could not be found among more documents
   will not be found among fewer. (This is Reiter's tree of hitting sets, breadth first. Where every expansion may go on
   until nothing is left to be found, it finds every kernel.)

Expansion: after every no, documents are searched for and the best new ones join the set:

    the judge says what is missing    by those words; where they find too few, also as where it says nothing
    it says the same again            by those words and as where it says nothing, in turn: what it names may stand
                                      deeper in the list, or not be there
    it says nothing                   by the question, and by the question with the words of one document of the set,
                                      in turn; another document at each step

Options of a question are never searched for: their text may be wrong. A ruling without an outcome is no yes and names
nothing missing; the expansion goes on.

Minimising: the documents that the evidence quotes are tried first, which often are the kernel already. Then each
document is left out in turn, the latest to join first, and the judge is asked about the rest:

    yes             the document is spare, and goes
    no              it is needed
    anything else   undecided: it stays, and the set is not proven to be minimal

This is repeated until a whole round leaves nothing out. So of a set that is called minimal, the set itself was ruled a
yes and each of the sets that lack one member was ruled a no: nothing is inferred.

A set is shown to the judge in the order of its ids, so that the same set is always the same question, whichever path
led to it, and a model's cached answer serves all of them.

Questions are independent and may be searched at the same time. Within one question rulings are asked for one after the
other: a kernel found early spares the search for it under other bans, and the outcome never depends on timing.

Where one kernel lies within another only the inner one is reported. A query that the retriever cannot answer finds
nothing, and the search is then not exhausted. Errors that end the run (budget, model down) pass through; rulings made
until then are in the cache of the judge's model.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, fields
from itertools import chain, zip_longest
from threading import Lock
from typing import TYPE_CHECKING, TypeAlias

from goldproof.errors import InputError, SearchFailedError
from goldproof.jobs.mine.records import SetRuling
from goldproof.records.entities import Document

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from goldproof.judge import Judge, Ruling
    from goldproof.records.entities import Question
    from goldproof.retrieve import Retriever

Ids = frozenset[str]
# Words, how many documents, ids that must not be among them -> documents, best first.
Search: TypeAlias = Callable[[str, int, frozenset[str]], Awaitable[Sequence[Document]]]
EXPANSION = "expansion"
BOUNDS = ("steps", "size", "alternatives", "rulings", "search failed")
MOST_BANS = 10_000  # large disjoint kernels have more combinations of bans than can be tried
WORDS_OF_A_DOCUMENT = 1_000  # characters; the words of a whole module would drown the question


@dataclass(frozen=True, slots=True)
class KernelSettings:
    """Bounds of the search, per question.

    steps: how often a set that does not suffice is added to. per_step: how many documents each time. seeds: how many
    documents of the start the first set holds. size: how many documents the judge sees at once. alternatives: how many
    kernels are looked for beyond the first. rulings: how many may be asked for, in all.

    By default a set has room for every step: 4 seeds and 4 times 3 documents.
    """

    steps: int = 4
    per_step: int = 3
    seeds: int = 4
    size: int = 16
    alternatives: int = 3
    rulings: int = 60

    def __post_init__(self) -> None:
        for setting in fields(self):
            value, least = getattr(self, setting.name), 0 if setting.name in ("steps", "alternatives") else 1
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise InputError(f"kernels: {setting.name} is {value!r}, expected a whole number of at least {least}.")


@dataclass(frozen=True, slots=True)
class KernelOutcome:
    """The kernels of a question, and how far the search for them went.

    kernels: minimal sets that suffice, ids in order, the first found first. unverified: sets that suffice, but of which
    some member may be spare: a ruling has no outcome, or no more could be asked for. rulings: all that were asked for,
    in order. added: documents that the search brought in, each with its source. exhausted: everything was tried, no
    bound was hit. bounded: the bounds that were hit (of BOUNDS, with commas between), else empty. informed: after every
    no the judge named what is missing, and that was searched for. failed: how many rulings have no outcome.
    """

    kernels: tuple[tuple[str, ...], ...] = ()
    unverified: tuple[tuple[str, ...], ...] = ()
    rulings: tuple[SetRuling, ...] = ()
    added: tuple[tuple[str, str], ...] = ()
    exhausted: bool = False
    bounded: str = ""
    informed: bool = False
    failed: int = 0


async def find_kernels(
    question: Question,
    *,
    start: Sequence[Document],
    judge: Judge,
    search: Search,
    settings: KernelSettings | None = None,
    known: Mapping[Ids, Ruling] | None = None,
) -> KernelOutcome:
    """Search for the kernels of a question.

    start: documents to start from, best first (targets, then documents that suffice alone, then the best hits).
    known: rulings made already, by the ids of the documents (above all those on single documents).
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
    """Judge a set that an agent proposes, and minimise it where it suffices; nothing is searched for."""
    rulings = Rulings(question, judge=judge, most=(settings or KernelSettings()).rulings, known=known)
    proposed = tuple({document.id: document for document in documents}.values())
    ruling = await rulings.on(proposed, why="agent") if proposed else None
    minimal = await minimise(proposed, ruling, rulings=rulings) if ruling is not None and ruling.sufficient else None
    ids = () if minimal is None else (_in_order(document.id for document in minimal.documents),)
    return KernelOutcome(
        kernels=ids if minimal is not None and minimal.proven else (),
        unverified=ids if minimal is not None and not minimal.proven else (),
        rulings=rulings.asked,
        exhausted=not rulings.refused,
        bounded="rulings" if rulings.refused else "",
        failed=rulings.failed,
    )


@dataclass(frozen=True, slots=True)
class _Ban:
    """Documents that must not be used, and those to start from: the rest of the kernel that led to the ban."""

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
        self._kernels = rulings.kernels()
        self._bounds: set[str] = set()
        self._informed: list[bool] = []  # of each expansion

    async def look(self) -> None:
        """Find one kernel after the other, breadth first, until nothing is left to be banned."""
        queue, met, barren = deque([_Ban()]), {frozenset[str]()}, list[Ids]()
        while queue and not self._rulings.refused:
            ban = queue.popleft()
            if any(bans <= ban.banned for bans in barren):
                continue
            kernel = next((ids for ids in self._kernels if not ids & ban.banned), None)
            enough = kernel is None and len(self._kernels) > self._settings.alternatives
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
        """Find a kernel without the banned documents; None where there is none."""
        allowed = [document for document in self._start if document.id not in ban.banned]
        first = [self._seen[member] for member in ban.rest if member in self._seen] or allowed[: self._settings.seeds]
        whys = ("alternative", "alternative") if ban.banned else ("seed", "expand")
        expansion = Expansion(self._question, self._rulings, self._searched, self._settings, ban.banned, self._start)
        expanded = await expansion.run(first, whys=whys)
        self._bounds.update({expanded.bound} - {""})
        self._informed.append(expansion.informed)
        if expanded.ruling is None:
            return None
        minimal = await minimise(expanded.documents, expanded.ruling, rulings=self._rulings)
        ids = frozenset(document.id for document in minimal.documents)
        self._kernels.append(ids)
        return ids

    async def _searched(self, words: str, many: int, banned: Ids) -> Sequence[Document]:
        try:
            hits = await self._search(words, many, banned)
        except SearchFailedError:  # other queries may work, but the search is not exhausted
            self._bounds.add("search failed")
            return ()
        for document in hits:
            self._seen.setdefault(document.id, document)
        return hits

    def outcome(self) -> KernelOutcome:
        """Return the kernels, and how far the search went."""
        kernels = _innermost(self._rulings.kernels())
        loose = [ids for ids in self._rulings.sufficient() if not any(kernel <= ids for kernel in kernels)]
        bounds = self._bounds | ({"rulings"} if self._rulings.refused else set())
        return KernelOutcome(
            kernels=tuple(_in_order(ids) for ids in kernels),
            unverified=tuple(_in_order(ids) for ids in _innermost(loose)),
            rulings=self._rulings.asked,
            added=tuple((document, EXPANSION) for document in self._added()),
            exhausted=not bounds,
            bounded=", ".join(bound for bound in BOUNDS if bound in bounds),
            informed=bool(self._informed) and all(self._informed),
            failed=self._rulings.failed,
        )

    def _added(self) -> list[str]:
        """Return the documents that the judge saw beyond the start, in order."""
        started = {document.id for document in self._start}
        looked_at = dict.fromkeys(document for asked in self._rulings.asked for document in asked.documents)
        return [document for document in looked_at if document not in started]


def _innermost(sets: Sequence[Ids]) -> list[Ids]:
    """Return the sets that contain no other."""
    return [ids for ids in sets if not any(other < ids for other in sets)]


def _in_order(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(ids))


@dataclass(frozen=True, slots=True)
class Expanded:
    """The set an expansion ended with. ruling: a yes on it, else None. bound: the bound that ended it, else empty."""

    documents: tuple[Document, ...] = ()
    ruling: Ruling | None = None
    bound: str = ""


@dataclass(frozen=True, slots=True)
class Expansion:
    """Adds documents to a set until the judge rules that it suffices.

    banned: ids that must not be in the set. reserve: documents that join it where the search finds too few. searched:
    what the judge named as missing so far; empty text where it named nothing.
    """

    question: Question
    rulings: Rulings
    search: Search
    settings: KernelSettings
    banned: frozenset[str] = frozenset()
    reserve: Sequence[Document] = ()
    searched: set[str] = field(default_factory=set)

    async def run(self, first: Sequence[Document], *, whys: tuple[str, str]) -> Expanded:
        """Expand a set. whys: the reason noted for the first ruling, and for all others."""
        start = first or await self._new(self.question.text, held=())
        held, step = tuple(start)[: self.settings.size], 0
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
        """Return the bound that is reached after so many steps, with so many documents; empty if none is."""
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
        new = in_turns(named, beside) if again else [*named, *beside]
        new += [document for document in self.reserve if not self._taken(document, held)]
        return tuple({document.id: document for document in new}.values())[:many]

    async def _unnamed(self, held: Sequence[Document], *, step: int) -> list[Document]:
        """Search where the judge did not say what is missing."""
        about = held[step % len(held)]
        words = f"{self.question.text} {about.title} {about.text[:WORDS_OF_A_DOCUMENT]}"
        return in_turns(await self._new(self.question.text, held=held), await self._new(words, held=held))

    async def _new(self, words: str, *, held: Sequence[Document]) -> Sequence[Document]:
        taken = self.banned | {document.id for document in held}
        hits = await self.search(words, self.settings.per_step if held else self.settings.seeds, taken)
        return [document for document in hits if not self._taken(document, held)]

    def _taken(self, document: Document, held: Sequence[Document]) -> bool:
        return document.id in self.banned or any(document.id == other.id for other in held)


def in_turns(first: Sequence[Document], second: Sequence[Document]) -> list[Document]:
    """Return the documents of both, alternating."""
    return [document for document in chain.from_iterable(zip_longest(first, second)) if document is not None]


@dataclass(frozen=True, slots=True)
class Minimised:
    """A set that suffices. proven: whether no member is spare."""

    documents: tuple[Document, ...]
    proven: bool


async def minimise(documents: Sequence[Document], ruling: Ruling, *, rulings: Rulings) -> Minimised:
    """Leave out every member that the set does not need. ruling: the yes on the whole set."""
    held, changed = await _quoted(tuple(documents), ruling, rulings=rulings), True
    while changed:
        before = held
        for spare in reversed(before):
            if spare in held:  # it may have been dropped with another, unquoted
                held = await _without(spare, held, rulings=rulings)
        changed = held != before and not rulings.refused
    return Minimised(held, rulings.proven(document.id for document in held))


async def _without(spare: Document, held: tuple[Document, ...], *, rulings: Rulings) -> tuple[Document, ...]:
    """Return the set without the document, and without what is then no longer quoted; the same set if it is needed."""
    rest = tuple(document for document in held if document is not spare)
    ruling = await rulings.on(rest, why="minimise") if rest else None
    return await _quoted(rest, ruling, rulings=rulings) if ruling is not None and ruling.sufficient else held


async def _quoted(held: tuple[Document, ...], ruling: Ruling, *, rulings: Rulings) -> tuple[Document, ...]:
    """Return the documents that the evidence for a set quotes, where they suffice without the others."""
    quoted = {evidence.document for evidence in ruling.evidence}
    rest = tuple(document for document in held if document.id in quoted)
    if not rest or len(rest) == len(held):
        return held
    narrower = await rulings.on(rest, why="minimise")
    if narrower is None or not narrower.sufficient:
        return held
    return await _quoted(rest, narrower, rulings=rulings)


class Rulings:
    """The rulings on sets of documents for one question, within a limit. known: rulings made before, at no cost."""

    def __init__(
        self, question: Question, *, judge: Judge, most: int, known: Mapping[frozenset[str], Ruling] | None = None
    ) -> None:
        self._question = question
        self._judge = judge
        self._most = most
        self._known = dict(known or {})
        self._asked: list[SetRuling] = []
        self._refused = False

    async def on(self, documents: Sequence[Document], *, why: str) -> Ruling | None:
        """Return the ruling on these documents together; None where the limit is reached."""
        ids = frozenset(document.id for document in documents)
        if ids in self._known:
            return self._known[ids]
        if len(self._asked) >= self._most:
            self._refused = True
            return None
        ordered = sorted(documents, key=lambda document: document.id)
        ruling = await self._judge.judge(self._question, ordered)
        self._known[ids] = ruling
        self._asked.append(SetRuling(tuple(document.id for document in ordered), ruling, why))
        return ruling

    def sufficient(self) -> list[frozenset[str]]:
        """Return the sets that are ruled sufficient so far, in the order of the rulings."""
        return [ids for ids, ruling in self._known.items() if ids and ruling.sufficient]

    def kernels(self) -> list[frozenset[str]]:
        """Return the sufficient sets that have no spare member."""
        return [ids for ids in self.sufficient() if self.proven(ids)]

    def proven(self, ids: Iterable[str]) -> bool:
        """Return whether no member is spare: each set without one of them is ruled a no.

        A single document is not spare: whether a question needs no context at all is asked elsewhere.
        """
        members = frozenset(ids)
        smaller = (self._known.get(members - {member}) for member in sorted(members)) if len(members) > 1 else ()
        return all(ruling is not None and ruling.sufficient is False for ruling in smaller)

    @property
    def asked(self) -> tuple[SetRuling, ...]:
        """Every ruling that was asked for, in order."""
        return tuple(self._asked)

    @property
    def failed(self) -> int:
        """How many rulings have no outcome."""
        return sum(asked.ruling.sufficient is None for asked in self._asked)

    @property
    def refused(self) -> bool:
        """Whether a ruling was refused since the limit was reached."""
        return self._refused


def search_of(retriever: Retriever, documents: Mapping[str, Document]) -> Search:
    """Return the search of a retriever that is indexed already. documents: all of them, by id.

    Retrievers know no bans, so as many more documents are asked for as are banned, and those are left out. A user's
    retriever need not be thread-safe, so calls wait for each other.
    """
    lock = Lock()

    def search(words: str, many: int, banned: frozenset[str]) -> Sequence[Document]:
        if not words.strip():
            return ()
        with lock:
            hits = retriever.search(words, many + len(banned))
        ids = dict.fromkeys(hit.doc_id for hit in hits if hit.doc_id not in banned)
        return [documents[document] for document in ids if document in documents][:many]

    async def in_thread(words: str, many: int, banned: frozenset[str]) -> Sequence[Document]:
        return await asyncio.to_thread(search, words, many, banned)

    return in_thread
