"""The records: Question, Document, Judgment, Hit, Ranking, Score, Card, Dataset.

Inside, the same things are columns (`goldproof.records.tables`); nothing hot loops over these objects.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from goldproof.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from goldproof.records.tables import JudgmentTable


Status = Literal["scored", "undefined", "failed"]


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a user.

    cluster: questions that share one (a source document, a conversation) are not independent.
    answerable: False where the right behaviour is to return nothing.
    """

    id: str
    text: str = ""
    answer: str | None = None
    options: tuple[str, ...] = ()
    cluster: str | None = None
    answerable: bool = True
    metadata: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Document:
    """A document that can be retrieved; for code the id is the fully qualified name."""

    id: str
    text: str = ""
    title: str = ""
    metadata: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judgment:
    """Relevance of documents to one question: a grade, or a kernel.

    A grade is the relevance of one document (0: judged, not relevant). A kernel is a minimal set of documents that
    together suffice to answer the question; it may have a single member.
    """

    question: str
    documents: tuple[str, ...]
    grade: int | None = None
    kernel: bool = False
    label: str | None = None
    evidence: str | None = None
    judge: str | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """One retrieved document."""

    doc_id: str
    score: float
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Ranking:
    """The hits of a system for one question, or the `error` with which it failed."""

    question: str
    hits: tuple[Hit, ...] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """One value, or the reason why there is none."""

    run: str
    question: str
    metric: str
    value: float | None
    status: Status = "scored"
    reason: str | None = None
    cluster: str | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """Provenance of an artefact: enough to reproduce it byte for byte.

    inputs: name of each input -> its sha256. outputs: name of each file of the artefact -> its sha256, for
    checks. What depends on the clock, a price or the host is in `run.json` instead, except events that a reader
    must know to trust the artefact (when a hold-out was opened).
    """

    schema: str
    schema_version: int
    inputs: Mapping[str, str]
    settings: Mapping[str, object]
    seed: int | None = None
    licence: str | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    outputs: Mapping[str, str] = field(default_factory=dict)
    events: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """Questions, documents and judgments that belong together.

    questions may be empty where only judgments are known (a bare qrels file). remarks: sentences on what was
    skipped in its files. beir: the BEIR folder that it was read from. judge: the key of the judge that `goldproof mine`
    labelled it with, where a card says so.
    """

    name: str
    judgments: JudgmentTable
    questions: tuple[Question, ...] = ()
    documents: tuple[Document, ...] = ()
    remarks: tuple[str, ...] = ()
    beir: Path | None = None
    judge: str | None = None

    def clusters(self, field: str | None = None) -> dict[str, str]:
        """Return question -> cluster, from a metadata field or from the questions' own `cluster`."""
        if field is None:
            return {q.id: q.cluster for q in self.questions if q.cluster is not None}
        if not self.questions:
            raise InputError(
                f"{self.name}: no questions, so no field {field!r} to cluster by; give --clusters FILE instead."
            )
        known = {name for q in self.questions for name in q.metadata}
        if field == "cluster" and any(q.cluster is not None for q in self.questions):
            return self.clusters()
        if field not in known:
            raise UnknownNameError(f"metadata field in {self.name}", field, known)
        return {q.id: str(q.metadata[field]) for q in self.questions if q.metadata.get(field) is not None}
