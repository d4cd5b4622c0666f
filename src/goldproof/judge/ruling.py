"""What a judge says of a question and some documents, with the evidence for it.

yes          the question can be answered from these documents alone; the evidence stands in them
no           it cannot
unsupported  a yes whose quotes do not stand in the documents: worth nothing
disputed     a yes whose answer is another than the question's own: the documents or the question are wrong
abstained    the judge cannot know
failed       the judge did not come to a ruling: an error, with its reason
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Label = Literal["yes", "no", "unsupported", "disputed", "abstained", "failed"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A span of a document: `text` stands there from `start` to `end` (in `title` where `in_title`)."""

    document: str
    start: int
    end: int
    text: str
    in_title: bool = False


@dataclass(frozen=True, slots=True)
class Vote:
    """What one model said once. by: the model's key, and the number of the sample where there are several."""

    by: str
    label: Label
    grade: int | None = None
    quotes: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a judge says.

    grade: on the judge's scale, where it grades. score: the number that the label was made of, where there is one.
    evidence: checked to stand in the documents. missing: what the documents lack, in words to search for. votes: all
    that were asked for, where there are several; agreement: the share of them that the ruling follows, failed ones
    counted.
    """

    label: Label
    grade: int | None = None
    evidence: tuple[Evidence, ...] = ()
    missing: str = ""
    reason: str = ""
    votes: tuple[Vote, ...] = ()
    agreement: float | None = None
    score: float | None = None

    @property
    def sufficient(self) -> bool | None:
        """Whether the documents suffice; None where the judge does not say."""
        return {"yes": True, "no": False}.get(self.label)
