"""From an example to a sample: question type and difficulty D1 to D3.

| feature | points |
| --- | --- |
| gold documents, all of which must be found | 0 for one, 1 for two, 2 for three or more |
| computation: the answer is computed from what was found | 1 |
| a long question: more conditions to match | 1 |
| long gold documents, all together: more to look through | 1 |

D1 is 0 or 1 point, D2 is 2, D3 is 3 or more. What is long depends on the kind of document (`LONG_FROM`): a page with a
table has hundreds of words, a line of a log a dozen. Words are counted between blanks; a document of which only the
name is known adds none. Computation is what the dataset says, else, for tables, what the question shows
(`goldproof.jobs.build.question_types`). Nothing is drawn at random and nothing depends on the other questions: a
question is as hard in one benchmark as in another.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from goldproof.errors import UnknownNameError
from goldproof.jobs.build.adapters.adapter import sample_id
from goldproof.jobs.build.question_types import needs_computation
from goldproof.jobs.build.records import DIFFICULTIES, Sample

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.jobs.build.question_types import Classifier
    from goldproof.jobs.build.records import Difficulty, Example


class LengthLimits(NamedTuple):
    """The number of words from which a question, and the gold documents together, count as long."""

    question: int
    gold: int


LONG_FROM: Mapping[str, LengthLimits] = {
    "clean_text": LengthLimits(question=15, gold=150),
    "log_ticket": LengthLimits(question=12, gold=25),
    "table": LengthLimits(question=15, gold=500),
    "code_config": LengthLimits(question=25, gold=150),
}


@dataclass(frozen=True, slots=True)
class Features:
    """Features that decide a question's difficulty; a doc_type that `LONG_FROM` lacks is measured as text."""

    doc_type: str
    gold_documents: int
    computation: bool
    question_words: int
    gold_words: int

    @property
    def points(self) -> int:
        """The sum of points by the table above."""
        long = LONG_FROM.get(self.doc_type, LONG_FROM["clean_text"])
        lengths = (self.question_words >= long.question) + (self.gold_words >= long.gold)
        return max(0, min(self.gold_documents, 3) - 1) + self.computation + lengths

    def to_dict(self) -> dict[str, object]:
        """Return the features and their points, for the metadata of a sample."""
        return {
            "gold_documents": self.gold_documents,
            "computation": self.computation,
            "question_words": self.question_words,
            "gold_words": self.gold_words,
            "points": self.points,
        }


def features_of(example: Example, *, doc_type: str) -> Features:
    """Return the features of an example.

    Where kernels are given any of them suffices: the smallest says how many documents must be found.
    """
    kind, computation = example.doc_type or doc_type, example.computation
    return Features(
        doc_type=kind,
        gold_documents=min((len(kernel) for kernel in example.kernels), default=len(example.gold)),
        computation=kind == "table" and needs_computation(example.question) if computation is None else computation,
        question_words=len(example.question.split()),
        gold_words=sum(len(document.text.split()) for document in example.documents if document.id in example.gold),
    )


def difficulty(features: Features) -> Difficulty:
    """Return D1, D2 or D3."""
    return DIFFICULTIES[min(max(features.points, 1), 3) - 1]


def classify(example: Example, *, adapter: str, doc_type: str, classifier: Classifier) -> Sample:
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


@dataclass(frozen=True, slots=True)
class Strata:
    """The stratum of a sample: the value of the metadata field over which its doc_type is spread evenly.

    fields: doc_type -> metadata field.
    """

    fields: Mapping[str, str]
    _known: dict[str, set[str]] = field(default_factory=dict)

    def of(self, sample: Sample) -> str:
        """Return the value of the field, "" where there is none, and note which fields the doc_type has."""
        self._known.setdefault(sample.doc_type, set()).update(sample.metadata)
        name = self.fields.get(sample.doc_type)
        value = None if name is None else sample.metadata.get(name)
        return "" if value is None else str(value)

    def check(self) -> None:
        """Refuse a field that no sample has: spreading over it would do nothing, silently."""
        for doc_type, name in self.fields.items():
            known = self._known.get(doc_type)
            if known is not None and name not in known:
                raise UnknownNameError(f"metadata field of {doc_type} in strata:", name, known)
