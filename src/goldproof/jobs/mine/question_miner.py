"""`mine_question()`: discover, label, find kernels, ask without context."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from goldproof.concurrency import gather_all
from goldproof.jobs.mine.discovery import discover
from goldproof.jobs.mine.kernels import BOUNDS, KernelOutcome, KernelSettings, check_kernel, find_kernels
from goldproof.jobs.mine.labels import settle
from goldproof.jobs.mine.records import Candidate
from goldproof.judge.batch import ThrottledJudge
from goldproof.judge.without_context import answered_without_context

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from goldproof.io.cases import Case
    from goldproof.jobs.mine.discovery import Discovery
    from goldproof.jobs.mine.discovery_tools import Tools
    from goldproof.jobs.mine.kernels import Search
    from goldproof.jobs.mine.records import MinedQuestion
    from goldproof.judge import Judge, Ruling
    from goldproof.llm.model import Model
    from goldproof.records.entities import Document, Question

# What somebody names as the answer, surest first: there a search for kernels starts.
_NAMED = ("target", "import", "agent")


@dataclass(frozen=True, slots=True)
class Agent:
    """A model that searches the corpus itself."""

    model: Model
    tools: Tools


@dataclass(frozen=True, slots=True)
class KernelSearch:
    """How kernels are looked for."""

    search: Search
    settings: KernelSettings = field(default_factory=KernelSettings)


class QuestionMiner:
    """Mines questions one by one; several may be under way.

    documents: of the corpus, by id. blind: the model that is asked without any context; None where nobody is.
    on_ruling: called after each ruling on a single document.
    """

    def __init__(
        self,
        judge: Judge,
        documents: Mapping[str, Document],
        *,
        kernels: KernelSearch | None = None,
        agent: Agent | None = None,
        blind: Model | None = None,
        on_ruling: Callable[[Ruling], None] | None = None,
    ) -> None:
        self._judge = ThrottledJudge(judge)
        self._documents = documents
        self._kernels = kernels
        self._agent = agent
        self._blind = blind
        self._on_ruling = on_ruling

    async def mine(self, case: Case, candidates: Sequence[Candidate]) -> MinedQuestion:
        """Mine one question."""
        question = case.question
        discovery = await self._discover(question)
        if discovery is not None:
            candidates = _with_source(candidates, discovery.candidates, "agent", question.id)
        rulings = await self._label(question, candidates)
        outcome = await self._find_kernels(question, candidates, rulings=rulings, proposed=discovery)
        mined = settle(
            question,
            candidates=candidates,
            alone=rulings,
            outcome=outcome,
            scale=self._judge.scale,
            corpus=len(self._documents),
        )
        return await self._asked_blind(replace(mined, discovery=discovery))

    async def _label(self, question: Question, candidates: Sequence[Candidate]) -> dict[str, Ruling]:
        """Judge every candidate alone."""
        ids = [candidate.document for candidate in candidates]

        async def one(document: str) -> Ruling:
            ruling = await self._judge.judge(question, (self._documents[document],))
            if self._on_ruling is not None:
                self._on_ruling(ruling)
            return ruling

        return dict(zip(ids, await gather_all([one(document) for document in ids]), strict=True))

    async def _discover(self, question: Question) -> Discovery | None:
        if self._agent is None:
            return None
        return await discover(question, model=self._agent.model, tools=self._agent.tools)

    async def _find_kernels(
        self,
        question: Question,
        candidates: Sequence[Candidate],
        *,
        rulings: Mapping[str, Ruling],
        proposed: Discovery | None,
    ) -> KernelOutcome | None:
        if self._kernels is None or self._judge.why_not_sets(question) is not None:
            return None
        settings = self._kernels.settings
        known = {frozenset((document,)): ruling for document, ruling in rulings.items()}
        checked = KernelOutcome()
        if proposed is not None and len(proposed.kernel) > 1:
            documents = [self._documents[one] for one in proposed.kernel]
            checked = await check_kernel(
                question, documents=documents, judge=self._judge, settings=settings, known=known
            )
            known |= {frozenset(one.documents): one.ruling for one in checked.rulings}
            settings = replace(settings, rulings=max(1, settings.rulings - len(checked.rulings)))
        found = await find_kernels(
            question,
            start=[self._documents[one] for one in _best_first(candidates, rulings)],
            judge=self._judge,
            search=self._kernels.search,
            settings=settings,
            known=known,
        )
        return together(checked, found)

    async def _asked_blind(self, mined: MinedQuestion) -> MinedQuestion:
        if self._blind is None:
            return mined
        found = await answered_without_context(mined.question, self._blind)
        return replace(mined, without_context=found.answered, without_context_reason=found.reason)


def together(checked: KernelOutcome, found: KernelOutcome) -> KernelOutcome:
    """Return the outcome of the search with the rulings on what an agent proposed; its kernels are known to it."""
    bounds = dict.fromkeys(one for outcome in (found, checked) for one in outcome.bounded.split(", ") if one)
    return replace(
        found,
        rulings=(*checked.rulings, *found.rulings),
        exhausted=not bounds,
        bounded=", ".join(bound for bound in BOUNDS if bound in bounds),
        failed=checked.failed + found.failed,
    )


def _with_source(
    candidates: Sequence[Candidate], documents: Iterable[str], source: str, question: str
) -> tuple[Candidate, ...]:
    """Return the candidates with these documents among them, each tagged with where it came from."""
    known = {candidate.document: candidate for candidate in candidates}
    for document in documents:
        candidate = known.get(document, Candidate(question, document, ()))
        if source not in candidate.sources:
            known[document] = replace(candidate, sources=(*candidate.sources, source))
    return tuple(known.values())


def _best_first(candidates: Sequence[Candidate], rulings: Mapping[str, Ruling]) -> list[str]:
    """Return where to start from: targets, then what suffices alone, then the best hits.

    Random documents are no start, unless there is nothing else: what they lack can be searched for all the same.
    """

    def rank(candidate: Candidate) -> int:
        named = [_NAMED.index(source) for source in candidate.sources if source in _NAMED]
        found = [source for source in candidate.sources if source not in (*_NAMED, "random")]
        if named:
            return min(named)
        if rulings[candidate.document].sufficient:
            return len(_NAMED)
        return len(_NAMED) + (1 if found else 2)

    ranked = sorted((rank(candidate), place) for place, candidate in enumerate(candidates))
    best = [place for order, place in ranked if order < len(_NAMED) + 2] or [place for _, place in ranked]
    return [candidates[place].document for place in best]
