"""`draft_questions()`: draft questions from documents, check them, and replace those that are dropped.

Questions are drafted in batches of `BATCH`, and each batch is checked before the next begins: near-duplicates in the
order of the places, then what a model has to be asked. So the same answers always make the same questions, and where
the budget ends little is paid for that is not used. Dropped drafts are replaced until there are `n` questions, the
corpus has nothing more to ask about, or `MOST_DRAFTS` drafts per question are made. Answers of models are kept by
`goldproof.llm`: the same call goes on where it was, and `n + 10` pays for 10 more.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Annotated, Final, TypeVar

from goldproof.concurrency import gather_all, run_in_loop
from goldproof.corpus import Corpus
from goldproof.errors import BudgetSpentError, ModelDownError
from goldproof.io import OutputFolder
from goldproof.jobs.ask.checks import Checkers, check_draft, draft_from
from goldproof.jobs.ask.plan import AskingPlan, open_asking
from goldproof.jobs.ask.records import DUPLICATE, FAILED, KEPT, NOTHING, Draft, Place
from goldproof.jobs.ask.result import AskingResult
from goldproof.judge.batch import ThrottledJudge
from goldproof.llm.budget import spent_text
from goldproof.options import Option, with_options
from goldproof.progress import OnProgress, Progress, ignore
from goldproof.records.entities import Document
from goldproof.study.options import Seed
from goldproof.text.near_duplicates import normal_text
from goldproof.text.near_questions import QuestionIndex

BATCH: Final = 32
NEAR: Final = 0.7
T = TypeVar("T")
U = TypeVar("U")


@with_options
def draft_questions(
    corpus: Annotated[
        str | Path | Corpus | Iterable[Document],
        Option("Documents: folder:DIR, package:NAME, a dataset, a path, ...", "CORPUS", flag="", type=str),
    ],
    *,
    model: Annotated[
        object, Option("The model that drafts, such as google:gemini-3-pro-preview.", "MODEL", type=str)
    ] = None,
    judge: Annotated[
        object, Option("Who checks the drafts: llm:MODEL, ... (default: the model that drafts).", "SPEC", type=str)
    ] = None,
    n: Annotated[int, Option("How many questions.", "N", flag="-n --n", minimum=1)] = 100,
    multi: Annotated[float, Option("Share of questions that need two documents.", "SHARE")] = 0.3,
    by: Annotated[
        str | None, Option("Metadata field to stratify by (default: the folder of the source).", "FIELD")
    ] = None,
    seed: Seed = 0,
    max_cost: float | None = None,
    claimed: OutputFolder | None = None,
    on_progress: OnProgress = ignore,
) -> AskingResult:
    """Draft questions from documents, each with its answer and the quotes that hold it.

    corpus: a spec such as "folder:docs/", or documents. model: a spec, or a function prompt -> text. judge: who checks
    the drafts, as in `goldproof.mine`; default the same model. n: how many questions. multi: the share of them that
    need two documents which share a name or a rare word. by: a metadata field to stratify by; default the folder of
    the source. max_cost: in dollars; where it is spent the result says so in `stopped`, and the same call goes on.
    claimed: the folder that the result will be saved to; refused before anything is asked where it holds something
    else. on_progress: called with the questions that passed all checks.
    """
    plan = open_asking(
        corpus,
        model=model,
        judge=judge,
        n=n,
        multi=multi,
        by=by,
        seed=seed,
        max_cost=max_cost,
        on_progress=on_progress,
    )
    if claimed is not None:
        claimed.check(plan.card())
    return run_asking(plan, on_progress=on_progress)


def run_asking(plan: AskingPlan, *, on_progress: OnProgress = ignore) -> AskingResult:
    """Draft and check the questions of a plan; where the budget ends or a model is down, `stopped` says so."""
    session = _Session(plan, on_progress)
    run_in_loop(session.run())
    return AskingResult(plan, tuple(session.drafts), stopped=session.stopped, exhausted=session.exhausted)


@dataclass(slots=True)
class _Queue:
    """The places that are left. asked: questions drafted from each place; empty: places without anything to ask."""

    rounds: Iterator[Iterator[Place]]
    pairs: Iterator[Place]
    current: Iterator[Place] = field(default_factory=lambda: iter(()))
    asked: dict[object, list[str]] = field(default_factory=dict)
    empty: set[object] = field(default_factory=set)

    def singles(self, wanted: int) -> list[Place]:
        """Return the next places of one document, none of them twice; fewer than wanted at the end of a round."""
        while wanted:
            usable = (place for place in self.current if place.key not in self.empty)
            if places := list(islice(usable, wanted)):
                return [replace(place, asked=tuple(self.asked.get(place.key, ()))) for place in places]
            following = next(self.rounds, None)
            if following is None:
                break
            self.current = following
        return []

    def note(self, draft: Draft) -> None:
        """Remember what was asked about a place."""
        if draft.question:
            self.asked.setdefault(draft.place.key, []).append(draft.question)
        if draft.outcome == NOTHING:
            self.empty.add(draft.place.key)


class _Session:
    """One run: batches of drafts, until there are enough questions or nothing is left to try."""

    def __init__(self, plan: AskingPlan, on_progress: OnProgress) -> None:
        self._plan, self._on_progress = plan, on_progress
        self._queue = _Queue(plan.singles(), iter(plan.pairs))
        self._wanted_pairs = plan.wanted_pairs
        self._index = QuestionIndex(NEAR)
        self._answers: set[tuple[object, ...]] = set()
        self._kept = self._failed = 0
        self.drafts: list[Draft] = []
        self.stopped = ""
        self.exhausted = False

    async def run(self) -> None:
        """Draft and check batch by batch."""
        plan = self._plan
        checkers = Checkers(plan.model, ThrottledJudge(plan.judge), plan.blind_model)
        while self._kept < plan.n and len(self.drafts) < plan.most_drafts and not self.stopped:
            places = self._next_places()
            if not places:
                self.exhausted = True
                break
            drafted = await self._each(places, lambda place: draft_from(place, plan.model))
            drafts = [self._unlike_earlier(draft) for draft in drafted]
            for draft in drafts:
                self._queue.note(draft)
            dropped = [draft for draft in drafts if draft.outcome]
            self.drafts += dropped
            self._failed += sum(draft.outcome == FAILED for draft in dropped)
            waiting = [draft for draft in drafts if not draft.outcome]
            self.drafts += await self._each(waiting, lambda draft: check_draft(draft, checkers), on_done=self._count)

    def _next_places(self) -> list[Place]:
        """Return the places of the next batch, pairs in proportion to what is missing."""
        plan = self._plan
        kept_pairs = sum(draft.outcome == KEPT and draft.place.is_pair for draft in self.drafts)
        missing = plan.n - self._kept
        size = min(BATCH, missing, plan.most_drafts - len(self.drafts))
        missing_pairs = self._wanted_pairs - kept_pairs
        pairs = list(islice(self._queue.pairs, -(-size * missing_pairs // missing)))
        if missing_pairs and not pairs:
            self._wanted_pairs = kept_pairs  # there are no more: single documents make up for it
        return [*pairs, *self._queue.singles(size - len(pairs))]

    def _unlike_earlier(self, draft: Draft) -> Draft:
        """Drop a draft that repeats an earlier one: nearly the same words, or the same answer from the same place."""
        if draft.outcome:
            return draft
        answer = (draft.place.key, normal_text(draft.answer))
        if answer in self._answers:
            return replace(draft, outcome=DUPLICATE, detail="the same answer from the same place.")
        if (earlier := self._index.add(draft.id, draft.question)) is not None:
            return replace(draft, outcome=DUPLICATE, detail=f"repeats {earlier}.")
        self._answers.add(answer)
        return draft

    def _count(self, draft: Draft) -> None:
        self._kept += draft.outcome == KEPT
        self._failed += draft.outcome == FAILED
        spent = self._plan.access.budget.facts()
        self._on_progress(
            Progress(
                "questions",
                self._kept,
                self._plan.n,
                failed=self._failed,
                cached=int(spent["cached"] or 0),
                note=f"{spent_text(spent)}, {len(self.drafts):,} drafts",
            )
        )

    async def _each(
        self,
        items: Sequence[T],
        work: Callable[[T], Awaitable[U]],
        *,
        on_done: Callable[[U], None] = lambda _: None,
    ) -> list[U]:
        """Do the work for every item, several at a time, and return the results in the order of the items.

        Where the budget ends or a model is down, no further item is begun, and those that are done are returned.
        """
        done: dict[int, U] = {}
        waiting = iter(enumerate(items))

        async def go_on() -> None:
            while not self.stopped and (taken := next(waiting, None)) is not None:
                number, item = taken
                try:
                    done[number] = await work(item)
                except (BudgetSpentError, ModelDownError) as error:
                    self.stopped = str(error)
                else:
                    on_done(done[number])

        await gather_all([go_on() for _ in range(min(self._plan.access.concurrency, len(items)))])
        return [done[number] for number in sorted(done)]
