"""Mining all questions: several at once, each ruling as soon as a call is free, and a clean stop.

Where the budget is spent or a model is down no new question is begun; calls in flight end, so that what they cost is
kept. The questions that are done are returned, and the reason why the others are not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.concurrency import gather_all
from goldproof.errors import BudgetSpentError, ModelDownError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from goldproof.io.cases import Case
    from goldproof.jobs.mine.mined import MinedQuestion


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
