"""Many rulings at once: in order, no more than allowed, and to the end where one of them ends the run."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from goldproof.errors import BudgetSpentError, InputError, ModelDownError
from goldproof.judge import YES_NO, Ruling
from goldproof.judge.batch import Brief, estimate_briefs, judge_briefs
from goldproof.llm.model import Estimate
from goldproof.progress import Progress
from goldproof.records.entities import Document
from tests.judge.scripted import QUESTION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.records.entities import Question


class Timed:
    """A judge that waits; ends: document -> what it raises. begun, ended: in order."""

    key, scale = "timed", YES_NO

    def __init__(self, ends: dict[str, Exception] | None = None, *, concurrency: int = 3) -> None:
        self.concurrency, self._ends = concurrency, ends or {}
        self.begun: list[str] = []
        self.ended: list[str] = []

    async def judge(self, question: Question, documents: Sequence[Document]) -> Ruling:  # noqa: ARG002
        name = documents[0].id
        self.begun.append(name)
        if name in self._ends:
            raise self._ends[name]
        for _ in range(5):
            await asyncio.sleep(0)
        self.ended.append(name)
        return Ruling("yes", reason=name)

    def estimate(self, question: Question, documents: Sequence[Document]) -> Estimate:  # noqa: ARG002
        return Estimate(calls=1)

    def why_not_sets(self, question: Question) -> None:
        pass


def briefs(count: int) -> list[Brief]:
    return [Brief(QUESTION, (Document(f"d{number}"),)) for number in range(count)]


def test_rulings_come_in_the_order_of_the_briefs() -> None:
    by = Timed()
    seen: list[Progress] = []
    rulings = judge_briefs(by, briefs(8), on_progress=seen.append)
    assert [ruling.reason for ruling in rulings] == [f"d{number}" for number in range(8)]
    assert seen == [Progress("judge", number, 8) for number in range(1, 9)]
    assert judge_briefs(by, []) == []
    assert estimate_briefs(by, briefs(8)).calls == 8


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (BudgetSpentError("spent."), "spent. Nothing was written."),
        (ModelDownError("down."), "down. Nothing was written."),
        (InputError("wrong."), "wrong."),
    ],
)
def test_what_ends_the_run_begins_nothing_more_and_lets_what_is_under_way_end(error: Exception, said: str) -> None:
    by = Timed({"d4": error})
    with pytest.raises(type(error)) as caught:
        judge_briefs(by, briefs(20))
    assert str(caught.value).startswith(said)
    # d0 to d2 ended; d3 and d5 may be under way when d4 ends the run, and both come to their end
    assert set(by.begun) - set(by.ended) == {"d4"}
    assert len(by.begun) < 8


def test_a_callback_that_raises_ends_the_run() -> None:
    def broken(progress: Progress) -> None:  # noqa: ARG001
        raise RuntimeError("no terminal")

    by = Timed()
    with pytest.raises(RuntimeError, match="no terminal"):
        judge_briefs(by, briefs(20), on_progress=broken)
    assert len(by.begun) == 3
