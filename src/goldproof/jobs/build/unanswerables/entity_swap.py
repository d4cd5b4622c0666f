"""Entity swap: the same question about another entity of the same kind, for which the corpus has no answer.

The entity may be named in the metadata (a company by one of its own sector, a repository), be the title of one of the
sample's own passages (an actress by an actress, a town by a town), the one identifier of a question about code or logs
(a class, a host, the number of a message), or the library that a question about code leaves unsaid.
Not used: a comparison, whose other half gives it away; a question that describes its subject ("X, a district in ..."),
which would contradict itself, also where words of an identifier are in it; one that quotes figures, which belong to
their subject; a name inside a longer name.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from goldproof.jobs.build.unanswerables.proposal import Proposal, draw, proposal
from goldproof.jobs.build.unanswerables.question_fit import (
    LIBRARY_KINDS,
    asked_of,
    belongs_to,
    describes,
    fits_others,
    implied_library,
)
from goldproof.jobs.build.unanswerables.subjects import (
    NamePlace,
    identifier_home,
    named_identifiers,
    named_subjects,
    names_a_trade,
    subject_places,
    title_places,
)
from goldproof.jobs.build.unanswerables.substitutes import rotated
from goldproof.jobs.build.unanswerables.words import Mention, core_words, find_mentions, leaves_trace, replaced
from goldproof.jobs.build.unanswerables.years import states_amounts, years_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from goldproof.jobs.build.records import Sample
    from goldproof.jobs.build.unanswerables.substitutes import Entity, Substitutes

METHOD = "entity_swap"
_AT_MOST = 4
_FEW = 3
_MOST_WORDS = 45
# People, other companies and products tie a question to its own subject.
_TIED = re.compile(
    r"\b[A-Z][a-z]+ [A-Z]\. [A-Z]|\b(?:Inc|Corp|Ltd|Limited|LLC|Plc|PLC|N\.A)\b|\b[A-Z]-\d+\b"
    r"|\b(?:acquisitions? of|purchase price (?:for|of)|merger with) [A-Z]"
)
# What else of code a question names, besides its one identifier.
_OTHER_CODE = re.compile(
    r"\b[A-Z][a-z]+\.\w|`|\b[A-Z][a-z]+ (?:class|exception|instance|fixture|object)s?\b|__\w+__|\b[a-z]+_[a-z_]+\b"
)
_GENDER = re.compile(
    r"\b(?:he|she|his|her|him|hers|wife|husband|mother|father|pregnant|brother|sister|son|daughter|died|death|buried)\b",
    re.IGNORECASE,
)


def propose(sample: Sample, titles: Sequence[str], *, substitutes: Substitutes, seed: int) -> Iterator[Proposal]:
    """Yield the question about other entities, at most a few."""
    if _quotes_figures(sample) or len(sample.question.split()) > _MOST_WORDS:
        return
    places = [*_identifier_places(sample), *subject_places(sample), *title_places(sample, titles)]
    for place in places[:2]:
        entities = _candidates(sample, place, substitutes=substitutes)
        ordered = rotated(entities, draw(seed, METHOD, sample.id))
        usable = (entity for entity in ordered if _other(entity, place, sample=sample))
        yield from _swaps(sample, place, list(islice(usable, _AT_MOST)))
    if not places:
        yield from _asked_of_libraries(sample, substitutes=substitutes, seed=seed)


def _asked_of_libraries(sample: Sample, *, substitutes: Substitutes, seed: int) -> Iterator[Proposal]:
    """Yield the question asked of other libraries than the one that it leaves unsaid."""
    kind, library = implied_library(sample) or ("", "")
    if not library or belongs_to(sample.question, library, kind=kind, vocabulary=substitutes.vocabulary):
        return
    entities = [entity for kind in LIBRARY_KINDS for entity in substitutes.of(kind)]
    others = (t for t in rotated(entities, draw(seed, METHOD, sample.id)) if not _shared(t.name, library))
    for entity in islice(others, _AT_MOST):
        yield proposal(
            sample,
            asked_of(sample.question, _marked(entity.name)),
            method=METHOD,
            joined=((entity.key,),),
            details={"substituted": library, "substitute": entity.name},
        )


def _marked(name: str) -> str:
    """Return the name of a library, in backticks where it is in small letters: "requests" is also a common word."""
    return f"`{name}`" if name == name.lower() else name


def _shared(name: str, other: str) -> bool:
    return bool(set(core_words(name)) & set(core_words(other)))


def _quotes_figures(sample: Sample) -> bool:
    """Return whether the question quotes figures besides its identifiers ("message 5512")."""
    plain = sample.question
    for identifier in named_identifiers(sample):
        plain = plain.replace(identifier.text, " ")
    return states_amounts(plain)


def _swaps(sample: Sample, place: NamePlace, entities: Sequence[Entity]) -> Iterator[Proposal]:
    for entity in entities:
        question = replaced(sample.question, place.mentions, new=entity.name)
        if leaves_trace(question, place.name) or _TIED.search(question.replace(entity.name, " ")):
            continue
        yield proposal(
            sample,
            question,
            method=METHOD,
            joined=((entity.key,),),
            details={"substituted": place.mentions[0].surface, "substitute": entity.name},
        )


def _candidates(sample: Sample, place: NamePlace, *, substitutes: Substitutes) -> tuple[Entity, ...]:
    everything = substitutes.of(place.kind)
    if place.kind.startswith("identifier"):
        return everything
    if place.kind == "company" and not _may_be_another(sample, place, substitutes=substitutes):
        return ()
    if place.kind in LIBRARY_KINDS and belongs_to(
        sample.question, place.name, kind=place.kind, vocabulary=substitutes.vocabulary
    ):
        return ()
    same = substitutes.of(place.kind, head=place.head)
    if place.kind == "title:person":
        return () if _GENDER.search(sample.question) else same
    return same if len(same) >= _FEW else everything


def _may_be_another(sample: Sample, place: NamePlace, *, substitutes: Substitutes) -> bool:
    return not names_a_trade(sample.question) and fits_others(sample, place, vocabulary=substitutes.vocabulary)


def _other(entity: Entity, place: NamePlace, *, sample: Sample) -> bool:
    if place.kind.startswith("identifier"):
        return entity.head != place.head and entity.name != place.name and entity.doc_type == sample.doc_type
    if entity.since > min(years_in(sample.question), default=entity.since):
        return False
    return not _shared(place.name, entity.name) and entity.name.casefold() not in sample.question.casefold()


def _identifier_places(sample: Sample) -> list[NamePlace]:
    identifiers = named_identifiers(sample)
    if len({identifier.text for identifier in identifiers}) != 1 or identifiers[0].kind.endswith("unclear"):
        return []
    if sample.doc_type == "code_config" and describes(sample.question, identifiers[0].text):
        return []
    rest = sample.question.replace(identifiers[0].text, " ").replace("``", " ").replace("` `", " ")
    if _OTHER_CODE.search(rest) or any(find_mentions(rest, name) for _, name in named_subjects(sample)):
        return []
    mentions = tuple(Mention(identifier.start, identifier.end, identifier.text) for identifier in identifiers)
    return [NamePlace(identifiers[0].text, identifiers[0].kind, identifier_home(sample), mentions)]
