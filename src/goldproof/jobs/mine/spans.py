"""`spans.jsonl`: the gold of a mined dataset as spans of the sources, which survives another way of cutting them.

    positive    the spans that its ruling quotes, all of them needed where there are several; grade 2
    partial     in a kernel: what the ruling on the kernel quotes of it, needed with the quotes of the others; grade 1
                by the judge's grade alone: what the ruling quotes, as no answer (`"answers": false`); grade 1
    negative    the whole document; grade 0. None where it holds only parts of its place in the source, as the
                document of a class, whose methods are documents of their own
    unjudged    no span

Where the ruling quotes nothing of the text (people, scores, a title) the whole document is the span. In the order of
the questions; `goldproof.corpus.gold_spans` says how `goldproof eval --spans` reads it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from goldproof.corpus import GoldSpan
from goldproof.corpus.sources import Stretch, quote_of, stretch_within
from goldproof.errors import InputError
from goldproof.jobs.mine.records import GRADES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from goldproof.jobs.mine.records import Mined, MinedDocument, MinedQuestion
    from goldproof.judge import Ruling
    from goldproof.records.entities import Document

SPANS = "spans.jsonl"


def gold_spans(mined: Mined) -> Iterator[GoldSpan]:
    """Yield the spans, question by question; each once, with its highest grade."""
    for question in mined.questions:
        spans: dict[tuple[object, ...], GoldSpan] = {}
        for span in _of_question(question, mined.documents):
            key = (span.source, span.start, span.end, span.kernel)
            known = spans.get(key, span)
            spans[key] = replace(span, grade=max(span.grade, known.grade), answers=span.answers or known.answers)
        yield from spans.values()


def why_no_spans(documents: Iterable[Document]) -> str:
    """Return why spans cannot be written: documents whose metadata contradict their text; empty where they can."""
    try:
        for document in documents:
            Stretch.of(document)
            quote_of(document)
    except InputError as error:
        return f"{SPANS} is not written: {error}"
    return ""


def _of_question(mined: MinedQuestion, documents: Mapping[str, Document]) -> Iterator[GoldSpan]:
    grades = {document.id: GRADES[document.standing] for document in mined.documents if document.standing in GRADES}
    number = 0
    in_kernels: set[str] = set()
    for kernel in mined.kernels:
        if len(kernel) > 1:
            number += 1
            in_kernels.update(kernel)
            ruling = _ruling_on(kernel, mined)
            for name in kernel:
                spans = _quoted(mined.question.id, documents[name], ruling, grade=grades.get(name, 1))
                yield from (replace(span, kernel=number) for span in spans)
    for document in mined.documents:
        if document.id not in grades or (document.standing == "partial" and document.id in in_kernels):
            continue
        spans = _of_document(mined.question.id, document, documents[document.id])
        if document.standing == "positive" and len(spans) > 1:  # what several quotes say, they say together
            number += 1
            spans = [replace(span, kernel=number) for span in spans]
        yield from spans


def _ruling_on(kernel: tuple[str, ...], mined: MinedQuestion) -> Ruling | None:
    """Return the ruling that found a kernel sufficient."""
    wanted = set(kernel)
    found = (asked.ruling for asked in mined.set_rulings if set(asked.documents) == wanted)
    return next((ruling for ruling in found if ruling.sufficient), None)


def _of_document(question: str, mined: MinedDocument, document: Document) -> list[GoldSpan]:
    grade = GRADES[mined.standing]
    spans = _quoted(question, document, mined.ruling if grade else None, grade=grade)
    return [replace(span, answers=False) for span in spans] if mined.standing == "partial" else spans


def _quoted(question: str, document: Document, ruling: Ruling | None, *, grade: int) -> list[GoldSpan]:
    """Return the quotes of a document as spans of its source; the whole document where there is none."""
    evidence = () if ruling is None else (each for each in ruling.evidence if each.document == document.id)
    spans: dict[tuple[int, int], GoldSpan] = {}
    for quote in evidence:
        place = None if quote.in_title else stretch_within(document, quote.start, quote.end)
        if place is not None and quote.text.strip():
            at = (place.start, place.end)
            spans[at] = GoldSpan(question, place.source, *at, grade, quote.text)
    if spans:
        return list(spans.values())
    whole, text = Stretch.of(document), quote_of(document)
    if whole.end <= whole.start or not document.text.strip():  # nothing stands there that could be found again
        return []
    if not grade and text is None:  # the judge did not see all that stands there
        return []
    return [GoldSpan(question, whole.source, whole.start, whole.end, grade, text)]
