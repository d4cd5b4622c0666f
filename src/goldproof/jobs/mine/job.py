"""`mine()` and `run_plan()`: mine every question of a plan, report progress, stop cleanly.

Where the budget is spent or a model is down, no further question is begun. Calls under way are awaited, since they are
paid for and kept in the cache. The result holds the questions that are done, and why the others are not.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

from goldproof.concurrency import gather_all, run_in_loop
from goldproof.corpus import Corpus, open_corpus
from goldproof.corpus.packages import open_package
from goldproof.errors import BudgetSpentError, InputError, ModelDownError, counted, shortened
from goldproof.jobs.mine.cut_off import choose_cut_off
from goldproof.jobs.mine.discovery_tools import CorpusTools, PackageTools, Tools
from goldproof.jobs.mine.kernels import KernelSettings, search_of
from goldproof.jobs.mine.plan import MiningPlan, blind_model, open_plan, search_pipeline
from goldproof.jobs.mine.question_miner import Agent, KernelSearch, Workbench, mine_question
from goldproof.jobs.mine.recipe import Recipe, is_recipe, read_mine, recipe_of
from goldproof.jobs.mine.records import Mined, MinedQuestion
from goldproof.jobs.mine.result import MiningResult
from goldproof.jobs.mine.spans import why_no_spans
from goldproof.judge import AnswerJudge, Ruling, automated_score, judge_name
from goldproof.judge.batch import ThrottledJudge
from goldproof.llm import Access, Budget, current_access, open_model, using_access
from goldproof.llm.budget import spent_text
from goldproof.options import Option, with_options
from goldproof.progress import OnProgress, Progress, ignore
from goldproof.records.entities import Document, Question
from goldproof.retrieve import Pipeline, open_retriever


class _ProgressCounter:
    """Counts judged candidates and finished questions, and reports them."""

    def __init__(self, on_progress: OnProgress, plan: MiningPlan) -> None:
        self._on_progress = on_progress
        self._plan = plan
        self._done = self._labelled = self._failed = 0

    def ruled(self, ruling: Ruling) -> None:
        """Count a ruling on a single candidate."""
        self._labelled += 1
        self._failed += ruling.label == "failed"
        self._tell()

    def finished(self) -> None:
        """Count a finished question."""
        self._done += 1
        self._tell()

    def _tell(self) -> None:
        spent = self._plan.access.budget.facts()
        self._on_progress(
            Progress(
                "mining",
                self._done,
                len(self._plan.cases),
                failed=self._failed,
                cached=int(spent["cached"] or 0),
                note=f"{spent_text(spent)}, {self._labelled:,} of {self._plan.pairs:,} candidates judged",
            )
        )


@with_options
def mine(
    cases: str | Path | Sequence[str | Path] | Sequence[Question],
    *,
    corpus: Annotated[
        str | Path | Corpus | Iterable[Document] | None,
        Option("Documents: folder:DIR, jsonl:FILE, beir:DIR, package:NAME or a path.", "SPEC", type=str),
    ] = None,
    judge: Annotated[
        object,
        Option(
            "Who decides: answer (offline, the default), llm:MODEL[+MODEL][#votes=N], gold, similarity, keyword, "
            "human:FILE or module:object.",
            "SPEC",
            type=str,
        ),
    ] = None,
    random: Annotated[int | None, Option("Random documents per question, as candidates (default: 5).", "N")] = None,
    hard: Annotated[int | None, Option("Top BM25 hits per question, as candidates (default: 5).", "M")] = None,
    dense: Annotated[int | None, Option("Top MiniLM hits per question, as candidates (default: 0).", "M")] = None,
    kernels: Annotated[
        bool | None, Option("Find the minimal sets of documents that suffice to answer.", flag="--kernels/--no-kernels")
    ] = None,
    discover: Annotated[str | None, Option("Let an agent with this model search for more candidates.", "MODEL")] = None,
    extend: Annotated[
        Sequence[str | Path],
        Option("Also judge the top --depth results of this run. Repeatable.", "RUN", type=list[Path]),
    ] = (),
    depth: Annotated[int | None, Option("Results to judge per --extend run (default: 10).", "N")] = None,
    no_context: Annotated[
        bool | None,
        Option("Also ask the model each question without any document.", flag="--no-context/--skip-no-context"),
    ] = None,
    exclude: Annotated[
        str | Path | None,
        Option("Question ids to leave out, such as exclude.txt of 'goldproof verify'.", "FILE", type=Path),
    ] = None,
    seed: Annotated[int | None, Option("Random seed (default: 0).", "N")] = None,
    max_cost: float | None = None,
    on_progress: OnProgress = ignore,
) -> MiningResult:
    """Label which documents answer which questions, by having every candidate judged.

    cases: files of cases (registries, JSON lines, datasets), `goldproof.Question` records, or a recipe: a YAML file, or
    the name of a bundled one, such as "example". corpus: a spec such as "package:google-adk", or documents; a dataset
    brings its own. judge: a spec such as "llm:google:gemini-3-pro-preview" (default "answer", offline), or your own.
    random, hard, dense: how many random documents, best hits of bm25 and of MiniLM are looked at per question (5, 5,
    0). kernels: look for the minimal sets that suffice. discover: a model that searches the corpus as an agent.
    extend: run files whose first `depth` documents are judged too. no_context: also ask without any context, where the
    judge is a model. exclude: a file of ids of questions to leave out, such as the verifier's. max_cost: in dollars;
    where it is spent the result says so in `mined.stopped`, and the same call goes on. on_progress: called with the
    questions done, after each ruling; `failed` are candidates without one, `cached` answers that models gave before.
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
        on_progress=on_progress,
    )
    return run_plan(plan, on_progress=on_progress)


def _questions_or_recipe(cases: object) -> tuple[tuple[Question, ...] | None, Recipe]:
    if isinstance(cases, str | Path):
        return None, read_mine(cases) if is_recipe(cases) else Recipe(cases=(Path(cases),))
    if not isinstance(cases, Sequence) or not cases:
        raise InputError(f"cases: found {cases!r}, expected files of cases, goldproof.Question records, or a recipe.")
    if all(isinstance(path, str | Path) for path in cases):
        return None, Recipe(cases=tuple(map(Path, cases)))
    questions = tuple(question for question in cases if isinstance(question, Question))
    if len(questions) < len(cases):
        raise InputError("cases: expected all of them to be goldproof.Question records, or all of them to be files.")
    return questions, Recipe()


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


def run_plan(plan: MiningPlan, *, on_progress: OnProgress = ignore) -> MiningResult:
    """Mine every question; where the budget ends or a model is down, `mined.stopped` of the result says so."""
    plan = choose_cut_off(plan)
    with open_retriever(search_pipeline(plan)) as retriever:
        bench = Workbench(
            judge=ThrottledJudge(plan.judge),
            documents=plan.documents,
            kernel_search=_kernel_search(plan, retriever),
            agent=_agent(plan),
            blind_model=blind_model(plan),
        )
        questions, stopped = run_in_loop(_mine_all(plan, bench, _ProgressCounter(on_progress, plan)))
    return MiningResult(_mined(plan, questions, stopped=stopped))


async def _mine_all(
    plan: MiningPlan, bench: Workbench, progress: _ProgressCounter
) -> tuple[tuple[MinedQuestion, ...], str]:
    """Mine the cases, several at a time; return the questions that are done, in order, and why it stopped early."""
    done: dict[int, MinedQuestion] = {}
    stopped: list[str] = []
    waiting = iter(enumerate(plan.cases))

    async def work() -> None:
        while not stopped and (taken := next(waiting, None)) is not None:
            number, case = taken
            try:
                mined = await mine_question(case.question, plan.candidates[case.id], bench, on_ruling=progress.ruled)
            except (BudgetSpentError, ModelDownError) as error:
                stopped.append(str(error))
            else:
                done[number] = mined
                progress.finished()

    await gather_all([work() for _ in range(max(1, min(bench.judge.concurrency, len(plan.cases))))])
    return tuple(done[number] for number in sorted(done)), stopped[0] if stopped else ""


def _kernel_search(plan: MiningPlan, retriever: Pipeline) -> KernelSearch | None:
    if not plan.recipe.kernels:
        return None
    retriever.index(plan.corpus)
    return KernelSearch(search_of(retriever, plan.documents), KernelSettings())


def _agent(plan: MiningPlan) -> Agent | None:
    discover = plan.recipe.candidate_settings.discover
    if discover is None:
        return None
    with using_access(plan.access):
        model = open_model(discover)
    return Agent(model, _tools(plan))


def _tools(plan: MiningPlan) -> Tools:
    """Return the agent's tools: names of the package where the corpus is one, else a word search."""
    if plan.corpus.facts.get("kind") == "package":
        return PackageTools(open_package(plan.corpus.name), plan.corpus.documents)
    retriever = open_retriever("bm25")
    retriever.index(plan.corpus)
    return CorpusTools(retriever, plan.corpus.documents)


def _mined(plan: MiningPlan, questions: tuple[MinedQuestion, ...], *, stopped: str) -> Mined:
    return Mined(
        questions=questions,
        corpus=plan.corpus.documents,
        documents=_documents(plan, questions),
        judge=plan.judge.key,
        judge_spec=plan.judge_spec,
        judged_kernels=plan.recipe.kernels,
        facts=_facts(plan),
        inputs=plan.inputs,
        seed=plan.recipe.seed,
        spent=plan.access.budget.facts(),
        stopped=stopped,
        problems=plan.problems,
        limits=(*_judge_limits(plan), *plan.limits),
        remarks=(*plan.remarks, *_remarks(plan), *_failures(questions)),
    )


def _documents(plan: MiningPlan, questions: Sequence[MinedQuestion]) -> Mapping[str, Document]:
    looked_at = dict.fromkeys(document.id for question in questions for document in question.documents)
    return {document: plan.documents[document] for document in looked_at}


def _facts(plan: MiningPlan) -> dict[str, object]:
    """Return what decides the result, for the card: settings and contents, never where files lie."""
    chosen = plan.recipe.candidate_settings
    from_file = plan.recipe.candidates is not None
    gathered = {"random": chosen.random, "hard": chosen.hard, "dense": chosen.dense}
    return {
        "corpus": dict(plan.corpus.facts) | {"documents": len(plan.corpus)},
        "judge": plan.judge.key,
        "candidates": "from a file" if from_file else gathered,
        "embedder": chosen.embedder if chosen.dense else None,
        "discover": chosen.discover,
        "depth": chosen.depth if chosen.runs else None,
        "kernel_settings": asdict(KernelSettings()) if plan.recipe.kernels else None,
        "kernel_search": search_pipeline(plan) if plan.recipe.kernels else None,
        "no_context": blind_model(plan) is not None,
        **({} if plan.cut_off is None else {"cut_off": dict(plan.cut_off)}),
    }


def _judge_limits(plan: MiningPlan) -> Iterator[str]:
    """Yield what labels of an automated score must not be used for, and what to do instead."""
    if (score := automated_score(plan.judge.key)) is not None:
        yield (
            f"The judge `{judge_name(plan.judge.key)}` is an automated score of {score.measures}: its labels favour "
            f"{score.favours} such as {score.stage}, so do not compare those with others on them. Check the judge on "
            "labels of people (goldproof judge calibrate), have people grade a sheet (--candidates-only --sheet "
            "FILE.csv), or ask a model (--judge llm:PROVIDER:MODEL)."
        )


def _failures(questions: Sequence[MinedQuestion]) -> list[str]:
    """Say how many rulings failed, or that none counts, so that a broken judge does not pass for a strict one."""
    judged = (document.ruling for question in questions for document in question.documents)
    rulings = [ruling for ruling in judged if ruling is not None]
    failed = [ruling for ruling in rulings if ruling.label == "failed"]
    if failed:
        first = shortened(failed[0].reason, longest=300)
        return [f"{len(failed):,} of {len(rulings):,} rulings failed; the first: {first}"]
    if rulings and all(ruling.sufficient is None for ruling in rulings):
        first = f"{rulings[0].label}, {shortened(rulings[0].reason, longest=300)}"
        return [f"none of the {len(rulings):,} rulings counts; the first: {first}"]
    return []


def _remarks(plan: MiningPlan) -> list[str]:
    without_spans = why_no_spans(plan.corpus.documents)
    remarks = [without_spans] if without_spans else []
    if not plan.recipe.kernels:
        return remarks
    refused = [case for case in plan.cases if plan.judge.why_not_sets(case.question) is not None]
    if refused:
        reason = plan.judge.why_not_sets(refused[0].question)  # names the question
        remarks.append(f"Kernels were not looked for in {counted(len(refused), 'question')}; the first: {reason}")
    if isinstance(plan.judge, AnswerJudge):
        remarks.append(
            "The answer judge finds where the parts of an answer stand, not what they prove: some of its kernels are "
            "too small."
        )
    return remarks
