"""What a question's metadata say for judges, read with care: they come from files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.core.records import Question


def texts_of(question: Question, name: str) -> tuple[str, ...]:
    """Return a list of texts, without blank ones; empty where there is none."""
    found = question.metadata.get(name)
    return _texts(found)


def kernels_of(question: Question) -> tuple[tuple[str, ...], ...]:
    """Return the sets of documents that are known to suffice (`gold_kernels`), without empty ones."""
    found = question.metadata.get("gold_kernels")
    sets = [_texts(each) for each in found] if isinstance(found, list | tuple) else []
    return tuple(each for each in sets if each)


def sub_questions_of(question: Question) -> dict[str, str]:
    """Return what is asked of each document on the way to the answer (`sub_questions`): document -> question."""
    found = question.metadata.get("sub_questions")
    steps = [each for each in found if isinstance(each, Mapping)] if isinstance(found, list | tuple) else []
    return {str(step["document"]): str(step["question"]) for step in steps if "document" in step and "question" in step}


def _texts(found: object) -> tuple[str, ...]:
    if isinstance(found, str):
        found = [found]
    if not isinstance(found, list | tuple):
        return ()
    return tuple(str(each) for each in found if isinstance(each, str | int | float) and str(each).strip())
