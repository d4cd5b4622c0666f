"""The six records that every job reads and writes: the row form, used at the edges.

Inside, the same things are columns (`goldproof.core.tables`); nothing hot loops over these objects.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Status = Literal["scored", "undefined", "failed"]


@dataclass(frozen=True, slots=True)
class Question:
    """Something a user asks.

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
    """Something that can be retrieved; for code the id is the fully qualified name."""

    id: str
    text: str = ""
    title: str = ""
    metadata: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judgment:
    """What is known about documents for one question.

    A grade is the relevance of one document (0 is judged and not relevant). A kernel is a set of documents that
    together, and none of them spare, suffice to answer the question; it may have a single member.
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
    """What a system returned for one question; `error` where it failed instead."""

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
    """Where an artefact came from: enough to make it again, byte for byte.

    inputs: name of each input -> its sha256. outputs: name of each file of the artefact -> its sha256, where somebody
    may want to check them. What a clock, a price or a host decides is not here but in `run.json`; but for events, which
    a reader must know of to trust the artefact (when a hold-out was opened).
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
