"""The places of a question where a name can be replaced, and what kind of thing stands there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.jobs.build.unanswerables.identifiers import identifiers
from goldproof.jobs.build.unanswerables.kinds import GROUP_OF, bare_title, head_noun
from goldproof.jobs.build.unanswerables.names import Mention, find_mentions, whole
from goldproof.jobs.build.unanswerables.subject import named_subjects

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.jobs.build.sample import Sample

_COMPARES = re.compile(
    r"\b(?:both|same|in common|connected|compared? (?:to|with)|versus|vs\.?|older|oldest|larger|earlier|respective|"
    r"Between [A-Z])\b|\b[A-Z]\w* (?:or|and) [A-Z]|, \w+(?: \w+)* or ",
)
_DESCRIBES = re.compile(
    r"^['\"]?,? (?:is|was|are|were) (?:an?|the)\b|^['\"]?,? (?:who|which|whose)\b"
    r"|^['\"]?, (?:an?|the|released|born|is|was|he|she|it|[IVX]+)\b|^['\"]? \((?!.*\?.*\))"
)
_OTHER_NAME = re.compile(r"(?<!^)(?<![.?!] )\b[A-Z][\w'.-]+|\"[^\"]+\"")
# "The live album X": another album need not be live.
_KIND_TOLD = re.compile(
    r"\b(?!(?:the|an?|this|of|in|which|what)\b)[\w-]+ (?:album|film|novel|song|band|book|series|game|magazine|city|"
    r"town|village|county|district|actor|actress|singer|cook) (?:of |called |named )?$",
    re.IGNORECASE,
)
# What only companies of one trade have: with another company's name nobody would ask for it.
_TRADE = re.compile(
    r"\b(?:freight|flights?|pilots|restaurants?|franchisees?|drilling|crude|barrels?|gallons|casualty|reinsurance|in-game|"
    r"films?|vessels?|fleet|spectrum|smokeless|cigarettes?|aeronautics|aircraft|missiles|mortgages?|refinery|nuclear|"
    r"pipelines?|eggs?|wireless|hotels?|gwh|track|railroad|brokerage|electricity|packaging|tier [12])\b",
    re.IGNORECASE,
)
_TELLS_TRADE = re.compile(r"^(?:['\u2019]s)?, an? |\bin the [\w &-]+ (?:sector|industry)\b")
_SOFTWARE = re.compile(
    r"^(?:['\u2019]s| (?:library|framework|package|module|project|repository|codebase|plugin|fixtures?)\b)"
)
_ACTS = re.compile(r"\b(?:does|do|did|can|should|will) $", re.IGNORECASE)
_STANDS_ALONE = re.compile(r"^(?:[?,.]|$| (?:when|if|and|to|for|with|is|are|in|from|by|on|at|use|handle)s?\b)")


@dataclass(frozen=True, slots=True)
class Place:
    """What is to be replaced: a name, its kind, its exact noun or sector, and every mention of it."""

    name: str
    kind: str
    head: str
    mentions: tuple[Mention, ...]


def subject_places(sample: Sample) -> list[Place]:
    """Return the mentions of what the metadata names; nothing where one of them is part of a longer name."""
    found = []
    if identifiers(sample.question) and sample.doc_type == "code_config":
        # What it asks about is the identifier, wherever that is; another library's name would change nothing.
        return []
    for kind, name in named_subjects(sample):
        mentions = find_mentions(sample.question, name)
        sure = all(whole(sample.question, m) and is_name(sample.question, m, kind=kind) for m in mentions)
        told = any(_TELLS_TRADE.search(sample.question[mention.end :]) for mention in mentions)
        if mentions and sure and not told:
            head = str(sample.metadata.get("company_sector") or "") if kind == "company" else ""
            found.append(Place(name, kind, head, mentions))
    return found


def names_a_trade(question: str) -> bool:
    """Whether the question speaks of something that only companies of one trade have."""
    return bool(_TRADE.search(question))


def title_places(sample: Sample, titles: Sequence[str]) -> list[Place]:
    """Return the titles of the sample's passages that its question names, the longest first."""
    if _COMPARES.search(sample.question):
        return []
    found = (_title_place(sample, title, text=text) for title, text in zip(titles, sample.contexts, strict=True))
    places = {place.name: place for place in found if place is not None}
    longest = sorted(places.values(), key=lambda place: (-len(place.name), place.name))
    return [place for place in longest if not any(place.name in other.name for other in longest if other != place)]


def _title_place(sample: Sample, title: str, *, text: str) -> Place | None:
    name, question = bare_title(title), sample.question
    if name not in question or len(name) < 4 or not name[0].isupper():
        return None
    head = head_noun(text)
    if head is None:
        return None
    mentions = tuple(_exact_mentions(question, name))
    sure = all(whole(question, m) and not _described(question, m) for m in mentions)
    if _OTHER_NAME.search(question.replace(name, " ")):
        # A second name pins the answer down, and the swapped one would just be an error.
        return None
    return Place(name, f"title:{GROUP_OF[head]}", head, mentions) if mentions and sure else None


def _described(question: str, mention: Mention) -> bool:
    return bool(_DESCRIBES.search(question[mention.end :]) or _KIND_TOLD.search(question[: mention.start]))


def _exact_mentions(question: str, name: str) -> list[Mention]:
    pattern = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
    return [Mention(m.start(), m.end(), m.group()) for m in re.finditer(pattern, question) if m.start() > 0]


def is_name(question: str, mention: Mention, *, kind: str) -> bool:
    """A library may be called like a common word ("requests"): in small letters it must stand as a library's name."""
    if kind == "company" or _SOFTWARE.match(question[mention.end :]):
        return True
    if mention.surface == mention.surface.lower():
        return False
    # "The Flask application" speaks of what the library makes, not of the library.
    return bool(_ACTS.search(question[: mention.start]) or _STANDS_ALONE.match(question[mention.end :]))
