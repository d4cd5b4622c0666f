"""Negation: a question whose premise is the opposite of what the source tells.

Only forms that people use: "When did the war end?" becomes "Why didn't the war end?", "How does Flask handle X?"
becomes "Why doesn't Flask handle X?", "What is included in revenue?" becomes "What is excluded from revenue?", "What
was the change in X from 2018 to 2019?" becomes "Why did X stay the same from 2018 to 2019?". A question that fits no
form gives nothing.

A document that itself speaks of the negation (in the negated words, or with "not", "no" or "never" before one of the
question's own words) may answer; the check rejects those.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from goldproof.jobs.build.unanswerables.names import find_mentions
from goldproof.jobs.build.unanswerables.negated import negated_by
from goldproof.jobs.build.unanswerables.negated_forms import FORMS, YES_FORMS
from goldproof.jobs.build.unanswerables.proposal import Group, Proposal, other_words, proposal
from goldproof.jobs.build.unanswerables.subject import named_subjects, subject_groups
from goldproof.jobs.build.unanswerables.terms import variants
from goldproof.jobs.build.unanswerables.years import states_amounts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.jobs.build.sample import Sample

METHOD = "negation"
_YES = frozenset({"yes", "true"})
_NOTS = ("not", "never", "no", "without", "nor")
_NOTHING = frozenset({"", "none", "no", "zero", "nil", "n/a", "never"})
_BELOW_ZERO = re.compile(r"\s*[$€£]?\s*[-(\u2212]")
_ALREADY = re.compile(
    r"\b(?:not|no|never|none|without|exclud\w+|except|neither|nor|lack\w*|fail\w*|prevent\w*|avoid\w*|other than|"
    r"cannot|unable|un(?:like|recognized|changed)|non)\b|n't\b",
    re.IGNORECASE,
)


def propose(sample: Sample) -> Iterator[Proposal]:
    """Yield the negated question where some form fits."""
    question = sample.question.strip()
    if not question.endswith("?") or question.count("?") > 1 or _ALREADY.search(question) or states_amounts(question):
        return
    forms = (*FORMS, *YES_FORMS) if sample.ground_truth.strip().casefold() in _YES else FORMS
    negated = negated_by(forms, question)
    if negated is None or (negated.owner and not _is_subject(sample, negated.owner)):
        return
    if negated.counts and not _counts(sample.ground_truth, above_zero=negated.rises):
        return
    said = negated.said or _nots_before(negated.question)
    yield proposal(
        sample,
        negated.question,
        method=METHOD,
        joined=(said, *subject_groups(sample)),
        details={"substituted": question, "substitute": negated.question},
    )


def _counts(answer: str, *, above_zero: bool) -> bool:
    if answer.strip().casefold() in _NOTHING:
        return False
    has_number = any(digit in answer for digit in "0123456789")
    return (not has_number or bool(re.search(r"[1-9]", answer))) and not (above_zero and _BELOW_ZERO.match(answer))


def _is_subject(sample: Sample, owner: str) -> bool:
    if re.fullmatch(r"(?:the )?(?:company|group)", owner, re.IGNORECASE):
        return True
    found = (find_mentions(owner, name) for _, name in named_subjects(sample))
    return any(mention.surface == owner for mentions in found for mention in mentions)


def _nots_before(question: str) -> Group:
    words = other_words(question, taken=set())
    return tuple(f"{no} {form}" for word in words for form in variants(word) for no in _NOTS)
