"""`mine()`, `run_plan()`: the loop over questions, progress and the clean stop.

Where the budget is spent or a model is down no new question is begun; calls in flight end, so that what they cost is
kept. The questions that are done are returned, and the reason why the others are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from goldproof.concurrency import gather_all, run_in_loop
from goldproof.corpus import Corpus, open_corpus
from goldproof.corpus.packages import open_package
from goldproof.errors import BudgetSpentError, InputError, ModelDownError, shortened
from goldproof.jobs.mine.discovery_tools import CorpusTools, PackageTools
from goldproof.jobs.mine.kernels import KernelSettings, search_of
from goldproof.jobs.mine.plan import blind_model, open_plan, search_pipeline
from goldproof.jobs.mine.question_miner import Agent, KernelSearch, QuestionMiner
from goldproof.jobs.mine.recipe import Recipe, is_recipe, read_mine, recipe_of
from goldproof.jobs.mine.records import Mined
from goldproof.jobs.mine.result import MiningResult
from goldproof.judge import AnswerJudge
from goldproof.llm import open_model
from goldproof.llm.access import current_access, using_access
from goldproof.llm.budget import Budget
from goldproof.records.entities import Question
from goldproof.retrieve import open_retriever

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping

    from goldproof.io.cases import Case
    from goldproof.jobs.mine.discovery_tools import Tools
    from goldproof.jobs.mine.plan import MiningPlan
    from goldproof.jobs.mine.records import MinedQuestion
    from goldproof.judge import Ruling
    from goldproof.llm.access import Access
    from goldproof.records.entities import Document
    from goldproof.retrieve import Pipeline


@dataclass(frozen=True, slots=True)
class MinedSoFar:
    """questions: those that are done, in the order of the cases. stopped: why not all are, else empty."""

    questions: tuple[MinedQuestion, ...]
    stopped: str = ""


async def mine_all(
    cases: Sequence[Case], mine_one: Callable[[Case], Awaitable[MinedQuestion]], *, at_once: int
) -> MinedSoFar:
    """Mine every case, at most `at_once` of them at a time."""
    done: dict[int, MinedQuestion] = {}
    stopped: list[str] = []
    left = iter(enumerate(cases))

    async def take_turns() -> None:
        while not stopped and (taken := next(left, None)) is not None:
            place, case = taken
            try:
                done[place] = await mine_one(case)
            except (BudgetSpentError, ModelDownError) as error:
                stopped.append(str(error))

    await gather_all([take_turns() for _ in range(max(1, min(at_once, len(cases))))])
    return MinedSoFar(tuple(done[place] for place in sorted(done)), stopped[0] if stopped else "")


@dataclass(frozen=True, slots=True)
class MiningProgress:
    """How far it is.

    labelled: candidates that are judged, of `pairs`; failed: of them, without a ruling. spent: what models cost so far,
    as `Budget.facts` says it; rulings on sets are among the calls.
    """

    questions: int
    all_questions: int
    labelled: int
    pairs: int
    failed: int
    spent: Mapping[str, object]


class MiningWatcher(Protocol):
    """Somebody who wants to know how far it is."""

    def mining(self, progress: MiningProgress) -> None:
        """A candidate is judged, or a question is done."""


class ProgressCounter:
    """Counts what is done and tells a watcher."""

    def __init__(self, watcher: MiningWatcher | None, *, questions: int, pairs: int, budget: Budget) -> None:
        self._watcher = watcher
        self._questions, self._pairs = questions, pairs
        self._budget = budget
        self._done = self._labelled = self._failed = 0

    def ruled(self, ruling: Ruling) -> None:
        """Count a ruling on a candidate."""
        self._labelled += 1
        self._failed += ruling.label == "failed"
        self._tell()

    def finished(self) -> None:
        """Count a question."""
        self._done += 1
        self._tell()

    def _tell(self) -> None:
        if self._watcher is not None:
            self._watcher.mining(
                MiningProgress(
                    questions=self._done,
                    all_questions=self._questions,
                    labelled=self._labelled,
                    pairs=self._pairs,
                    failed=self._failed,
                    spent=self._budget.facts(),
                )
            )


def run_plan(plan: MiningPlan, *, watcher: MiningWatcher | None = None) -> MiningResult:
    """Ask all that is to be asked; where the budget ends or a model is down, the result says so in `mined.stopped`."""
    with open_retriever(search_pipeline(plan)) as retriever:
        kernels, agent = _kernel_search(plan, retriever), _agent(plan)
        done = run_in_loop(_mine(plan, kernels=kernels, agent=agent, watcher=watcher))
    return MiningResult(_mined(plan, done))


async def _mine(
    plan: MiningPlan, *, kernels: KernelSearch | None, agent: Agent | None, watcher: MiningWatcher | None
) -> MinedSoFar:
    tally = ProgressCounter(watcher, questions=len(plan.cases), pairs=plan.pairs, budget=plan.access.budget)
    miner = QuestionMiner(
        plan.judge,
        plan.documents,
        kernels=kernels,
        agent=agent,
        blind=blind_model(plan),
        on_ruling=tally.ruled,
    )

    async def mine_one(case: Case) -> MinedQuestion:
        mined = await miner.mine(case, plan.candidates[case.id])
        tally.finished()
        return mined

    return await mine_all(plan.cases, mine_one, at_once=plan.judge.concurrency)


def _kernel_search(plan: MiningPlan, retriever: Pipeline) -> KernelSearch | None:
    if not plan.recipe.kernels:
        return None
    retriever.index(plan.corpus)
    return KernelSearch(search_of(retriever, plan.documents), KernelSettings())


def _agent(plan: MiningPlan) -> Agent | None:
    if plan.recipe.looking.discover is None:
        return None
    with using_access(plan.access):
        model = open_model(plan.recipe.looking.discover)
    return Agent(model, _tools(plan))


def _tools(plan: MiningPlan) -> Tools:
    """Return what the agent may use: a package's own names where the corpus is one, else words."""
    if plan.corpus.facts.get("kind") == "package":
        return PackageTools(open_package(plan.corpus.name), plan.corpus.documents)
    retriever = open_retriever("bm25")
    retriever.index(plan.corpus)
    return CorpusTools(retriever, plan.corpus.documents)


def _mined(plan: MiningPlan, done: MinedSoFar) -> Mined:
    return Mined(
        questions=done.questions,
        corpus=plan.corpus.documents,
        documents=_documents(plan, done),
        judge=plan.judge.key,
        judge_spec=plan.judge_spec,
        judged_kernels=plan.recipe.kernels,
        facts=_facts(plan),
        inputs=plan.inputs,
        seed=plan.recipe.seed,
        spent=plan.access.budget.facts(),
        stopped=done.stopped,
        problems=plan.problems,
        remarks=(*plan.remarks, *_remarks(plan), *_failures(done)),
    )


def _documents(plan: MiningPlan, done: MinedSoFar) -> Mapping[str, Document]:
    looked_at = dict.fromkeys(document.id for question in done.questions for document in question.documents)
    return {document: plan.documents[document] for document in looked_at}


def _facts(plan: MiningPlan) -> dict[str, object]:
    """Return what decides the result, for the card; places of files do not."""
    looking = plan.recipe.looking
    given = plan.recipe.candidates is not None
    gathered = {"random": looking.random, "hard": looking.hard, "dense": looking.dense}
    return {
        "corpus": dict(plan.corpus.facts) | {"documents": len(plan.corpus)},
        "judge": plan.judge.key,
        "candidates": "from a file" if given else gathered,
        "embedder": looking.embedder if looking.dense else None,
        "discover": looking.discover,
        "depth": looking.depth if looking.runs else None,
        "kernel_settings": asdict(KernelSettings()) if plan.recipe.kernels else None,
        "kernel_search": search_pipeline(plan) if plan.recipe.kernels else None,
        "no_context": blind_model(plan) is not None,
    }


def _failures(done: MinedSoFar) -> list[str]:
    """Say how many rulings failed, or that none counts: nobody may take a broken judge for a strict one."""
    rulings = [one.ruling for question in done.questions for one in question.documents if one.ruling is not None]
    failed = [ruling for ruling in rulings if ruling.label == "failed"]
    if failed:
        first = shortened(failed[0].reason, longest=300)
        return [f"{len(failed):,} of {len(rulings):,} rulings failed; the first: {first}"]
    if rulings and all(ruling.sufficient is None for ruling in rulings):
        first = f"{rulings[0].label}, {shortened(rulings[0].reason, longest=300)}"
        return [f"none of the {len(rulings):,} rulings counts; the first: {first}"]
    return []


def _remarks(plan: MiningPlan) -> list[str]:
    if not plan.recipe.kernels:
        return []
    refused = [case for case in plan.cases if plan.judge.why_not_sets(case.question) is not None]
    remarks = []
    if refused:
        reason = plan.judge.why_not_sets(refused[0].question)  # names the question
        remarks.append(f"no kernels were looked for in {len(refused):,} questions; the first: {reason}")
    if isinstance(plan.judge, AnswerJudge):
        remarks.append(
            "kernels of the answer judge say where the parts of an answer stand, not what they prove: "
            "some will be too small."
        )
    return remarks


def mine(
    cases: str | Path | Sequence[str | Path] | Sequence[Question],
    *,
    corpus: str | Path | Corpus | Iterable[Document] | None = None,
    judge: object = None,
    random: int | None = None,
    hard: int | None = None,
    dense: int | None = None,
    kernels: bool | None = None,
    discover: str | None = None,
    extend: Sequence[str | Path] = (),
    depth: int | None = None,
    no_context: bool | None = None,
    exclude: str | Path | None = None,
    seed: int | None = None,
    max_cost: float | None = None,
    watcher: MiningWatcher | None = None,
) -> MiningResult:
    """Find out which documents answer which questions, by having every candidate judged.

    cases: files of cases (registries, JSON lines, datasets), `goldproof.Question` records, or a recipe: a YAML file, or
    the name of a bundled one, such as "example". corpus: a spec such as "package:google-adk", or documents; a dataset
    brings its own. judge: a spec such as "llm:google:gemini-3-pro-preview" (default "answer", offline), or your own.
    random, hard, dense: how many random documents, best hits of bm25 and of MiniLM are looked at per question (5, 5,
    0). kernels: look for the minimal sets that suffice. discover: a model that searches the corpus as an agent.
    extend: run files whose first `depth` documents are judged too. no_context: also ask without any context, where the
    judge is a model. exclude: a file of ids of questions to leave out, such as the verifier's. max_cost: in dollars;
    where it is spent the result says so in `mined.stopped`, and the same call goes on.
    """
    questions, base = _questions_or_recipe(cases)
    recipe = recipe_of(
        base,
        judge=judge if isinstance(judge, str) else None,
        random=random,
        hard=hard,
        dense=dense,
        kernels=kernels,
        discover=discover,
        runs=tuple(map(Path, extend)) or None,
        depth=depth,
        no_context=no_context,
        exclude=None if exclude is None else Path(exclude),
        seed=seed,
    )
    access = _access(max_cost, judge)
    plan = open_plan(
        recipe,
        access=access,
        questions=questions,
        corpus=None if corpus is None else open_corpus(corpus),
        judge=None if isinstance(judge, str) else judge,
    )
    return run_plan(plan, watcher=watcher)


def _access(max_cost: float | None, judge: object) -> Access:
    access = current_access()
    if max_cost is None:
        return access
    if hasattr(judge, "models"):
        raise InputError(
            "max_cost limits models that are opened by name, and this judge has opened its own; give its spec, such as "
            "'llm:google:gemini-3-pro-preview', or open it within goldproof.llm.using_access."
        )
    return replace(access, budget=Budget(max_cost))


def _questions_or_recipe(cases: object) -> tuple[tuple[Question, ...] | None, Recipe]:
    if isinstance(cases, str | Path):
        return None, read_mine(cases) if is_recipe(cases) else Recipe(cases=(Path(cases),))
    if not isinstance(cases, Sequence) or not cases:
        raise InputError(f"cases: found {cases!r}, expected files of cases, goldproof.Question records, or a recipe.")
    if all(isinstance(one, str | Path) for one in cases):
        return None, Recipe(cases=tuple(map(Path, cases)))
    questions = tuple(one for one in cases if isinstance(one, Question))
    if len(questions) < len(cases):
        raise InputError("cases: expected all of them to be goldproof.Question records, or all of them to be files.")
    return questions, Recipe()
