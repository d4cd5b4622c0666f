"""Models for tests: functions of the prompt, asked through the real model with all that belongs around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from goldproof.concurrency import run_in_loop
from goldproof.judge import LlmJudge
from goldproof.llm.model import open_model
from goldproof.records.entities import Document, Question

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from goldproof.judge import Judge, Ruling
    from goldproof.llm.model import Model

QUESTION = Question("q1", "What is the capital of France?", answer="Paris")
PARIS = Document("fr", "Its capital is\nParis, on the Seine.", "France")
ROME = Document("it", "Its capital is Rome.", "Italy")


def says(value: Mapping[str, object]) -> Model:
    """Return a model that always says the same."""
    return model(lambda _: dict(value))


def model(function: Callable[[str], Any]) -> Model:
    return open_model(function)


def in_turn(values: Sequence[Mapping[str, object] | Exception]) -> Model:
    """Return a model that says one after the other."""
    left = list(values)

    def answer(_: str) -> dict[str, object]:
        value = left.pop(0)
        if isinstance(value, Exception):
            raise value
        return dict(value)

    return open_model(answer)


def judge(*models: Model, **settings: Any) -> LlmJudge:  # noqa: ANN401 - whatever it takes
    return LlmJudge(models, **settings)


def rule(by: Judge, *documents: Document, question: Question = QUESTION) -> Ruling:
    return run_in_loop(by.judge(question, documents))
