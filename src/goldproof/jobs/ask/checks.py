"""Checks of a draft: free ones on its text, then those that ask a model, the cheapest first.

1. the reply has a question and an answer, and each quote is found in its document (`goldproof.text.spans`);
2. the question does not refer to "the document", "the passage" and the like (English only);
3. the answer occurs in a quote by the answer rule (`goldproof.judge.answer`), or the model says that it follows;
4. the model does not answer the question without any document (`goldproof.judge.without_context`);
5. the judge says that the documents answer the question;
6. for two documents: the judge says that neither alone does.

A draft is dropped at the first check that it fails. The judge is asked as `goldproof mine` asks it, so that mining
with the same judge finds these rulings in the cache.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from goldproof.errors import ModelDownError, ModelFailedError, kind_of, shown
from goldproof.jobs.ask.prompts import OneQuestion, Support, TwoQuestion, draft_ask, support_ask
from goldproof.jobs.ask.records import (
    FAILED,
    KEPT,
    MALFORMED,
    NOT_ANSWERED,
    NOT_QUOTED,
    NOTHING,
    ONE_ENOUGH,
    REFERS,
    UNSUPPORTED,
    WITHOUT,
    Draft,
)
from goldproof.judge import Evidence, answered_without_context, find_answer
from goldproof.judge.votes import tidy
from goldproof.text.near_duplicates import normal_text
from goldproof.text.spans import find_quote
from goldproof.text.tokens import content_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.jobs.ask.records import Passage, Place
    from goldproof.judge import Judge
    from goldproof.llm import Model

LONGEST_QUESTION: Final = 500
LONGEST_ANSWER: Final = 500
_NOUNS: Final = r"(?:document|passage|text|excerpt|snippet|article|paragraph|section|context|quote)s?"
_AFTER: Final = (
    r"(?=\s*(?:[,.;:?!)\"']|$)|\s+(?:is|are|was|were|do|does|did|says?|states?|mentions?|describes?|gives?|lists?|"
    r"reports?|above|below|and|that|which|to|for|as|about|from)\b)"
)
_REFERS: Final = re.compile(
    rf"\b(?:(?:this|these|both|either|given|provided|following|first|second|two) {_NOUNS}\b"
    rf"|the {_NOUNS}{_AFTER}"
    r"|this (?:paper|study|page|report|chapter|table|figure|list)\b"
    r"|(?:mentioned|described|listed|given|shown|quoted) (?:above|below|here)\b"
    r"|document [12]\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Checkers:
    """Who drafts, who judges, and who is asked without any document."""

    model: Model
    judge: Judge
    blind_model: Model


async def draft_from(place: Place, model: Model) -> Draft:
    """Have a question drafted, and check its text."""
    try:
        reply = await model.answer(draft_ask(place))
    except ModelDownError:
        raise
    except ModelFailedError as error:
        return Draft(place, outcome=FAILED, detail=tidy(str(error)))
    return read_draft(place, reply.value)


def read_draft(place: Place, value: object) -> Draft:
    """Return the draft of a reply; its outcome is empty where it passes the checks of its text."""
    if isinstance(value, OneQuestion):
        quotes: tuple[str, ...] = (value.quote,)
    elif isinstance(value, TwoQuestion):
        quotes = (value.quote_1, value.quote_2)
    else:
        return Draft(place, outcome=FAILED, detail=f"the reply is {kind_of(value)}, not the form.")
    question, answer = _line(value.question), _line(value.answer)
    draft = Draft(place, question, answer)
    if not question and not answer:
        return replace(draft, outcome=NOTHING)
    if problem := _malformed(question, answer):
        return replace(draft, outcome=MALFORMED, detail=problem)
    evidence = _evidence(quotes, place.passages)
    if isinstance(evidence, str):
        return replace(draft, outcome=NOT_QUOTED, detail=evidence)
    draft = replace(draft, evidence=evidence)
    if reference := _REFERS.search(question):
        return replace(draft, outcome=REFERS, detail=f"it says {shown(reference[0])}.")
    return draft


async def check_draft(draft: Draft, checkers: Checkers) -> Draft:
    """Ask for everything that the text alone does not show; return the draft with its outcome."""
    if problem := await _unsupported(draft, checkers.model):
        return replace(draft, outcome=problem[0], detail=problem[1])
    question = draft.to_question()
    blind = await answered_without_context(question, checkers.blind_model)
    draft = replace(draft, blind=blind.answered)
    if blind.answered:
        return replace(draft, outcome=WITHOUT, detail=tidy(blind.reason))
    documents = draft.place.documents
    ruling = await checkers.judge.judge(question, documents)
    if not ruling.sufficient:
        outcome = FAILED if ruling.label == "failed" else NOT_ANSWERED
        return replace(draft, outcome=outcome, detail=tidy(f"the judge says {ruling.label}: {ruling.reason}"))
    for document in documents if draft.place.is_pair else ():
        alone = await checkers.judge.judge(question, (document,))
        if alone.label == "failed":
            return replace(draft, outcome=FAILED, detail=tidy(alone.reason))
        if alone.sufficient:
            return replace(draft, outcome=ONE_ENOUGH, detail=f"{document.id} answers it alone.")
    return replace(draft, outcome=KEPT)


def _line(text: str) -> str:
    """Return a text of a model on one line, without what cannot be written."""
    return " ".join(tidy(text).split())


def _malformed(question: str, answer: str) -> str:
    if not question or not content_words(question):
        return "there is no question."
    if not answer:
        return "there is no answer."
    if normal_text(question) == normal_text(answer):
        return "the answer is the question."
    if len(question) > LONGEST_QUESTION or len(answer) > LONGEST_ANSWER:
        return f"question or answer is longer than {LONGEST_QUESTION} characters."
    return ""


def _evidence(quotes: Sequence[str], passages: Sequence[Passage]) -> tuple[Evidence, ...] | str:
    """Return one piece of evidence per passage, or which quote is missing; two quotes may be swapped."""
    orders = (quotes, quotes[::-1]) if len(quotes) > 1 else (quotes,)
    for order in orders:
        found = [_found(quote, passage) for quote, passage in zip(order, passages, strict=True)]
        evidence = tuple(each for each in found if each is not None)
        if len(evidence) == len(passages):
            return evidence
    lost = next(quote for quote, passage in zip(quotes, passages, strict=True) if _found(quote, passage) is None)
    return f"not found: {shown(tidy(lost), longest=120)}." if lost.strip() else "there is no quote."


def _found(quote: str, passage: Passage) -> Evidence | None:
    """Return where a quote stands; one without a word that carries meaning stands everywhere, and proves nothing."""
    text = passage.document.text[passage.start : passage.end]
    span = find_quote(quote, text) if content_words(quote) else None
    if span is None:
        return None
    start, end = passage.start + span.start, passage.start + span.end
    return Evidence(passage.document.id, start, end, passage.document.text[start:end])


async def _unsupported(draft: Draft, model: Model) -> tuple[str, str] | None:
    """Return outcome and detail where the quotes do not hold the answer."""
    if any(find_answer(draft.answer, each.text).verdict == "present" for each in draft.evidence):
        return None
    try:
        reply = await model.answer(support_ask(draft))
    except ModelDownError:
        raise
    except ModelFailedError as error:
        return FAILED, tidy(str(error))
    if isinstance(reply.value, Support) and reply.value.supported == "YES":
        return None
    return UNSUPPORTED, tidy(getattr(reply.value, "reason", ""))
