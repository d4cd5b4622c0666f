"""Running a plan: every question is mined, and all that was found is put together."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from goldproof.concurrency import run_in_loop
from goldproof.corpus.packages import open_package
from goldproof.errors import shortened
from goldproof.jobs.mine.discovery import CorpusTools, PackageTools
from goldproof.jobs.mine.kernels import KernelSettings, search_of
from goldproof.jobs.mine.mined import Mined
from goldproof.jobs.mine.miner import mine_all
from goldproof.jobs.mine.one_question import Agent, KernelSearch, QuestionMiner
from goldproof.jobs.mine.result import MiningResult
from goldproof.jobs.mine.watching import Tally
from goldproof.judge import AnswerJudge
from goldproof.llm import open_model
from goldproof.llm.access import using_access
from goldproof.retrieve import open_retriever

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.io.cases import Case
    from goldproof.jobs.mine.discovery import Tools
    from goldproof.jobs.mine.mined import MinedQuestion
    from goldproof.jobs.mine.miner import MinedSoFar
    from goldproof.jobs.mine.plan import MiningPlan
    from goldproof.jobs.mine.watching import MiningWatcher
    from goldproof.llm.model import Model
    from goldproof.records.entities import Document
    from goldproof.retrieve import Pipeline


def run_plan(plan: MiningPlan, *, watcher: MiningWatcher | None = None) -> MiningResult:
    """Ask all that is to be asked; where the budget ends or a model is down, the result says so in `mined.stopped`."""
    with open_retriever(search_pipeline(plan)) as retriever:
        kernels, agent = _kernel_search(plan, retriever), _agent(plan)
        done = run_in_loop(_mine(plan, kernels=kernels, agent=agent, watcher=watcher))
    return MiningResult(_mined(plan, done))


async def _mine(
    plan: MiningPlan, *, kernels: KernelSearch | None, agent: Agent | None, watcher: MiningWatcher | None
) -> MinedSoFar:
    tally = Tally(watcher, questions=len(plan.cases), pairs=plan.pairs, budget=plan.access.budget)
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


def blind_model(plan: MiningPlan) -> Model | None:
    """Return the model that is asked without any context: the judge's first, where it has one."""
    models: tuple[Model, ...] = getattr(plan.judge, "models", ())
    return models[0] if plan.recipe.no_context and models else None


def _kernel_search(plan: MiningPlan, retriever: Pipeline) -> KernelSearch | None:
    if not plan.recipe.kernels:
        return None
    retriever.index(plan.corpus)
    return KernelSearch(search_of(retriever, plan.documents), KernelSettings())


def search_pipeline(plan: MiningPlan) -> str:
    """Return what finds the missing parts of a kernel: what also finds the hard negatives."""
    looking = plan.recipe.looking
    return f"hybrid(bm25, dense({looking.embedder}))" if looking.dense else "bm25"


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
