"""A sample of the benchmark: an example with its question type and difficulty, or an unanswerable made from one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.jobs.build.example import Evidence

Difficulty = str
DIFFICULTIES = ("D1", "D2", "D3")
UNANSWERABLE = ":unanswerable"
"""What the id of an unanswerable has behind that of the sample it was made from."""


def origin_id(identifier: str) -> str:
    """Return the id of the sample that an unanswerable was made from; any other id as it is."""
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
    """What sampling needs to know of a sample: 100,000 of them must fit easily.

    stratum: the value of the field over which its doc_type is spread evenly ("" where there is none).
    order: a number drawn from seed and id; the pool is always looked at in this order, never in that of the files.
    """

    id: str
    doc_type: str
    question_type: str
    difficulty: Difficulty
    stratum: str
    order: int
