"""Check a model's answer against the documents, and combine votes into one ruling.

One answer:

- YES, or a grade that says the answer is there, without a quote, with one that is not found, or with one that says
  nothing: `unsupported`;
- the same for a question with options whose right one is known, naming another option or none: `disputed`;
- else `yes`, with the quotes as evidence; NO and lower grades are `no`, with those of their quotes that are found.

A plain grade was asked for without quotes, and counts as it is.

An unsupported grade is worth nothing: the ruling has none, and its reason says which was claimed. Answers in free text
are not compared. Only the part of a document that was shown can be quoted. A quote of up to three letters and digits
must stand there as whole words: as a part of others it stands almost everywhere. A quote says something when it holds a
number or a word that carries meaning ("the" and "is" stand everywhere), or when it is the question's own answer,
whatever that is made of.

Several votes. Yes and no: the label that more than half of the votes have. Grades: the median, where more than half of
the votes have one, the lower of two middle ones; but where more than half of the votes are unsupported, or disputed, so
is the ruling. Without such a majority the judge abstains; where all votes failed, so has the ruling. Half is of the
votes that were asked for: one yes beside two that failed is no majority.

agreement: the share of the votes asked for that the ruling follows: equal labels, for grades equal grades. Where it
follows none, the share of the commonest label. Evidence is that of the followed votes, each span once; missing and
reason are those of the first of them that has one.

Texts of models are tidied. In reasons and missing, control characters but line break and tab, and halves of surrogate
pairs, become U+FFFD; of more than 2,000 characters the beginning is kept, with an ellipsis. Quotes and evidence must
stand in the documents as they are: only halves of surrogate pairs, which UTF-8 cannot hold, are replaced.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from goldproof.errors import joined, shortened, shown
from goldproof.judge.answer_judge import texts_of
from goldproof.judge.judge import Evidence, Ruling, Vote
from goldproof.judge.prompts import chosen_option, letter_of, right_option
from goldproof.text.spans import find_quote, find_words, unwrapped
from goldproof.text.tokens import content_words, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from goldproof.judge.judge import Label, Scale
    from goldproof.judge.prompts import Finding, PlainGrade
    from goldproof.records.entities import Document, Question
    from goldproof.text.spans import Span

LONGEST: Final = 2000
_SHORT: Final = 3
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_REPLACED: Final = "\ufffd"


@dataclass(frozen=True, slots=True)
class Opinion:
    """A vote with its checked evidence."""

    vote: Vote
    evidence: tuple[Evidence, ...] = ()
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Matter:
    """A question and the documents judged, on a scale; of each text the first `longest` characters."""

    question: Question
    documents: Sequence[Document]
    scale: Scale
    longest: int


def opinion_of(finding: Finding, matter: Matter, *, by: str) -> Opinion:
    """Check a model's answer against the documents."""
    grade, reason = getattr(finding, "grade", None), finding.reason
    says_yes = getattr(finding, "answerable", None) == "YES" or (grade is not None and grade >= matter.scale.yes_from)
    evidence, lost = find_quotes(finding.quotes, matter)
    quotes = tuple(map(without_surrogates, finding.quotes))
    if not says_yes:
        return Opinion(Vote(by, "no", grade, quotes, tidy(reason)), evidence, tidy(finding.missing.strip()))
    problem = quote_problem(quotes, lost, question=matter.question) if quotes else "a yes without a quote."
    if problem:
        return Opinion(Vote(by, "unsupported", None, quotes, tidy(joined(problem, _claimed(grade), reason))))
    if problem := _dispute(finding.answer, matter.question):
        return Opinion(Vote(by, "disputed", None, quotes, tidy(joined(problem, _claimed(grade), reason))), evidence)
    return Opinion(Vote(by, "yes", grade, quotes, tidy(reason)), evidence)


def plain_opinion(answer: PlainGrade, scale: Scale, *, by: str) -> Opinion:
    """Take a grade that was asked for without quotes."""
    label: Label = "yes" if answer.grade >= scale.yes_from else "no"
    return Opinion(Vote(by, label, answer.grade, reason=tidy(answer.reason)))


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
    # Documents with the exact words first: a fuzzy search takes far longer.
    wanted = unwrapped(quote)
    for document in sorted(matter.documents, key=lambda document: wanted not in document.text):
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
    """Return why the quotes prove nothing; empty where they prove something. lost: quotes that were not found."""
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


def ruling_of(opinions: Sequence[Opinion], *, scale: Scale) -> Ruling:
    """Count the votes; a single one is the ruling itself."""
    if len(opinions) == 1:
        only = opinions[0]
        return Ruling(only.vote.label, only.vote.grade, only.evidence, only.missing, only.vote.reason)
    if all(opinion.vote.label == "failed" for opinion in opinions):
        reason = f"all {len(opinions)} votes failed: {opinions[0].vote.reason}"
        return Ruling("failed", reason=reason, votes=tuple(each.vote for each in opinions))
    return _by_label(opinions) if scale.name == "yes-no" else _by_grade(opinions)


def _by_label(opinions: Sequence[Opinion]) -> Ruling:
    label, count = _commonest(opinions)
    if 2 * count <= len(opinions):
        return _abstained(opinions, "no label has more than half of the votes")
    return _following(opinions, [each for each in opinions if each.vote.label == label])


def _by_grade(opinions: Sequence[Opinion]) -> Ruling:
    label, count = _commonest(opinions)
    if label not in ("yes", "no") and 2 * count > len(opinions):
        return _by_label(opinions)
    grades = sorted(each.vote.grade for each in opinions if each.vote.grade is not None)
    if 2 * len(grades) <= len(opinions):
        return _abstained(opinions, "no more than half of the votes have a grade")
    median = grades[(len(grades) - 1) // 2]
    return _following(opinions, [each for each in opinions if each.vote.grade == median])


def _following(opinions: Sequence[Opinion], followed: Sequence[Opinion]) -> Ruling:
    first = followed[0].vote
    reason = next((each.vote.reason for each in followed if each.vote.reason), "")
    return Ruling(
        first.label,
        first.grade,
        tuple(dict.fromkeys(evidence for each in followed for evidence in each.evidence)),
        next((each.missing for each in followed if each.missing), ""),
        joined(reason, _failures(opinions)),
        tuple(each.vote for each in opinions),
        len(followed) / len(opinions),
    )


def _abstained(opinions: Sequence[Opinion], why: str) -> Ruling:
    cast = [each for each in opinions if each.vote.label != "failed"]
    counts = Counter(each.vote.label for each in cast)
    listed = ", ".join(f"{count} {label}" for label, count in sorted(counts.items()))
    reason = joined(f"{why} ({listed}).", _failures(opinions))
    missing = next((each.missing for each in cast if each.missing), "")
    share = _commonest(opinions)[1] / len(opinions)
    return Ruling("abstained", None, (), missing, reason, tuple(each.vote for each in opinions), share)


def _commonest(opinions: Sequence[Opinion]) -> tuple[str, int]:
    """Return the commonest label of the votes that did not fail, and how many have it."""
    counts = Counter(each.vote.label for each in opinions if each.vote.label != "failed")
    return counts.most_common(1)[0]


def _failures(opinions: Sequence[Opinion]) -> str:
    failed = [each.vote.reason for each in opinions if each.vote.label == "failed"]
    return f"({len(failed)} of {len(opinions)} votes failed: {failed[0]})" if failed else ""


def tidy(text: str) -> str:
    """Return a reason without control characters, shortened."""
    # Twice the length is enough to read: a line break may be two characters.
    begin = text[: 2 * LONGEST + 2].replace("\r\n", "\n")
    return shortened(_CONTROLS.sub(_REPLACED, without_surrogates(begin)), longest=LONGEST)


def without_surrogates(text: str) -> str:
    """Return a text that UTF-8 can hold; two halves of a surrogate pair become their character."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def tidied(ruling: Ruling) -> Ruling:
    """Return a ruling with all its texts tidied."""
    return replace(
        ruling,
        evidence=tuple(replace(each, text=without_surrogates(each.text)) for each in ruling.evidence),
        missing=tidy(ruling.missing),
        reason=tidy(ruling.reason),
        votes=tuple(
            replace(each, quotes=tuple(map(without_surrogates, each.quotes)), reason=tidy(each.reason))
            for each in ruling.votes
        ),
    )
