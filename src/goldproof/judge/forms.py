"""The forms in which a model gives its ruling.

Reason and quotes stand before the verdict: a model writes in this order, and is to look before it decides. Small models
write `yes` for YES and null for nothing; both are understood. True is no grade.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, Field


def _upper(value: object) -> object:
    return value.strip().upper() if isinstance(value, str) else value


def _text(value: object) -> object:
    return "" if value is None else value


def _texts(value: object) -> object:
    return [] if value is None else value


def _no_bool(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("expected a whole number, found true or false")  # noqa: TRY004 - what pydantic takes up
    return value


Text = Annotated[str, BeforeValidator(_text)]
Quotes = Annotated[list[str], BeforeValidator(_texts)]
WholeNumber = Annotated[int, BeforeValidator(_no_bool)]
_QUOTES = "Spans copied from the documents, word for word, that prove the verdict; empty where there is none."
_ANSWER = "The answer that the documents give; for multiple choice the letter of the option alone; else empty."
_MISSING = "What the documents lack, as words to search for; empty where they lack nothing."


class Finding(BaseModel):
    """What every ruling says."""

    reason: Text = Field("", description="One or two sentences.")
    quotes: Quotes = Field(default_factory=list, description=_QUOTES)
    answer: Text = Field("", description=_ANSWER)
    missing: Text = Field("", description=_MISSING)


class YesNo(Finding):
    """Can the question be answered definitively from these documents alone?"""

    answerable: Annotated[Literal["YES", "NO"], BeforeValidator(_upper)]


class Grade2(Finding):
    """How relevant the documents are, from 0 to 2."""

    grade: WholeNumber = Field(ge=0, le=2)


class Grade4(Finding):
    """How relevant the documents are, from 0 to 4."""

    grade: WholeNumber = Field(ge=0, le=4)


class Grade10(Finding):
    """How relevant the documents are, from 0 to 10."""

    grade: WholeNumber = Field(ge=0, le=10)


class PlainGrade(BaseModel):
    """A grade with its reason, and no evidence for it."""

    reason: Text = Field("", description="One or two sentences.")
    grade: WholeNumber


class PlainGrade2(PlainGrade):
    """How relevant the documents are, from 0 to 2."""

    grade: WholeNumber = Field(ge=0, le=2)


class PlainGrade4(PlainGrade):
    """How relevant the documents are, from 0 to 4."""

    grade: WholeNumber = Field(ge=0, le=4)


class PlainGrade10(PlainGrade):
    """How relevant the documents are, from 0 to 10."""

    grade: WholeNumber = Field(ge=0, le=10)


class OwnAnswer(BaseModel):
    """The answer to a question that was asked without any document."""

    reason: Text = ""
    answer: Text = Field("", description="One answer only; for multiple choice the letter alone; empty where unknown.")
