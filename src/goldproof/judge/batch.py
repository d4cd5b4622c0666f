"""Many rulings from one judge at once; a judge throttled to its concurrency.

An error that ends the whole run (ModelDownError, BudgetSpentError, InputError) stops the batch: no further ruling is
begun, those under way are awaited, since their answers are paid for and kept by the models, and then it is raised. Jobs
write when all rulings are there, so the error says that nothing is written.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.concurrency import gather_all, run_in_loop
from goldproof.errors import BudgetSpentError, ModelDownError
from goldproof.progress import OnProgress, Progress, ignore

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.judge.judge import Judge, Ruling, Scale
    from goldproof.llm import Estimate
    from goldproof.records.entities import Document, Question


@dataclass(frozen=True, slots=True)
class Brief:
    """A question and the documents to rule on."""

    question: Question
    documents: tuple[Document, ...]


def judge_briefs(judge: Judge, briefs: Sequence[Brief], *, on_progress: OnProgress = ignore) -> list[Ruling]:
    """Return a ruling for each brief, in their order."""
    try:
        return run_in_loop(_judge_all(judge, briefs, on_progress=on_progress)) if briefs else []
    except (BudgetSpentError, ModelDownError) as error:  # which say themselves how to go on
        raise type(error)(f"{error} Nothing was written.") from error


def estimate_briefs(judge: Judge, briefs: Sequence[Brief]) -> Estimate:
    """Return the cost of the rulings, without asking for any."""
    from goldproof.llm import Estimate  # noqa: PLC0415 - only where money is counted

    return sum((judge.estimate(brief.question, brief.documents) for brief in briefs), start=Estimate())


async def _judge_all(judge: Judge, briefs: Sequence[Brief], *, on_progress: OnProgress) -> list[Ruling]:
    rulings: dict[int, Ruling] = {}
    failed = 0
    waiting = list(reversed(list(enumerate(briefs))))

    async def work() -> None:
        nonlocal failed
        while waiting:  # shared by all workers
            number, brief = waiting.pop()
            try:
                rulings[number] = await judge.judge(brief.question, brief.documents)
                failed += rulings[number].label == "failed"
                on_progress(Progress("judge", len(rulings), len(briefs), failed))
            except BaseException:
                waiting.clear()
                raise

    await gather_all([work() for _ in range(max(1, min(judge.concurrency, len(briefs))))])
    return [rulings[number] for number in range(len(briefs))]


class ThrottledJudge:
    """A semaphore around a judge: no more rulings at once than its `concurrency`. For one event loop."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._slots = asyncio.Semaphore(judge.concurrency)

    @property
    def key(self) -> str:
        """The judge's key."""
        return self._judge.key

    @property
    def scale(self) -> Scale:
        """The judge's scale."""
        return self._judge.scale

    @property
    def concurrency(self) -> int:
        """How many rulings run at once."""
        return self._judge.concurrency

    async def judge(self, question: Question, documents: Sequence[Document]) -> Ruling:
        """Wait for a free slot, then judge."""
        async with self._slots:
            return await self._judge.judge(question, documents)

    def estimate(self, question: Question, documents: Sequence[Document]) -> Estimate:
        """Return the judge's own estimate."""
        return self._judge.estimate(question, documents)

    def why_not_sets(self, question: Question) -> str | None:
        """Return the judge's own reason."""
        return self._judge.why_not_sets(question)
