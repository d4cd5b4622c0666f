"""Could the question be asked of another company? Only where nothing in it belongs to the one that it names.

What belongs to one company: a proper name besides its own (a product, a deal, a country), a closing day that is not
the calendar's, and words that are asked of few companies ("smokeless", "cabinets", "cloud and license"). A name that
only says in which report to look ("as shown in X's 2019 report") is not what the question is about.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from goldproof.jobs.build.unanswerables.proposal import other_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.jobs.build.sample import Sample
    from goldproof.jobs.build.unanswerables.places import Place
    from goldproof.jobs.build.unanswerables.vocabulary import Vocabulary

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


def fits_others(sample: Sample, place: Place, *, vocabulary: Vocabulary) -> bool:
    """Whether the question may be asked of another company than that of `place`."""
    rest = without(sample.question, place)
    if _OWN_DAY.search(rest) or own_names(rest, sample.contexts) or _only_says_where(sample.question, place):
        return False
    words = [word for word in other_words(rest, taken=set()) if not any(digit.isdigit() for digit in word)]
    return vocabulary.all_ordinary("company", words)


def own_names(rest: str, texts: Sequence[str]) -> list[str]:
    """Return the words with capitals that the texts never write small: names, not headings of a table."""
    found = _NAME.findall(_EVERYWHERE.sub("x", rest))
    return [name for name in dict.fromkeys(found) if not _written_small(name, texts)]


def without(question: str, place: Place) -> str:
    """Return the question without the mentions of a place."""
    for mention in reversed(place.mentions):
        question = f"{question[: mention.start]}it{question[mention.end :]}"
    return question


def _written_small(name: str, texts: Sequence[str]) -> bool:
    plain = re.sub(r"'s?$", "", name).casefold()
    pattern = re.compile(rf"(?<![\w-]){re.escape(plain)}(?![\w-])")
    return len(plain) > 1 and any(pattern.search(text) for text in texts)


def _only_says_where(question: str, place: Place) -> bool:
    return all(
        _IN_REPORT.search(question[: mention.start]) and _REPORT_AFTER.match(question[mention.end :])
        for mention in place.mentions
    )
