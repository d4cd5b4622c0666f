"""Many rulings from one judge, as many at once as it allows.

What ends the whole run (ModelDownError, BudgetSpentError, InputError) ends it: what is still asked is cancelled, and
the answers so far are in the cache of the models.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from karat.core.event_loop import run_in_loop

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from karat.core.records import Document, Question
    from karat.judge.judge import Judge
    from karat.judge.ruling import Ruling
    from karat.llm.ask import Estimate


@dataclass(frozen=True, slots=True)
class Brief:
    """What is put before a judge."""

    question: Question
    documents: tuple[Document, ...]


def judge_briefs(
    judge: Judge, briefs: Sequence[Brief], *, watch: Callable[[int, int], None] | None = None
) -> list[Ruling]:
    """Return a ruling for each brief, in their order. watch: called with how many are done, and how many there are."""
    return run_in_loop(_judge_all(judge, briefs, watch=watch)) if briefs else []


def estimate_briefs(judge: Judge, briefs: Sequence[Brief]) -> Estimate:
    """Return what the rulings would cost, without asking for any."""
    from karat.llm.ask import Estimate  # noqa: PLC0415 - only where money is counted

    return sum((judge.estimate(brief.question, brief.documents) for brief in briefs), start=Estimate())


async def _judge_all(
    judge: Judge, briefs: Sequence[Brief], *, watch: Callable[[int, int], None] | None
) -> list[Ruling]:
    rulings: dict[int, Ruling] = {}
    waiting = iter(enumerate(briefs))

    async def work() -> None:
        for number, brief in waiting:  # shared: whoever is free takes the next
            rulings[number] = await judge.judge(brief.question, brief.documents)
            if watch is not None:
                watch(len(rulings), len(briefs))

    workers = [asyncio.ensure_future(work()) for _ in range(max(1, min(judge.concurrency, len(briefs))))]
    try:
        await asyncio.gather(*workers)
    except BaseException:
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
        raise
    return [rulings[number] for number in range(len(briefs))]
