"""Records that pass between the steps of a build, from example to sample.

An example has no question type and no difficulty yet: those are decided by one rule for all datasets
(`goldproof.jobs.build.question_types`, `goldproof.jobs.build.classification`), never by an adapter.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.records.entities import Document


@dataclass(frozen=True, slots=True)
class Evidence:
    """A span that holds the answer or what it is computed from: characters `start` to `end` of a document's text."""

    document: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Example:
    """One question of a dataset with its documents.

    original_id: the dataset's own id; where it has none, a hash of the content, never a position.
    documents: all that the dataset gives as context, gold and distractors, in its order; texts may be empty where the
    dataset only names the document (then it is not in `contexts`).
    gold: ids of the documents that the answer needs. kernels: alternative sets that each suffice; empty means that all
    of `gold` together are needed.
    computation: what the dataset itself says about whether the answer is computed; None where it says nothing.
    doc_type: where it differs from the adapter's.
    """

    original_id: str
    question: str
    answer: str
    documents: tuple[Document, ...]
    gold: tuple[str, ...]
    evidence: tuple[Evidence, ...] = ()
    kernels: tuple[tuple[str, ...], ...] = ()
    aliases: tuple[str, ...] = ()
    computation: bool | None = None
    doc_type: str | None = None
    metadata: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Dropped:
    """A record, or one of its questions, that cannot be used.

    reason: a short phrase without ids or values, since records are counted by it ("no question"); detail: what exactly
    was found ("supporting fact 'Alû' sentence 9, of 4"); original_id where the record has one.
    """

    reason: str
    detail: str = ""
    original_id: str | None = None


Difficulty = str
DIFFICULTIES = ("D1", "D2", "D3")
UNANSWERABLE = ":unanswerable"
"""What the id of an unanswerable has behind that of the sample it was made from."""


def origin_id(identifier: str) -> str:
    """Return the id of the sample that an unanswerable was made from; any other id unchanged."""
    return identifier.removesuffix(UNANSWERABLE)


@dataclass(frozen=True, slots=True)
class Sample:
    """One line of the benchmark.

    contexts: the texts that came with the question, parallel to `context_ids`; documents of which only the name is
    known are in neither. gold_documents: ids; kernels: alternative minimal sets (one document or more each), empty
    where unanswerable. evidence: character spans in the gold documents.
    """

    id: str
    question: str
    ground_truth: str
    contexts: tuple[str, ...]
    context_ids: tuple[str, ...]
    doc_type: str
    question_type: str
    difficulty: Difficulty
    source_dataset: str
    original_id: str
    answerable: bool = True
    gold_documents: tuple[str, ...] = ()
    kernels: tuple[tuple[str, ...], ...] = ()
    evidence: tuple[Evidence, ...] = ()
    metadata: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Candidate:
    """The facts of a sample that sampling needs; 100,000 of them must fit easily.

    stratum: the value of the field over which its doc_type is spread evenly ("" where there is none).
    order: a number drawn from seed and id; the pool is always looked at in this order, never in that of the files.
    """

    id: str
    doc_type: str
    question_type: str
    difficulty: Difficulty
    stratum: str
    order: int


class PooledSample(NamedTuple):
    """A sample of the pool and its documents, those that are only named included."""

    sample: Sample
    documents: tuple[Document, ...]


class PoolEntry(NamedTuple):
    """The part of a pooled sample that stays in memory: a candidate and its question."""

    candidate: Candidate
    question: str
