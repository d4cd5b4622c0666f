"""What a run knows so far: the rows of each question, what failed, how long it took; kept on disk as it comes in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from goldproof.records.tables import RankingTable
from goldproof.retrieve.found import starts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from goldproof.records.arrays import FloatArray, IntArray
    from goldproof.records.entities import Question
    from goldproof.retrieve.running.progress_file import ProgressFile
    from goldproof.retrieve.shelf import Shelf


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is; resumed: answers of an earlier run that was interrupted."""

    done: int
    all: int
    failed: int
    resumed: int


class Rows(NamedTuple):
    """The documents returned for one question, as positions on the shelf, with their scores."""

    documents: IntArray
    scores: FloatArray


class Batch(NamedTuple):
    """The answers to some questions; seconds: of a single search that was answered."""

    rows: Mapping[str, Rows]
    failed: Mapping[str, str]
    seconds: float | None = None


@dataclass(slots=True)
class Answers:
    """Collects batches, tells whoever watches, and becomes a table in the order of the questions."""

    questions: Sequence[Question]
    shelf: Shelf
    store: ProgressFile | None = None
    on_question: Callable[[Progress], None] | None = None
    seconds: list[float] = field(default_factory=list)
    resumed: int = 0
    _rows: dict[str, Rows] = field(default_factory=dict)
    _failed: dict[str, str] = field(default_factory=dict)

    def resume(self) -> Sequence[Question]:
        """Take in what an interrupted run has left, and return the questions that are still to be asked."""
        if self.store is not None:
            for question, (documents, scores) in self.store.read(self.questions).items():
                positions = [self.shelf.position(document) for document in documents]
                self._rows[question] = Rows(np.asarray(positions, dtype=np.int64), np.asarray(scores, dtype=np.float64))
        self.resumed = len(self._rows)
        self._tell()
        return [question for question in self.questions if question.id not in self._rows]

    def add(self, asked: Sequence[Question], batch: Batch) -> None:
        """Take in the answers to some questions."""
        self._rows.update(batch.rows)
        self._failed.update(batch.failed)
        if batch.seconds is not None:
            self.seconds.append(batch.seconds)
        if self.store is not None:
            answered = [(question, batch.rows[question.id]) for question in asked if question.id in batch.rows]
            self.store.add(
                (question, (self.shelf.ids(rows.documents), rows.scores.tolist())) for question, rows in answered
            )
        self._tell()

    def table(self) -> RankingTable:
        """Return all rankings, and the questions that failed."""
        answered = [question.id for question in self.questions if question.id in self._rows]
        rows = [self._rows[question] for question in answered]
        documents = np.concatenate([np.empty(0, dtype=np.int64), *(one.documents for one in rows)])
        return RankingTable(
            questions=pl.Series("question", answered, dtype=pl.String),
            starts=starts_of(np.asarray([len(one.documents) for one in rows], dtype=np.int64)),
            documents=self.shelf.id_series(documents),
            scores=np.concatenate([np.empty(0, dtype=np.float64), *(one.scores for one in rows)]),
            failed={
                question.id: self._failed[question.id] for question in self.questions if question.id in self._failed
            },
        )

    def _tell(self) -> None:
        if self.on_question is not None:
            done = len(self._rows) + len(self._failed)
            self.on_question(Progress(done, len(self.questions), len(self._failed), self.resumed))
