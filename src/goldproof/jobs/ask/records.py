"""What passes between the steps: passages and places to ask about, drafts and their outcomes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from goldproof.records.entities import Document, Question
from goldproof.records.keys import content_key

if TYPE_CHECKING:
    from goldproof.judge import Evidence

KEPT: Final = "kept"
FAILED: Final = "for which a model failed"
NOTHING: Final = "without anything to ask about"
MALFORMED: Final = "without a usable question or answer"
NOT_QUOTED: Final = "whose quote is not in the document"
REFERS: Final = "not self-contained"
DUPLICATE: Final = "near-duplicate"
UNSUPPORTED: Final = "whose quote does not support the answer"
WITHOUT: Final = "answered without the document"
NOT_ANSWERED: Final = "not answerable from the document"
ONE_ENOUGH: Final = "for which one document is enough"
# As they follow a number of drafts, in the order in which a draft is checked.
REASONS: Final = (
    *(FAILED, NOTHING, MALFORMED, NOT_QUOTED, REFERS),
    *(DUPLICATE, UNSUPPORTED, WITHOUT, NOT_ANSWERED, ONE_ENOUGH),
)


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a document that is short enough to be shown to the model."""

    document: Document
    start: int
    end: int

    def shown(self) -> Document:
        """Return the document with the text of the passage alone."""
        return Document(self.document.id, self.document.text[self.start : self.end], self.document.title)


@dataclass(frozen=True, slots=True)
class Place:
    """What one question is drafted from: a passage, or two passages of documents that share an entity.

    stratum: of its first document. asked: questions that were drafted from it before.
    """

    passages: tuple[Passage, ...]
    stratum: str
    entity: str = ""
    asked: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[tuple[str, int], ...]:
        """What tells it from other places."""
        return tuple((passage.document.id, passage.start) for passage in self.passages)

    @property
    def documents(self) -> tuple[Document, ...]:
        """The whole documents."""
        return tuple(passage.document for passage in self.passages)

    @property
    def is_pair(self) -> bool:
        """Whether the question has to need two documents."""
        return len(self.passages) > 1


@dataclass(frozen=True, slots=True)
class Draft:
    """A question that a model wrote, and what became of it.

    evidence: its quotes, found in the documents. outcome: KEPT, or the reason why it was dropped; empty while it is
    still being checked. detail: what was found, for dropped.jsonl. blind: whether the question was answered without
    any document; None where that could not be told.
    """

    place: Place
    question: str = ""
    answer: str = ""
    evidence: tuple[Evidence, ...] = ()
    outcome: str = ""
    detail: str = ""
    blind: bool | None = None

    @property
    def id(self) -> str:
        """An id made of its content, so that it stays the same when more questions are drafted."""
        return f"q-{content_key(self.question, [document.id for document in self.place.documents])[:12]}"

    @property
    def documents(self) -> list[str]:
        """The ids of its documents."""
        return [document.id for document in self.place.documents]

    def to_question(self) -> Question:
        """Return the question as judges and `goldproof.mine` take it."""
        metadata: dict[str, object] = {
            "gold_kernels": [self.documents],
            "evidence": [
                {"doc_id": each.document, "start": each.start, "end": each.end, "quote": each.text}
                for each in self.evidence
            ],
            "document": self.documents[0],
            "documents_needed": len(self.place.passages),
            "stratum": self.place.stratum,
            **({"entity": self.place.entity} if self.place.entity else {}),
        }
        return Question(self.id, self.question, self.answer, metadata=metadata)
