"""The forms of questions that have a natural negation: how it is asked, and how its opposite is asked.

Forms are tried in their order; the first that fits decides, and one that fits may still decline. `YES_FORMS` are for
questions whose answer is yes: the denial of what is so is a premise that the source contradicts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from goldproof.jobs.build.unanswerables.changes import unchanged
from goldproof.jobs.build.unanswerables.negated import Negated, form
from goldproof.jobs.build.unanswerables.terms import tokens

if TYPE_CHECKING:
    from collections.abc import Callable

_EXCLUSION = ("exclude", "excludes", "excluded", "excluding", "exclusive", "except", "other than", "not include",
              "not included", "not includes")  # fmt: skip
_NO_CHANGE = ("no change", "no significant change", "no material change", "unchanged", "not change", "flat", "stable",
              "consistent with", "no increase", "no decrease", "not increase", "not decrease", "remained")  # fmt: skip
_NOUN = r"(?!(?:that|which|who|there|it|this|these|those|each|every|all|any|he|she|they|we|you|I)\b)\S"


_SHORT = {
    "is": "isn't",
    "are": "aren't",
    "has": "hasn't",
    "have": "haven't",
    "did": "didn't",
    "does": "doesn't",
    "do": "don't",
    "was": "wasn't",
    "were": "weren't",
    "can": "can't",
}


def _why_not(match: re.Match[str]) -> Negated | None:
    verb, rest = match["verb"].lower(), match["rest"]
    if re.search(r"\b(?:and|or) (?:what|how|why|where|which|when|who)\b", rest) or _UNLIKELY.search(rest):
        return None
    return Negated(f"Why {_SHORT[verb]} {rest}")


# What cannot be denied without nonsense: that something was born, founded or has a name.
_UNLIKELY = re.compile(
    r"\b(?:born|founded|formed|form|established|created|first|originally|begin|began|start|die|found|mean|happen|"
    r"take place|occur|stand|long|much|old|called|named|known|located|find|locate|increased|decreased|last|"
    r"next|rather than|instead of|higher|lower|most|time|both|same|"
    r"to (?:ensure|maintain|guarantee|enable|prevent|avoid)|flow from|potential)\b",
    re.IGNORECASE,
)


def _never(match: re.Match[str]) -> Negated | None:
    return Negated(f"Why {match['verb']} {match['subject']} never {match['rest']}", counts=True)


def _none_there(match: re.Match[str]) -> Negated | None:
    return Negated(f"Why {match['verb']} there no {match['things']} {match['rest']}", counts=True)


def _no_change(match: re.Match[str]) -> Negated | None:
    question = unchanged(match["noun"], match["rest"])
    if question is None:
        return None
    return Negated(question, _NO_CHANGE, counts=True, rises=match["noun"] in {"increase", "growth"})


def _same_in_all(match: re.Match[str]) -> Negated:
    return Negated(f"Why was {_thing(match)} the same in all years?", _NO_CHANGE)


def _same_reported(match: re.Match[str]) -> Negated:
    thing = re.sub(r"^(?:value|amount|level) (?:of|for) ", "", match["thing"])
    return Negated(f"Why did {match['owner']} report the same {thing} in all years?", _NO_CHANGE, match["owner"])


def _thing(match: re.Match[str]) -> str:
    return re.sub(r"^(?!the |its |their )(?=amount|value|number|total|level)", "the ", match["thing"])


def _excluded(match: re.Match[str]) -> Negated | None:
    return Negated(f"Which items {match['verb']} excluded from {match['rest']}", _EXCLUSION)


def _excludes(match: re.Match[str]) -> Negated | None:
    return Negated(f"What {match['verb']} {match['rest']} exclude?", _EXCLUSION)


def _excluded_from(match: re.Match[str]) -> Negated | None:
    return Negated(f"What {match['verb']} excluded from {match['rest']}", _EXCLUSION)


def _not_considered(match: re.Match[str]) -> Negated | None:
    if re.search(r"\b(?:table|listed|following)\b", match.string):
        # What else stands in the table answers it.
        return None
    return Negated(f"{match['start']} not {match['rest']}")


def _not_after_subject(match: re.Match[str]) -> Negated | None:
    return Negated(f"Why did {match['subject']} not {match['rest']}")


def _prevented(match: re.Match[str]) -> Negated | None:
    noun = match["noun"].lower()
    article = "an" if noun[0] in "aeiou" else "a"
    return Negated(f"What prevented {article} {noun} in {match['rest']}", _NO_CHANGE)


def _none_reported(match: re.Match[str]) -> Negated | None:
    thing, owner, rest = match["thing"].strip(" ,"), match["owner"].strip(), match["rest"]
    noun = tokens(thing)[-1]
    said = (f"no {noun}", f"not report any {noun}", f"not recognize any {noun}", f"not have any {noun}", f"no {thing}")
    return Negated(f"Why did {owner} report no {thing} {rest}", said, owner, counts=True)


def _said(pattern: str) -> Callable[[re.Match[str]], Negated]:
    return lambda match: Negated(pattern.format(match["subject"]))


def _never_had(match: re.Match[str]) -> Negated:
    article = "an" if match["role"][0] in "aeiou" else "a"
    return Negated(f"Why has {match['subject']} never had {article} {match['role']}?")


def _no_such(match: re.Match[str]) -> Negated:
    return Negated(f"Why is there no {match['things']} {match['rest']}")


_ROLES = "president|prime minister|mayor|governor|king|queen|chairman|head coach|principal|chancellor|opposition leader"
_CHANGE = r"(?:percentage |percent |net |year-over-year |total )*(?P<noun>(?:change|increase|decrease|growth|decline))"
_WHEN = r"(?:in|for|during|as of|at) (?:the )?(?:fiscal |year |financial |fiscal year |years? ended? )?"
_ASKS_TIME_OR_PLACE = r"(?:When|Where|How|(?:In|On|At) (?:what|which) (?:year|date|month|day|city)|What year)"
_NO_THING = (
    r"(?!the |average|percentage|ratio|sum|difference|combined|proportion|change|amount|value|number|respective|"
    r"highest|lowest|name|range|increase|decrease|\d|[^,?]*(?:rate|margin|percentage|ratio|yield))"
)
_OWNER = r"(?:the )?(?:Company|Group|company|group)|[A-Z][^,?]{1,40}?(?:, Inc\.|, Ltd\.)?"
_CONSIDERED = "considered|used|required|taken|covered|provided|applied|affected|expected"
_CHOSEN = "selected|nominated|elected|chosen|named|awarded|appointed|married|called"
_SOMEBODY = r"[A-Z][\w.'-]*(?: [\w.'-]+){0,4}?"

_YEAR_OF_MOST = (
    r"(?:higher|larger|greater|lower|smaller|bigger|(?:the )?(?:highest|largest|greatest|lowest|smallest|biggest))"
)

FORMS = (
    form(rf"What (?:was|is|were) the {_CHANGE} (?P<rest>in .+\?)$", _no_change),
    form(
        rf"In which (?:fiscal |financial )?year was (?P<thing>[^,?]{{4,80}}?) {_YEAR_OF_MOST}\?$",
        _same_in_all,
    ),
    form(
        rf"In which (?:fiscal |financial )?year did (?P<owner>{_OWNER}) (?:report|have) (?:an? |the )?{_YEAR_OF_MOST} "
        r"(?P<thing>[^,?]{4,60})\?$",
        _same_reported,
    ),
    form(r"What (?:was|were|is) the reasons? for the (?P<noun>increase|decrease) in (?P<rest>.+\?)$", _prevented),
    form(
        rf"What (?:was|is|were) (?:the )?(?P<thing>{_NO_THING}[^,?]{{4,60}}?) "
        rf"(?:for|of|reported by|at) (?P<owner>{_OWNER}) (?P<rest>{_WHEN}[^,?]*\b\d{{4}}\b[^,?]*\?)$",
        _none_reported,
    ),
    form(r"What (?P<verb>is|are|was|were) included (?:in|under|within) (?P<rest>.+\?)$", _excluded_from),
    form(r"What (?P<verb>does|do|did) (?P<rest>[^,]+?) (?:include|comprise(?: of)?|consist of)\?$", _excludes),
    form(
        rf"(?P<start>(?:Which|What) [\w\s-]{{3,40}}? (?:are|is|were|was)) (?P<rest>(?:{_CONSIDERED})\b .+\?)$",
        _not_considered,
    ),
    form(
        r"Why did (?P<subject>[^?]{3,90}?) (?P<rest>(?:increase|decrease|change|decline|grow|rise|fall)\b.*\?)$",
        _not_after_subject,
    ),
    form(rf"(?:What|Which) items (?P<verb>are|were) (?:in|part of) (?P<rest>{_NOUN}.+\?)$", _excluded),
    form(
        rf"How many times (?P<verb>was|were|has|did) (?P<subject>{_SOMEBODY}),? (?P<rest>(?:{_CHOSEN})\b.+\?)$", _never
    ),
    form(
        r"How many (?P<things>[\w\s'-]{3,40}?) (?P<verb>are|were) (?:there )?(?P<rest>(?:in|at|on|under)\b.+\?)$",
        _none_there,
    ),
    form(rf"{_ASKS_TIME_OR_PLACE} (?P<verb>did|does|do) (?P<rest>{_NOUN}.+\?)$", _why_not),
    form(rf"Why (?P<verb>does|do|did) (?P<rest>{_NOUN}.+\?)$", _why_not),
    form(r"Who (?:is|was) the (?:spouse|wife|husband) of (?P<subject>[^,]+)\?$", _said("Why did {} never marry?")),
    form(r"Who (?:is|was) the (?:child|son|daughter) of (?P<subject>[^,]+)\?$", _said("Why did {} have no children?")),
    form(r"Who (?:is|was) the sibling of (?P<subject>[^,]+)\?$", _said("Why did {} grow up without siblings?")),
    form(rf"Who (?:is|was) the (?:first |current )?(?P<role>{_ROLES}) of (?P<subject>[^,]+)\?$", _never_had),
    form(r"What (?:is|was) the name of the (?P<things>[a-z]+(?: [a-z]+)?) (?P<rest>(?:in|on|at) the .+\?)$", _no_such),
    form(rf"When (?P<verb>was|were) (?P<rest>{_NOUN}.+\?)$", _why_not),
)
YES_FORMS = (form(r"(?P<verb>Are|Is|Was|Were|Do|Does|Did|Has|Have|Can) (?P<rest>[^?]+\?)$", _why_not),)
