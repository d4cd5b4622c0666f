"""The library that a question about code leaves out: said at its start, it can be another one.

"Why does the root path helper open files read-only?" is asked about Flask, as its metadata say. "In requests, why does
the root path helper open files read-only?" asks it of a library that has no such thing. Used where the question names
no identifier and no library. For another library it may hold no word that belongs to its own alone ("blueprint").
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from goldproof.jobs.build.unanswerables.identifiers import identifiers
from goldproof.jobs.build.unanswerables.names import core_words, find_mentions
from goldproof.jobs.build.unanswerables.proposal import other_words
from goldproof.jobs.build.unanswerables.subject import named_subjects

if TYPE_CHECKING:
    from goldproof.jobs.build.sample import Sample
    from goldproof.jobs.build.unanswerables.vocabulary import Vocabulary

LIBRARY_KINDS = ("repository", "library")
_MOST_WORDS = 40
_ASKS = re.compile(r"(?:How|Why|Where|What|Which|When)\b(?! in\b)")
_NAMES = re.compile(r"(?<!^)\b[A-Z][a-z]{2,}|\b_\w|\w\(\)")


def implied_library(sample: Sample) -> tuple[str, str] | None:
    """Return kind and name of the library that the question is about and does not name; None where it names one."""
    question = sample.question.strip()
    if sample.doc_type != "code_config" or not _ASKS.match(question) or len(question.split()) > _MOST_WORDS:
        return None
    named = [(kind, name) for kind, name in named_subjects(sample) if kind in LIBRARY_KINDS]
    if len(named) != 1 or identifiers(question) or _NAMES.search(question):
        return None
    return None if find_mentions(question, named[0][1]) else named[0]


def belongs_to(question: str, name: str, *, kind: str, vocabulary: Vocabulary) -> bool:
    """Whether a word of the question is one that only this library's questions hold."""
    words = other_words(question, taken=set(core_words(name)))
    return vocabulary.any_peculiar(kind, words, subject=" ".join(core_words(name)))


def asked_of(question: str, where: str) -> str:
    """Return the question with the place that it is asked of at its start."""
    plain = question.strip()
    return f"In {where}, {plain[0].lower()}{plain[1:]}"
