"""A model that grades each document from 0 to 10; see `goldproof.retrieve.reranking.rerank_prompt` for the question.

An answer that is not a grade is asked about once more. If that fails too the query fails: never a silent 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.errors import shown
from goldproof.llm.model import open_model
from goldproof.retrieve.attempts import FailedAnswer
from goldproof.retrieve.reranking.rerank_prompt import (
    LONGEST_TEXT,
    PROMPT_VERSION,
    grading_prompt,
    read_grade,
    repair_prompt,
)

if TYPE_CHECKING:
    from goldproof.llm.model import Model
    from goldproof.retrieve.reranking.rerankers import Judged


class LlmReranker:
    """A model by name, or a function prompt -> text."""

    concurrency = 4

    def __init__(self, model: object) -> None:
        self._model: Model = open_model(model)
        self.key = f"llm:{self._model.key} {PROMPT_VERSION}"
        self._cut: dict[str, None] = {}

    @property
    def remarks(self) -> tuple[str, ...]:
        """How many documents were too long to be read whole."""
        if not self._cut:
            return ()
        return (f"rerank: {len(self._cut)} documents were graded by their first {LONGEST_TEXT} characters.",)

    def score(self, judged: Judged) -> list[float]:
        """Return the grade of each document."""
        query, documents = judged
        return [self._grade(query, doc_id, text) for doc_id, text in documents]

    def _grade(self, query: str, doc_id: str, text: str) -> float:
        if len(text) > LONGEST_TEXT:
            self._cut[doc_id] = None
        prompt = grading_prompt(query, text)
        answer = self._model.ask(prompt)
        grade = read_grade(answer)
        if grade is None:
            answer = self._model.ask(repair_prompt(prompt, answer))
            grade = read_grade(answer)
        if grade is None:
            raise FailedAnswer(
                f"{self._model.key} gave no grade from 0 to 10 for document {doc_id!r}: {shown(answer)}."
            )
        return grade
