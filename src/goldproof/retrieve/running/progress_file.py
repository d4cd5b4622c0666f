"""Answers of a retrieval run that is not finished yet: one item per question.

Named by all that decides them (corpus, pipeline, k, filters, now). Only answers are kept: what failed is tried again.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import orjson

from goldproof.retrieve.running.unfinished import UnfinishedRun

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from goldproof.records.entities import Question

Answer = tuple[list[str], list[float]]


class ProgressFile:
    """The answers so far of one run; key: the content key of all that decides them; fresh: begin without any."""

    def __init__(self, key: str, *, fresh: bool = False) -> None:
        self._run = UnfinishedRun(key, fresh=fresh)

    @property
    def path(self) -> Path:
        """The file."""
        return self._run.path

    def read(self, questions: Iterable[Question]) -> dict[str, Answer]:
        """Return the answers that are there."""
        keys = {_key(question): question.id for question in questions}
        return {keys[key]: tuple(orjson.loads(value)) for key, value in self._run.read(keys).items()}

    def add(self, answers: Iterable[tuple[Question, Answer]]) -> None:
        """Keep some answers."""
        self._run.add({_key(question): orjson.dumps(answer) for question, answer in answers})

    def close(self) -> None:
        """Let go of the file; it stays, unless nothing is in it."""
        self._run.close()

    def forget(self) -> None:
        """Throw the answers away: the run is written."""
        self._run.forget()


def _key(question: Question) -> bytes:
    return hashlib.sha256(f"{question.id}\0{question.text}".encode("utf-8", "surrogatepass")).digest()
