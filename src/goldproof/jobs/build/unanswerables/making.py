"""From a checked proposal to the sample: nothing answers it, and what came with the original stays as distraction.

Metadata that speaks of the original's answer, or of what it is computed from, goes: it would be false here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from goldproof.jobs.build.sample import UNANSWERABLE

if TYPE_CHECKING:
    from goldproof.jobs.build.sample import Sample
    from goldproof.jobs.build.unanswerables.proposal import Proposal

_OF_THE_ANSWER = frozenset(
    {
        "aliases",
        "citations",
        "decomposition",
        "derivation",
        "difficulty_features",
        "n_operations",
        "n_supporting",
        "program",
        "req_comparison",
        "sub_questions",
    }
    | {"scale", "scale_conflict", "unresolved"}
)


def make_unanswerable(sample: Sample, proposal: Proposal) -> Sample:
    """Return the unanswerable sample; `sample` is the one that the proposal was made from."""
    return replace(
        sample,
        id=f"{sample.id}{UNANSWERABLE}",
        question=proposal.question,
        ground_truth="",
        answerable=False,
        difficulty="D3",
        gold_documents=(),
        kernels=(),
        evidence=(),
        metadata={
            **{key: value for key, value in sample.metadata.items() if not _speaks_of_answer(key)},
            "original_question": sample.question,
            "unanswerable_method": proposal.method,
            **proposal.details,
        },
    )


def _speaks_of_answer(key: str) -> bool:
    return "answer" in key or key in _OF_THE_ANSWER
