"""Cross-domain: the same question about a thing of another domain, where it has no business.

"What was the total revenue of pytest in 2018?": grammatical, and nothing in the corpus tells it. The other domain is
another doc_type; in a pool of one doc_type, another source. Only what can stand in the same sentence is taken: a
library, or an institution whose name says what it is, for a company; a company for a library, for an organisation and
for what is "located" somewhere; a library for a work of which the author or the release is asked. Questions that go
deep into their own domain (segments, stockholders) are left alone, and so are long ones.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from karat.jobs.build.unanswerables.kinds import ORGANISATIONS, PLACES
from karat.jobs.build.unanswerables.names import core_words, leaves_trace, replaced, spoken
from karat.jobs.build.unanswerables.places import Place, names_a_trade, subject_places, title_places
from karat.jobs.build.unanswerables.proposal import Proposal, draw, proposal
from karat.jobs.build.unanswerables.substitutes import from_place
from karat.jobs.build.unanswerables.years import states_amounts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from karat.jobs.build.sample import Sample
    from karat.jobs.build.unanswerables.substitutes import Substitutes, Thing

METHOD = "cross_domain"
_AT_MOST = 4
_MOST_WORDS = 30
_INSTITUTIONS = ("university", "museum", "team", "organization", "magazine")
_FOR_COMPANY = ("repository", "library", *(f"title:{kind}" for kind in _INSTITUTIONS))
_COMPANIES = ("company",)
_LIBRARIES = ("repository", "library")
_WORKS = frozenset({"film", "song", "album", "book", "series", "game"})
_TELLING = re.compile(
    r"\b(?:University|College|Institute|Academy|Museum|Gallery|Association|Society|Foundation|Club|FC|United|"
    r"Magazine|Times|News|World|Post|Guardian|Union|League|Council|Institution|Trust)\b"
)
_DEEP = re.compile(
    r"\bcompan|\bstock|\bshare|\bsegment|\bsubsidiar|\breporting unit|\bsector\b|\bnotes\b|\bdilut|\bderivative|\bhedg|"
    r"\bRSU|\bproduction\b|\bdividend|\bacqui|\b10-K\b|\bcredit facilit|\bparent entity",
    re.IGNORECASE,
)
_KIND_BEFORE = re.compile(
    r"\b(?:village|city|town|county|district|published|band|team|club|film|album|song|book) (?:of )?$"
)
_BASED = re.compile(r"^ (?:is|was|are) (?:located|based|headquartered|situated)\b")
_HEADED = re.compile(r"\b(?:director|founder|president|owner|chairman|head) of (?:the )?$")
_WRITTEN = re.compile(r"\b(?:authors?|creators?|developers?) of (?:the )?$|\b(?:wrote|created|developed) (?:the )?$")
_RELEASED = re.compile(r"^ (?:first |originally )?(?:released|published|created|developed)\b")


def propose(sample: Sample, titles: Sequence[str], *, substitutes: Substitutes, seed: int) -> Iterator[Proposal]:
    """Yield the question about things of other domains, at most a few."""
    if states_amounts(sample.question) or len(sample.question.split()) > _MOST_WORDS:
        return
    for place in [*subject_places(sample), *title_places(sample, titles)][:2]:
        kinds = sorted(_kinds_for(sample, place), key=lambda kind: draw(seed, METHOD, sample.id, kind))
        firsts = (_first(sample, place, substitutes=substitutes, kind=kind, seed=seed) for kind in kinds)
        yield from _crossed(sample, place, [thing for thing in firsts if thing is not None][:_AT_MOST])


def _first(sample: Sample, place: Place, *, substitutes: Substitutes, kind: str, seed: int) -> Thing | None:
    """One thing of each kind, so that a kind with many does not crowd out the others."""
    ordered = from_place(substitutes.of(kind), draw(seed, METHOD, sample.id))
    usable = (t for t in ordered if _foreign(sample, t, substitutes) and _fits(t, place, question=sample.question))
    return next(usable, None)


def _crossed(sample: Sample, place: Place, things: Sequence[Thing]) -> Iterator[Proposal]:
    for thing in things:
        question = replaced(sample.question, place.mentions, new=spoken(thing.name))
        if leaves_trace(question, place.name):
            continue
        yield proposal(
            sample,
            question,
            method=METHOD,
            joined=((thing.key,),),
            details={
                "substituted": place.mentions[0].surface,
                "substitute": thing.name,
                "substitute_domain": thing.doc_type,
            },
        )


def _kinds_for(sample: Sample, place: Place) -> tuple[str, ...]:
    if place.kind == "company":
        deep = _DEEP.search(sample.question) or names_a_trade(sample.question)
        return () if deep else _FOR_COMPANY
    if place.kind in {"repository", "library", "product"}:
        return _COMPANIES
    group = place.kind.removeprefix("title:")
    if group in _WORKS and _everywhere(sample, place, before=_WRITTEN, after=_RELEASED):
        return _LIBRARIES
    if group in ORGANISATIONS | PLACES | _WORKS and _everywhere(sample, place, before=_HEADED, after=_BASED):
        return _COMPANIES
    return ()


def _everywhere(sample: Sample, place: Place, *, before: re.Pattern[str], after: re.Pattern[str]) -> bool:
    question = sample.question
    ends = [(question[: mention.start], question[mention.end :]) for mention in place.mentions]
    return all((before.search(b) or after.search(a)) and not _KIND_BEFORE.search(b) for b, a in ends)


def _foreign(sample: Sample, thing: Thing, substitutes: Substitutes) -> bool:
    if len(substitutes.doc_types) > 1:
        return thing.doc_type != sample.doc_type
    return thing.source != sample.source_dataset


def _fits(thing: Thing, place: Place, *, question: str) -> bool:
    if thing.kind.startswith("title:") and not _TELLING.search(thing.name):
        return False
    new, old = set(core_words(thing.name)), set(core_words(place.name))
    return not new & old and thing.name.casefold() not in question.casefold()
