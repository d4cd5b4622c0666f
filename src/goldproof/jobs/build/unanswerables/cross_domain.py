"""Cross-domain: the same question about an entity of another domain, where it makes no sense.

"What was the total revenue of the Tamble Museum in 2018?": grammatical, and nothing in the corpus answers it. The other
domain is another doc_type; in a pool of one doc_type, another source. Only entities that fit the same sentence are
taken: an institution whose name says what it is, for a company (a library only where the pool knows no institution);
a company for an organisation and for what is "located" somewhere; a library for a work of which the author or the
release is asked; and a company's codebase for a library, named or left unsaid. Questions that go deep into their own
domain (segments, stockholders, margins) are left alone, and so are long ones.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from goldproof.jobs.build.unanswerables.proposal import Proposal, draw, proposal
from goldproof.jobs.build.unanswerables.question_fit import (
    LIBRARY_KINDS,
    asked_of,
    belongs_to,
    fits_others,
    implied_library,
)
from goldproof.jobs.build.unanswerables.subjects import (
    ORGANISATIONS,
    PLACES,
    NamePlace,
    names_a_trade,
    subject_places,
    title_places,
)
from goldproof.jobs.build.unanswerables.substitutes import rotated
from goldproof.jobs.build.unanswerables.words import Mention, core_words, leaves_trace, possessive, replaced, spoken
from goldproof.jobs.build.unanswerables.years import states_amounts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from goldproof.jobs.build.records import Sample
    from goldproof.jobs.build.unanswerables.substitutes import Entity, Substitutes

METHOD = "cross_domain"
_AT_MOST = 4
_MOST_WORDS = 30
_INSTITUTIONS = tuple(f"title:{kind}" for kind in ("university", "museum", "team", "organization"))
_COMPANIES = ("company",)
_WORKS = frozenset({"film", "song", "album", "book", "series", "game"})
_MOST_NAME_WORDS = 5
_TELLING = re.compile(
    r"\b(?:University|College|Institute|Academy|Museum|Gallery|Association|Society|Foundation|Club|FC|United|"
    r"Union|League|Council|Institution|Trust)(?: (?:of|for|at) [\w .'-]+)?$"
)
# What a museum or a university has as well as a company.
_ANYBODY = re.compile(
    r"\b(?:revenues?|income|expenses?|costs?|assets|liabilit|cash|employees|workforce|salar|wages|compensation|pension|"
    r"rent|leases?|debt|interest|receivables?|payables?|deprecia|property|equipment|buildings?|inventor|investments?|"
    r"borrowings|loans?|advertising|spend|earnings|profit)",
    re.IGNORECASE,
)
_DEEP = re.compile(
    r"\bcompan|\bstock|\bshare|\bsegment|\bsubsidiar|\breporting unit|\bsector\b|\bnotes\b|\bdilut|\bderivative|\bhedg|"
    r"\bRSU|\bproduction\b|\bdividend|\bacqui|\b10-K\b|\bcredit facilit|\bparent entity|\battributable|\bEBIT|"
    r"\bcomprehensive|\bwarrants?\b|\boptions?\b|\bmargin|\bdeferred|\bcarryforward|\btax(?:es)?\b|\bregion|"
    r"\bpurchase price|\bGAAP\b|\bdiscontinued|\brestructuring|\bgoodwill|\bimpairment|\bpostretirement|\bR&?D|"
    r"\bproducts?\b|\bnon-|\bgross profit|\boperating (?:profit|income)|\bfree cash|\bavailable-for-sale|"
    r"\bassociates\b|\bcommitments\b|\bobligations?\b|\btrade\b|\bcost of (?:revenue|sales)|\bconsolidated\b|\brisk\b|"
    r"\bamortiz|\bresearch and dev|\bsales\b|\bdebt maturit|\brate of return|\bin (?:m|b)illions|\boperating earnings",
    re.IGNORECASE,
)
_KIND_BEFORE = re.compile(
    r"\b(?:village|city|town|county|district|published|band|team|club|film|album|song|book) (?:of )?$"
)
_NOTHING = re.compile(r"(?!)")
_BASED = re.compile(r"^ (?:is|was|are) (?:located|based|headquartered|situated)\b")
_HEADED = re.compile(r"\b(?:director|founder|president|owner|chairman|head) of (?:the )?$")
_WRITTEN = re.compile(r"\b(?:authors?|creators?|developers?) of (?:the )?$|\b(?:wrote|created|developed) (?:the )?$")
_THE_LIBRARY = re.compile(r"\b[Tt]he $")
_IS_LIBRARY = re.compile(r"^ (?:library|framework|package|project|repository|codebase)\b")
_RELEASED = re.compile(r"^ (?:first |originally )?(?:released|published|created|developed)\b")


def propose(sample: Sample, titles: Sequence[str], *, substitutes: Substitutes, seed: int) -> Iterator[Proposal]:
    """Yield the question about entities of other domains, at most a few."""
    if states_amounts(sample.question) or len(sample.question.split()) > _MOST_WORDS:
        return
    places = [*subject_places(sample), *title_places(sample, titles)]
    for place in places[:2]:
        for kinds in _kinds_for(sample, place, substitutes=substitutes):
            ordered = sorted(kinds, key=lambda kind: draw(seed, METHOD, sample.id, kind))
            firsts = (
                _first_substitute(sample, place, substitutes=substitutes, kind=kind, seed=seed) for kind in ordered
            )
            proposals = list(
                _proposals_about(sample, place, [entity for entity in firsts if entity is not None][:_AT_MOST])
            )
            yield from proposals
            if proposals:
                break
    if not places:
        yield from _asked_of_company(sample, substitutes=substitutes, seed=seed)


def _asked_of_company(sample: Sample, *, substitutes: Substitutes, seed: int) -> Iterator[Proposal]:
    """Yield the question asked of a company's code instead of the library that it leaves unsaid."""
    library = implied_library(sample)
    ordered = rotated(substitutes.of("company"), draw(seed, METHOD, sample.id))
    entity = next((entity for entity in ordered if _foreign(sample, entity, substitutes)), None)
    if library is not None and entity is not None:
        question = asked_of(sample.question, _codebase(entity))
        yield _proposal(sample, question, entity=entity, substituted=library[1])


def _codebase(entity: Entity) -> str:
    name = spoken(entity.name)
    return f"{name}{possessive(name)} codebase"


def _first_substitute(
    sample: Sample, place: NamePlace, *, substitutes: Substitutes, kind: str, seed: int
) -> Entity | None:
    """Return one entity of a kind, so that a kind with many does not crowd out the others."""
    ordered = rotated(substitutes.of(kind), draw(seed, METHOD, sample.id))
    usable = (t for t in ordered if _foreign(sample, t, substitutes) and _fits(t, place, question=sample.question))
    return next(usable, None)


def _proposals_about(sample: Sample, place: NamePlace, entities: Sequence[Entity]) -> Iterator[Proposal]:
    mentions, library = place.mentions, place.kind in LIBRARY_KINDS
    if library:
        mentions = tuple(_library_phrase(sample.question, mention) for mention in mentions)
    for entity in entities:
        question = replaced(sample.question, mentions, new=_codebase(entity) if library else spoken(entity.name))
        if not leaves_trace(question, place.name):
            yield _proposal(sample, question, entity=entity, substituted=place.mentions[0].surface)


def _proposal(sample: Sample, question: str, *, entity: Entity, substituted: str) -> Proposal:
    return proposal(
        sample,
        question,
        method=METHOD,
        joined=((entity.key,),),
        details={"substituted": substituted, "substitute": entity.name, "substitute_domain": entity.doc_type},
    )


def _library_phrase(question: str, mention: Mention) -> Mention:
    """Return the mention with its article and noun: "the Flask library" as a whole is replaced."""
    start = mention.start - len("the ")
    end = mention.end + len((_IS_LIBRARY.match(question[mention.end :]) or [""])[0])
    return Mention(start, end, question[start:end])


def _kinds_for(sample: Sample, place: NamePlace, *, substitutes: Substitutes) -> tuple[tuple[str, ...], ...]:
    """Return rows of kinds; a row is used where those before it yielded no proposal."""
    if place.kind == "company":
        fits = _for_anybody(sample) and fits_others(sample, place, vocabulary=substitutes.vocabulary)
        return (_INSTITUTIONS, LIBRARY_KINDS) if fits else ()
    if place.kind in LIBRARY_KINDS:
        tied = belongs_to(sample.question, place.name, kind=place.kind, vocabulary=substitutes.vocabulary)
        return (_COMPANIES,) if _named_library(sample, place) and not tied else ()
    group = place.kind.removeprefix("title:")
    if group in _WORKS and _everywhere(sample, place, before=_WRITTEN, after=_RELEASED):
        return (LIBRARY_KINDS,)
    if group in PLACES and _everywhere(sample, place, before=_NOTHING, after=_BASED):
        return (_COMPANIES,)
    if group in ORGANISATIONS and _everywhere(sample, place, before=_HEADED, after=_BASED):
        return (_COMPANIES,)
    return ()


def _for_anybody(sample: Sample) -> bool:
    question = sample.question
    return bool(_ANYBODY.search(question)) and not _DEEP.search(question) and not names_a_trade(question)


def _named_library(sample: Sample, place: NamePlace) -> bool:
    ends = [(sample.question[: mention.start], sample.question[mention.end :]) for mention in place.mentions]
    return all(_THE_LIBRARY.search(before) and _IS_LIBRARY.match(after) for before, after in ends)


def _everywhere(sample: Sample, place: NamePlace, *, before: re.Pattern[str], after: re.Pattern[str]) -> bool:
    question = sample.question
    ends = [(question[: mention.start], question[mention.end :]) for mention in place.mentions]
    return all((before.search(b) or after.search(a)) and not _KIND_BEFORE.search(b) for b, a in ends)


def _foreign(sample: Sample, entity: Entity, substitutes: Substitutes) -> bool:
    if len(substitutes.doc_types) > 1:
        return entity.doc_type != sample.doc_type
    return entity.source != sample.source_dataset


def _fits(entity: Entity, place: NamePlace, *, question: str) -> bool:
    if entity.kind.startswith("title:") and not _tells(entity.name):
        return False
    new, old = set(core_words(entity.name)), set(core_words(place.name))
    return not new & old and entity.name.casefold() not in question.casefold()


def _tells(name: str) -> bool:
    return bool(_TELLING.search(name)) and len(name.split()) <= _MOST_NAME_WORDS
