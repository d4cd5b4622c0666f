"""An example with its question type and difficulty: a sample of the pool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.build.adapters.ids import sample_id
from goldproof.jobs.build.questions.difficulty import difficulty, features_of
from goldproof.jobs.build.sample import Sample

if TYPE_CHECKING:
    from goldproof.jobs.build.example import Example
    from goldproof.jobs.build.questions.types import Classifier


def classified(example: Example, *, adapter: str, doc_type: str, classifier: Classifier) -> Sample:
    """Return the sample of an example; doc_type: the source's, unless the example knows better."""
    kind = example.doc_type or doc_type
    features = features_of(example, doc_type=kind)
    with_text = [document for document in example.documents if document.text]
    aliases = {"answer_aliases": list(example.aliases)} if example.aliases else {}
    return Sample(
        id=sample_id(adapter, example.original_id),
        question=example.question,
        ground_truth=example.answer,
        contexts=tuple(document.text for document in with_text),
        context_ids=tuple(document.id for document in with_text),
        doc_type=kind,
        question_type=classifier(kind, example.question, example.computation),
        difficulty=difficulty(features),
        source_dataset=adapter,
        original_id=example.original_id,
        gold_documents=example.gold,
        kernels=example.kernels or (example.gold,),
        evidence=example.evidence,
        metadata={
            **example.metadata,
            **aliases,
            "has_computation": features.computation,
            "difficulty_features": features.to_dict(),
        },
    )
