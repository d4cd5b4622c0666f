"""Whether a question can be asked of another company, library or identifier.

Companies. A question belongs to one company by a proper name besides the company's own (a product, a deal, a country),
a closing day that is not the calendar's, and words that are asked of few companies ("smokeless", "cabinets", "cloud and
license"). A name that only says in which report to look ("as shown in X's 2019 report") is not its subject.

Libraries. "Why does the root path helper open files read-only?" is asked about Flask, as its metadata say. "In
requests, why does the root path helper open files read-only?" asks it of a library that has no such helper. Used where
the question names no identifier and no library. For another library it may hold no word that belongs to its own alone
("blueprint").

Identifiers. "Why does the key lookup in CaseInsensitiveDict slow down case-insensitive dictionaries" itself describes
the class: a word of the name is in the sentence, whole ("cookies" and merge_cookies), begun ("func" and "functions") or
inside ("marker" and accessmarker). Words that any name may hold ("test", "get") do not count. A long question describes
it too, in other words than the name's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from goldproof.jobs.build.unanswerables.proposal import other_words
from goldproof.jobs.build.unanswerables.subjects import identifiers, named_subjects
from goldproof.jobs.build.unanswerables.words import core_words, find_mentions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.jobs.build.records import Sample
    from goldproof.jobs.build.unanswerables.subjects import NamePlace
    from goldproof.jobs.build.unanswerables.words import Vocabulary

_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|"
    r"Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)"
)
_OWN_DAY = re.compile(
    rf"\b(?!December 31\b){_MONTH}\.? \d{{1,2}}\b(?!\d)|\b(?!31 Dec)\d{{1,2}} {_MONTH}\b|\b{_MONTH}-\d", re.IGNORECASE
)
_EVERYWHERE = re.compile(
    rf"\b(?:{_MONTH}|United States|U\.?S\.?A?|North America|Europe|Asia|Annual Reports?|Form|Consolidated|Financial|"
    r"Statements?|Balance|Sheets?|Operations|Income|Report|Company|Group|FY\d*|Q[1-4]|GAAP|IFRS|EBITDA?|I|The|"
    r"Property|Plant|Equipment|Notes?|Cash Flows?|K|Total|Other|Net|Level [123])\b"
)
_NAME = re.compile(r"(?<!^)(?<![.?!:] )(?<!['\"(])\b[A-Z][\w&'-]*(?: [A-Z][\w&'-]*)*")
_IN_REPORT = re.compile(
    r"\b(?:as \w+ (?:in|by|under|on)|according to|based on|per|in the context of)\b[^,?]*$", re.IGNORECASE
)
_REPORT_AFTER = re.compile(
    r"^(?:['\u2019]s?)? (?:\d{4} |fiscal |annual |consolidated |financial )*"
    r"(?:report|statement|form|filing|balance sheet|notes?|table|disclosure|document)",
    re.IGNORECASE,
)


def fits_others(sample: Sample, place: NamePlace, *, vocabulary: Vocabulary) -> bool:
    """Whether the question may be asked of another company than that of `place`."""
    rest = without(sample.question, place)
    if _OWN_DAY.search(rest) or own_names(rest, sample.contexts) or _only_says_where(sample.question, place):
        return False
    words = [word for word in other_words(rest, taken=set()) if not any(digit.isdigit() for digit in word)]
    return vocabulary.all_ordinary("company", words)


def own_names(rest: str, texts: Sequence[str]) -> list[str]:
    """Return the words with capitals that the texts never write small: names, not headings of a table."""
    names = _NAME.findall(_EVERYWHERE.sub("x", rest))
    return [name for name in dict.fromkeys(names) if not _written_small(name, texts)]


def without(question: str, place: NamePlace) -> str:
    """Return the question without the mentions of a place."""
    for mention in reversed(place.mentions):
        question = f"{question[: mention.start]}it{question[mention.end :]}"
    return question


def _written_small(name: str, texts: Sequence[str]) -> bool:
    plain = re.sub(r"'s?$", "", name).casefold()
    pattern = re.compile(rf"(?<![\w-]){re.escape(plain)}(?![\w-])")
    return len(plain) > 1 and any(pattern.search(text) for text in texts)


def _only_says_where(question: str, place: NamePlace) -> bool:
    return all(
        _IN_REPORT.search(question[: mention.start]) and _REPORT_AFTER.match(question[mention.end :])
        for mention in place.mentions
    )


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


_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_IN_ANY_NAME = "test tests class get set from with for and base main init type"
_ANY_NAME = frozenset(_IN_ANY_NAME.split())
_LONG = 4
_LONGEST_DESCRIPTION = 10
_BEGUN = 3


def describes(question: str, name: str) -> bool:
    """Whether the question, outside the name itself, holds a word of the name or is long enough to describe it."""
    rest = re.sub(rf"`?{re.escape(name)}`?", " ", question)
    parts = [part.casefold() for part in _PARTS.findall(name)]
    telling = [part for part in parts if len(part) >= _BEGUN and part not in _ANY_NAME]
    words = other_words(rest, taken=set(_ANY_NAME))
    joined = "".join(parts)
    return len(words) > _LONGEST_DESCRIPTION or any(_same(word, telling, joined=joined) for word in words)


def _same(word: str, parts: list[str], *, joined: str) -> bool:
    if any(word.startswith(part) or (len(word) >= _LONG and part.startswith(word)) for part in parts):
        return True
    stem = re.sub(r"(?:ing|ed|es|s)$", "", word)
    return len(stem) >= _BEGUN and stem in joined
