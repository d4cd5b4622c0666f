"""What a model wrote, checked: a yes counts only with quotes that stand in the documents.

- YES, or a grade that says the answer is there, without a quote, with one that is not found, or with one that says
  nothing: `unsupported`;
- the same for a question with options whose right one is known, naming another option or none: `disputed`;
- else `yes`, with the quotes as evidence; NO and lower grades are `no`, with those of their quotes that are found.

A plain grade was asked for without quotes, and counts as it is.

A grade that is not supported is worth nothing: the ruling has none, and its reason says which was claimed. Answers in
free text are not compared. Of a document that was cut only the part that was shown can be quoted. A quote of up to
three letters and digits must stand there as whole words: as a part of others it stands almost everywhere. A quote says
something when it holds a number or a word that carries meaning ("the" and "is" stand everywhere), or when it is the
question's own answer, whatever that is made of.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from goldproof.core.wording import joined, shown
from goldproof.judge.choices import chosen_option, right_option
from goldproof.judge.framing import letter_of
from goldproof.judge.metadata import texts_of
from goldproof.judge.ruling import Evidence, Vote
from goldproof.judge.tidying import tidy, without_surrogates
from goldproof.text.quotes import find_quote, unwrapped
from goldproof.text.spans import find_words
from goldproof.text.words import content_words, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from goldproof.core.records import Document, Question
    from goldproof.judge.forms import Finding, PlainGrade
    from goldproof.judge.judge import Scale
    from goldproof.text.spans import Span

_SHORT: Final = 3


@dataclass(frozen=True, slots=True)
class Opinion:
    """A vote with its checked evidence."""

    vote: Vote
    evidence: tuple[Evidence, ...] = ()
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Matter:
    """What is judged: a question and documents on a scale, of each text the first `longest` characters."""

    question: Question
    documents: Sequence[Document]
    scale: Scale
    longest: int


def opinion_of(finding: Finding, matter: Matter, *, by: str) -> Opinion:
    """Check what a model wrote."""
    grade, said = getattr(finding, "grade", None), finding.reason
    says_yes = getattr(finding, "answerable", None) == "YES" or (grade is not None and grade >= matter.scale.yes_from)
    found, lost = find_quotes(finding.quotes, matter)
    quotes = tuple(map(without_surrogates, finding.quotes))
    if not says_yes:
        return Opinion(Vote(by, "no", grade, quotes, tidy(said)), found, tidy(finding.missing.strip()))
    problem = quote_problem(quotes, lost, question=matter.question) if quotes else "a yes without a quote."
    if problem:
        return Opinion(Vote(by, "unsupported", None, quotes, tidy(joined(problem, _claimed(grade), said))))
    if problem := _dispute(finding.answer, matter.question):
        return Opinion(Vote(by, "disputed", None, quotes, tidy(joined(problem, _claimed(grade), said))), found)
    return Opinion(Vote(by, "yes", grade, quotes, tidy(said)), found)


def plain_opinion(given: PlainGrade, scale: Scale, *, by: str) -> Opinion:
    """Take a grade that was asked for without quotes."""
    return Opinion(Vote(by, "yes" if given.grade >= scale.yes_from else "no", given.grade, reason=tidy(given.reason)))


def find_quotes(quotes: Iterable[str], matter: Matter) -> tuple[tuple[Evidence, ...], tuple[str, ...]]:
    """Return the evidence for the quotes that stand in the documents, and the quotes that do not."""
    found: list[Evidence] = []
    lost: list[str] = []
    for quote in quotes:
        evidence = _find(quote, matter)
        if evidence is None:
            lost.append(quote)
        else:
            found.append(evidence)
    return tuple(dict.fromkeys(found)), tuple(lost)


def _find(quote: str, matter: Matter) -> Evidence | None:
    # Those that hold it to the letter first: looking for it in other words takes far longer.
    wanted = unwrapped(quote)
    for document in sorted(matter.documents, key=lambda each: wanted not in each.text):
        text = document.text[: matter.longest]
        if span := _place(quote, text):
            return Evidence(document.id, *span, text[span.start : span.end])
        if document.title and (span := _place(quote, document.title)):
            return Evidence(document.id, *span, document.title[span.start : span.end], in_title=True)
    return None


def _place(quote: str, text: str) -> Span | None:
    span = find_quote(quote, text)
    if span is None or not quote.isascii() or sum(map(str.isalnum, quote)) > _SHORT:
        return span
    return find_words(unwrapped(quote), text, whole_words=True)


def quote_problem(quotes: Sequence[str], lost: Sequence[str], *, question: Question) -> str:
    """Return why the quotes prove nothing, in a sentence; empty where they do. lost: those that are not found."""
    if lost:
        return f"a quote does not stand in the documents: {shown(lost[0], longest=120)}."
    empty = next((quote for quote in quotes if not _says_something(quote, question)), None)
    return "" if empty is None else f"a quote says nothing, wherever it stands: {shown(empty, longest=120)}."


def _says_something(quote: str, question: Question) -> bool:
    if content_words(quote):  # numbers among them
        return True
    answers = (question.answer or "", *texts_of(question, "answer_aliases"), *texts_of(question, "answer_parts"))
    return words(quote) in [words(answer) for answer in answers if answer]


def _dispute(answer: str, question: Question) -> str:
    right = right_option(question) if question.options else None
    if right is None:
        return ""
    chosen = chosen_option(answer, question.options)
    if chosen == right:
        return ""
    named = f"option {letter_of(chosen)}" if chosen is not None else f"no option ({shown(answer)})"
    return f"the documents are said to prove {named}; the question says {letter_of(right)}."


def _claimed(grade: int | None) -> str:
    return "" if grade is None else f"Claimed grade: {grade}."
