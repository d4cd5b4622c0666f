"""A judge that is asked by several questions at once, but never for more rulings than it can bear."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.core.records import Document, Question
    from goldproof.judge import Judge, Ruling, Scale
    from goldproof.llm.ask import Estimate


class InTurn:
    """The judge, with its `concurrency` kept to; for one event loop."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._turns = asyncio.Semaphore(judge.concurrency)

    @property
    def key(self) -> str:
        """The judge's own."""
        return self._judge.key

    @property
    def scale(self) -> Scale:
        """The judge's own."""
        return self._judge.scale

    @property
    def concurrency(self) -> int:
        """How many rulings are asked for at once."""
        return self._judge.concurrency

    async def judge(self, question: Question, documents: Sequence[Document]) -> Ruling:
        """Wait for a turn, then judge."""
        async with self._turns:
            return await self._judge.judge(question, documents)

    def estimate(self, question: Question, documents: Sequence[Document]) -> Estimate:
        """Return the judge's own estimate."""
        return self._judge.estimate(question, documents)

    def why_not_sets(self, question: Question) -> str | None:
        """Return the judge's own reason."""
        return self._judge.why_not_sets(question)
