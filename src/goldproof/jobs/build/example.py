"""What an adapter makes of a record: an example (question, answer, documents, which of them are gold), or a reason.

An example has no question type and no difficulty yet: those are decided by one rule for all datasets
(`goldproof.jobs.build.questions.types`, `goldproof.jobs.build.questions.difficulty`), never by an adapter.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.records.entities import Document


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where in a document the answer stands, or what it is computed from: characters `start` to `end` of its text."""

    document: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Example:
    """One question of a dataset with the documents that came with it.

    original_id: the dataset's own id; where it has none, a hash of the content, never a position.
    documents: all that the dataset gives as context, gold and distractors, in its order; texts may be empty where the
    dataset only names the document (then nothing of it stands in `contexts`).
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
    """A record, or one question of it, that cannot be used.

    reason: a short phrase without ids or values, since records are counted by it ("no question"); detail: what exactly
    was found ("supporting fact 'Alû' sentence 9, of 4"); original_id where the record has one.
    """

    reason: str
    detail: str = ""
    original_id: str | None = None
