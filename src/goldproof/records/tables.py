"""Judgments, rankings and scores as columns: `JudgmentTable`, `RankingTable`, `ScoreTable`.

Judgments and rankings are grouped by question: rows of question i stand at `starts[i]:starts[i + 1]`. Question ids are
stored once. Tables are frozen, and their arrays are never changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from goldproof.errors import InputError
from goldproof.records.entities import Score

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from goldproof.records.arrays import FloatArray, IntArray
    from goldproof.records.entities import Judgment, Ranking

SCORE_SCHEMA = pl.Schema(
    {
        "run": pl.String(),
        "id": pl.String(),
        "metric": pl.String(),
        "value": pl.Float64(),
        "status": pl.String(),
        "reason": pl.String(),
        "cluster": pl.String(),
    }
)
_NOTHING_FAILED: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class JudgmentTable:
    """Grades of documents per question, alternative kernels, and questions that have no answer.

    kernels: question -> alternative minimal sets of documents; any complete one suffices.
    """

    questions: pl.Series
    starts: IntArray
    documents: pl.Series
    grades: IntArray
    kernels: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    unanswerable: frozenset[str] = frozenset()

    @classmethod
    def from_dict(
        cls,
        grades: Mapping[str, Mapping[str, int]],
        *,
        kernels: Mapping[str, tuple[tuple[str, ...], ...]] | None = None,
        unanswerable: Iterable[str] = (),
    ) -> JudgmentTable:
        """Build from {question: {document: grade}}."""
        flat = [grade for documents in grades.values() for grade in documents.values()]
        return cls(
            questions=pl.Series("question", list(grades), dtype=pl.String),
            starts=_starts(len(documents) for documents in grades.values()),
            documents=pl.Series("document", [d for documents in grades.values() for d in documents], dtype=pl.String),
            grades=np.asarray(flat, dtype=np.int64),
            kernels=dict(kernels or {}),
            unanswerable=frozenset(unanswerable),
        )

    @classmethod
    def from_records(cls, judgments: Iterable[Judgment], *, unanswerable: Iterable[str] = ()) -> JudgmentTable:
        """Build from records: grades of single documents, and kernels."""
        grades: dict[str, dict[str, int]] = {}
        kernels: dict[str, tuple[tuple[str, ...], ...]] = {}
        for judgment in judgments:
            if judgment.kernel:
                kernels[judgment.question] = (*kernels.get(judgment.question, ()), judgment.documents)
            else:
                _add_grade(grades.setdefault(judgment.question, {}), judgment)
        return cls.from_dict(grades, kernels=kernels, unanswerable=unanswerable)

    def without(self, questions: frozenset[str]) -> JudgmentTable:
        """Return the table less some questions."""
        kept = ~self.questions.is_in(list(questions)).to_numpy()
        lengths = np.diff(self.starts)
        rows = np.repeat(kept, lengths)
        return JudgmentTable(
            questions=self.questions.filter(pl.Series(kept)),
            starts=_starts(lengths[kept]),
            documents=self.documents.filter(pl.Series(rows)),
            grades=self.grades[rows],
            kernels={question: sets for question, sets in self.kernels.items() if question not in questions},
            unanswerable=self.unanswerable - questions,
        )

    def to_dict(self) -> dict[str, dict[str, int]]:
        """Return {question: {document: grade}}."""
        documents, grades = self.documents.to_list(), self.grades.tolist()
        return {
            question: dict(zip(documents[low:high], grades[low:high], strict=True))
            for question, low, high in _groups(self.questions, self.starts)
        }


@dataclass(frozen=True, slots=True, eq=False)
class RankingTable:
    """Retrieved documents with their scores, grouped by question, in the order in which they were read.

    failed: questions for which the system crashed -> why. They have no rows.
    """

    questions: pl.Series
    starts: IntArray
    documents: pl.Series
    scores: FloatArray
    failed: Mapping[str, str] = field(default_factory=lambda: _NOTHING_FAILED)

    @classmethod
    def from_dict(
        cls, scores: Mapping[str, Mapping[str, float]], *, failed: Mapping[str, str] | None = None
    ) -> RankingTable:
        """Build from {question: {document: score}}."""
        flat = [score for documents in scores.values() for score in documents.values()]
        return cls(
            questions=pl.Series("question", list(scores), dtype=pl.String),
            starts=_starts(len(documents) for documents in scores.values()),
            documents=pl.Series("document", [d for documents in scores.values() for d in documents], dtype=pl.String),
            scores=np.asarray(flat, dtype=np.float64),
            failed=dict(failed or {}),
        )

    @classmethod
    def from_records(cls, rankings: Iterable[Ranking]) -> RankingTable:
        """Build from records; a ranking with an error is a failed question."""
        scores: dict[str, dict[str, float]] = {}
        failed: dict[str, str] = {}
        for ranking in rankings:
            if ranking.question in scores or ranking.question in failed:
                raise InputError(f"question {ranking.question!r} is ranked twice; keep one ranking.")
            if ranking.error is not None:
                failed[ranking.question] = ranking.error
                continue
            scores[ranking.question] = {hit.doc_id: hit.score for hit in ranking.hits}
            if len(scores[ranking.question]) < len(ranking.hits):
                raise InputError(f"question {ranking.question!r}: a document is returned twice; keep its best rank.")
        return cls.from_dict(scores, failed=failed)

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Return {question: {document: score}}."""
        documents, scores = self.documents.to_list(), self.scores.tolist()
        return {
            question: dict(zip(documents[low:high], scores[low:high], strict=True))
            for question, low, high in _groups(self.questions, self.starts)
        }


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """One row per run, question and metric: `run, id, metric, value, status, reason, cluster`.

    value is null exactly where status is not `scored`.
    """

    frame: pl.DataFrame

    def __post_init__(self) -> None:
        if self.frame.schema != SCORE_SCHEMA:
            raise InputError(f"a score table has the columns {dict(SCORE_SCHEMA)}, found {dict(self.frame.schema)}.")

    @classmethod
    def from_records(cls, scores: Iterable[Score]) -> ScoreTable:
        """Build from records."""
        rows = [(s.run, s.question, s.metric, s.value, s.status, s.reason, s.cluster) for s in scores]
        return cls(pl.DataFrame(rows, schema=SCORE_SCHEMA, orient="row"))

    def to_records(self) -> list[Score]:
        """Return the rows as records."""
        return [Score(*row) for row in self.frame.iter_rows()]


def _add_grade(known: dict[str, int], judgment: Judgment) -> None:
    if judgment.grade is None or len(judgment.documents) != 1:
        raise InputError(
            f"question {judgment.question!r}: a judgment of {len(judgment.documents)} documents with grade "
            f"{judgment.grade}; expected one document with a grade, or kernel=True."
        )
    (document,) = judgment.documents
    if document in known:
        raise InputError(f"question {judgment.question!r}: document {document!r} is judged twice; keep one judgment.")
    known[document] = judgment.grade


def group_rows(questions: pl.Series) -> tuple[pl.Series, IntArray, IntArray | None]:
    """Group rows by question, in order of first appearance.

    Returns the distinct questions, the group starts, and the stable row order that groups them (None where they
    already stand together, which files nearly always do).
    """
    runs = questions.rle().struct.unnest()
    heads, lengths = runs["value"], runs["len"].to_numpy().astype(np.int64)
    distinct = heads.unique(maintain_order=True)
    if len(distinct) == len(heads):
        return heads.alias("question"), _starts(lengths), None
    head_codes = heads.to_frame("question").join(
        distinct.to_frame("question").with_row_index("code"), on="question", how="left", maintain_order="left"
    )["code"]
    codes = np.repeat(head_codes.to_numpy().astype(np.int64), lengths)
    order = np.argsort(codes, kind="stable")
    return distinct.alias("question"), _starts(np.bincount(codes, minlength=len(distinct))), order


def _starts(lengths: Iterable[int] | IntArray) -> IntArray:
    counts = np.fromiter(lengths, dtype=np.int64)
    starts = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=starts[1:])
    return starts


def _groups(questions: pl.Series, starts: IntArray) -> Iterable[tuple[str, int, int]]:
    bounds = starts.tolist()
    return zip(questions.to_list(), bounds[:-1], bounds[1:], strict=True)
