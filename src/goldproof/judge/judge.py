"""A judge: does a set of documents answer a question, or how relevant is a document?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.core.records import Document, Question
    from goldproof.judge.ruling import Ruling
    from goldproof.llm.ask import Estimate


@dataclass(frozen=True, slots=True)
class Scale:
    """What a judge can say: yes or no, or grades from 0 to `most`, of which those from `yes_from` count as a yes.

    partial_from: the least grade of what bears on the question without answering it: grades from here up to below
    `yes_from` are neither sufficient nor irrelevant. None: nothing lies between yes and no.
    """

    name: Literal["yes-no", "0-2", "0-4", "0-10"]
    most: int
    yes_from: int
    partial_from: int | None = None


YES_NO = Scale("yes-no", 1, 1)
GRADES_2 = Scale("0-2", 2, 2, partial_from=1)
GRADES_4 = Scale("0-4", 4, 3, partial_from=2)
GRADES_10 = Scale("0-10", 10, 7, partial_from=4)
SCALES = {scale.name: scale for scale in (YES_NO, GRADES_2, GRADES_4, GRADES_10)}


class Judge(Protocol):
    """Somebody who judges."""

    @property
    def key(self) -> str:
        """Its name, with all that changes its rulings (model, prompt version, scale, votes); never a secret."""

    @property
    def scale(self) -> Scale:
        """What it can say."""

    @property
    def concurrency(self) -> int:
        """How many rulings may be asked for at once."""

    async def judge(self, question: Question, documents: Sequence[Document]) -> Ruling:
        """Judge the documents together (often it is one).

        What goes wrong with one question is a ruling `failed`. What ends the whole run is raised: ModelDownError,
        BudgetSpentError, InputError.
        """

    def estimate(self, question: Question, documents: Sequence[Document]) -> Estimate:
        """Return what the ruling would cost, without asking for it."""

    def why_not_sets(self, question: Question) -> str | None:
        """Return why it cannot tell whether several documents together suffice for this question; None where it can."""
