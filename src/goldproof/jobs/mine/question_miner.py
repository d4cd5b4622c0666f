"""Mine one question: send an agent, judge the candidates, find kernels, ask without context.

The steps are asked for in this order; rulings on single candidates at the same time, on sets one after the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from goldproof.concurrency import gather_all
from goldproof.jobs.mine.discovery import discover
from goldproof.jobs.mine.kernels import BOUNDS, KernelOutcome, KernelSettings, check_kernel, find_kernels
from goldproof.jobs.mine.labels import label_question
from goldproof.jobs.mine.records import Candidate
from goldproof.judge import answered_without_context

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from goldproof.jobs.mine.discovery_tools import Tools
    from goldproof.jobs.mine.kernels import Search
    from goldproof.jobs.mine.records import MinedQuestion
    from goldproof.judge import Judge, Ruling
    from goldproof.llm import Model
    from goldproof.records.entities import Document, Question

# Sources that name a document as the answer, surest first: the search for kernels starts from these.
_NAMED = ("target", "import", "agent")


@dataclass(frozen=True, slots=True)
class Agent:
    """A model that searches the corpus with tools."""

    model: Model
    tools: Tools


@dataclass(frozen=True, slots=True)
class KernelSearch:
    """The retriever that finds missing parts of a kernel, and the bounds of the search."""

    search: Search
    settings: KernelSettings = field(default_factory=KernelSettings)


@dataclass(frozen=True, slots=True)
class Workbench:
    """Judge, documents, searches and models for mining, opened once for all questions.

    documents: of the corpus, by id. kernel_search, agent: None where no kernels are looked for, or no agent is sent.
    blind_model: the model that is asked without any context; None where none is.
    """

    judge: Judge
    documents: Mapping[str, Document]
    kernel_search: KernelSearch | None = None
    agent: Agent | None = None
    blind_model: Model | None = None


async def mine_question(
    question: Question,
    candidates: Sequence[Candidate],
    bench: Workbench,
    *,
    on_ruling: Callable[[Ruling], None],
) -> MinedQuestion:
    """Judge the candidates of a question, find its kernels, and label it. on_ruling: called for each candidate."""
    discovery = None
    if bench.agent is not None:
        discovery = await discover(question, model=bench.agent.model, tools=bench.agent.tools)
        candidates = _with_source(candidates, discovery.candidates, "agent", question.id)
    rulings = await _judge_candidates(question, candidates, bench, on_ruling=on_ruling)
    proposed = () if discovery is None else discovery.kernel
    outcome = await _find_kernels(question, candidates, bench, rulings=rulings, proposed=proposed)
    mined = label_question(
        question,
        candidates=candidates,
        alone=rulings,
        outcome=outcome,
        scale=bench.judge.scale,
        corpus=len(bench.documents),
    )
    mined = replace(mined, discovery=discovery)
    if bench.blind_model is None:
        return mined
    blind = await answered_without_context(question, bench.blind_model)
    return replace(mined, without_context=blind.answered, without_context_reason=blind.reason)


async def _judge_candidates(
    question: Question, candidates: Sequence[Candidate], bench: Workbench, *, on_ruling: Callable[[Ruling], None]
) -> dict[str, Ruling]:
    """Return a ruling on every candidate alone, by document."""

    async def judge(document: str) -> Ruling:
        ruling = await bench.judge.judge(question, (bench.documents[document],))
        on_ruling(ruling)
        return ruling

    ids = [candidate.document for candidate in candidates]
    return dict(zip(ids, await gather_all([judge(document) for document in ids]), strict=True))


async def _find_kernels(
    question: Question,
    candidates: Sequence[Candidate],
    bench: Workbench,
    *,
    rulings: Mapping[str, Ruling],
    proposed: Sequence[str],
) -> KernelOutcome | None:
    """Check the set that an agent proposed, then search; None where no kernels are looked for."""
    if bench.kernel_search is None or bench.judge.why_not_sets(question) is not None:
        return None
    settings = bench.kernel_search.settings
    known = {frozenset((document,)): ruling for document, ruling in rulings.items()}
    checked = KernelOutcome()
    if len(proposed) > 1:
        documents = [bench.documents[document] for document in proposed]
        checked = await check_kernel(question, documents=documents, judge=bench.judge, settings=settings, known=known)
        known |= {frozenset(asked.documents): asked.ruling for asked in checked.rulings}
        settings = replace(settings, rulings=max(1, settings.rulings - len(checked.rulings)))
    searched = await find_kernels(
        question,
        start=[bench.documents[document] for document in _best_first(candidates, rulings)],
        judge=bench.judge,
        search=bench.kernel_search.search,
        settings=settings,
        known=known,
    )
    return merge_outcomes(checked, searched)


def merge_outcomes(checked: KernelOutcome, searched: KernelOutcome) -> KernelOutcome:
    """Return the outcome of the search with the rulings on the agent's proposal, whose kernels it knows already."""
    bounds = {bound for outcome in (searched, checked) for bound in outcome.bounded.split(", ") if bound}
    return replace(
        searched,
        rulings=(*checked.rulings, *searched.rulings),
        exhausted=not bounds,
        bounded=", ".join(bound for bound in BOUNDS if bound in bounds),
        failed=checked.failed + searched.failed,
    )


def _with_source(
    candidates: Sequence[Candidate], documents: Iterable[str], source: str, question: str
) -> tuple[Candidate, ...]:
    """Return the candidates with these documents among them, the source added to each."""
    known = {candidate.document: candidate for candidate in candidates}
    for document in documents:
        candidate = known.get(document, Candidate(question, document, ()))
        if source not in candidate.sources:
            known[document] = replace(candidate, sources=(*candidate.sources, source))
    return tuple(known.values())


def _best_first(candidates: Sequence[Candidate], rulings: Mapping[str, Ruling]) -> list[str]:
    """Return where a kernel search starts: targets, then documents that suffice alone, then the best hits.

    Random documents are used only where there is nothing else: what they lack can still be searched for.
    """

    def rank(candidate: Candidate) -> int:
        named = [_NAMED.index(source) for source in candidate.sources if source in _NAMED]
        if named:
            return min(named)
        if rulings[candidate.document].sufficient:
            return len(_NAMED)
        return len(_NAMED) + (2 if set(candidate.sources) <= {"random"} else 1)

    ranked = sorted((rank(candidate), place) for place, candidate in enumerate(candidates))
    best = [place for order, place in ranked if order < len(_NAMED) + 2] or [place for _, place in ranked]
    return [candidates[place].document for place in best]
