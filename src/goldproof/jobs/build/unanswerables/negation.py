"""Negation: the question with the opposite premise, for the forms of questions that have one.

Only forms that people use: "When did the war end?" becomes "Why didn't the war end?", "How does Flask handle X?"
becomes "Why doesn't Flask handle X?", "What is included in revenue?" becomes "What is excluded from revenue?". A
question that fits no form gives no proposal. Forms are tried in their order; the first that fits decides, and one that
fits may still decline. `YES_FORMS` are for questions whose answer is yes: their denial is a premise that the source
contradicts.

"What was the increase in sales from 2018 to 2019?" becomes "Why did sales not increase from 2018 to 2019?", "Why was
there no increase in sales ...?" and so on; the question itself decides which wording, so that a benchmark does not ask
a hundred times in the same words. Units and remarks on where to look are removed: they belong to a figure.

A document that itself speaks of the negation (in the negated words, or with "not", "no" or "never" before one of the
question's own words) may answer; the check rejects such proposals.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.jobs.build.unanswerables.proposal import Group, Proposal, draw, other_words, proposal
from goldproof.jobs.build.unanswerables.subjects import named_subjects, subject_groups
from goldproof.jobs.build.unanswerables.words import find_mentions, tokens, variants
from goldproof.jobs.build.unanswerables.years import states_amounts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from goldproof.jobs.build.records import Sample

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
    phrases = negated.phrases or _nots_before(negated.question)
    yield proposal(
        sample,
        negated.question,
        method=METHOD,
        joined=(phrases, *subject_groups(sample)),
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
    spelt = (find_mentions(owner, name) for _, name in named_subjects(sample))
    return any(mention.surface == owner for mentions in spelt for mention in mentions)


def _nots_before(question: str) -> Group:
    words = other_words(question, taken=set())
    return tuple(f"{no} {form}" for word in words for form in variants(word) for no in _NOTS)


@dataclass(frozen=True, slots=True)
class Negated:
    """A negated question.

    phrases: those by which a source would state it; empty: a "not" before one of its words. owner: who must be
    the question's subject, for the form to fit. counts: whether the answer must be a number other than 0, since
    a premise that holds is no false one; rises: and above 0.
    """

    question: str
    phrases: Group = ()
    owner: str = ""
    counts: bool = False
    rises: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """One way to ask, and its negated way. A form that fits wins over those after it."""

    asked: re.Pattern[str]
    turn: Callable[[re.Match[str]], Negated | None]


def negated_by(forms: tuple[Form, ...], question: str) -> Negated | None:
    """Return the negation by the first form that fits; None where none does."""
    matches = ((form, form.asked.match(question)) for form in forms)
    return next((turned for form, match in matches if match and (turned := form.turn(match))), None)


def form(pattern: str, turn: Callable[[re.Match[str]], Negated | None]) -> Form:
    """Return the form that a pattern describes."""
    return Form(re.compile(pattern), turn)


_UNITS_OF = re.compile(r"^in (?:millions|billions|thousands) of (?:dollars of )?")
_IN_UNITS = re.compile(
    r",? (?:in|\(in) (?:U\.?S\.? )?(?:millions|thousands|billions|dollars|percent(?:age)?)\b[^,?]*,?"
)
_REMARK = re.compile(
    r",? (?:as (?:\w+ )?(?:reported|reflected|disclosed|shown|indicated|stated|presented|detailed|outlined|per|noted)|"
    r"based on|according to|considering|given|using|rounded|expressed)\b[^?]*(?=\?$)"
)
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
# The time is what a preposition and a year, a date or a part of a year make: "revenue from customers" is no time.
_PARTED = re.compile(
    rf"in (?P<thing>.+?),? (?P<when>(?:from|between|compared (?:to|with)|during|in) (?:the )?"
    rf"(?:\d{{4}}\b|\d{{1,2}} (?:{_MONTHS})|(?:{_MONTHS}) \d|FY|F\d|fiscal|financial year|years?\b|"
    rf"(?:first|second|third|fourth) quarter|beginning|end of|start of)[^?]*)\?$"
)
# Causes, turning points and brackets do not survive the negation.
_TOLD = re.compile(r"\b(?:driven|due to|because|caused|peak|low on|resulting|attribut\w+|primarily|rated)\b|[()]")
_MOST_WORDS = 28
_WORDINGS = {
    "change": (
        "Why was there no change in {thing} {when}?",
        "Why did {thing} not change {when}?",
        "Why did {thing} stay the same {when}?",
        "What kept {thing} unchanged {when}?",
        "Why did {thing} remain flat {when}?",
    ),
    "increase": (
        "Why was there no increase in {thing} {when}?",
        "Why did {thing} not increase {when}?",
        "What prevented an increase in {thing} {when}?",
        "Why did {thing} fail to increase {when}?",
    ),
    "growth": ("Why was there no growth in {thing} {when}?", "Why did {thing} not grow {when}?"),
    "decrease": (
        "Why was there no decrease in {thing} {when}?",
        "Why did {thing} not decrease {when}?",
        "What prevented a decrease in {thing} {when}?",
    ),
    "decline": ("Why was there no decline in {thing} {when}?", "Why did {thing} not decline {when}?"),
}


def unchanged(noun: str, rest: str) -> str | None:
    """Ask why nothing changed; rest: "in sales from 2018 to 2019?". None where there is no simple wording."""
    plain = _REMARK.sub("", _IN_UNITS.sub("", _UNITS_OF.sub("in ", rest)))
    parted = _PARTED.match(plain)
    if parted is None or _TOLD.search(plain) or len(plain.split()) > _MOST_WORDS:
        return None
    thing, when = parted["thing"], parted["when"].rstrip(",")
    # The first wording bears a thing that is itself an enumeration; a verb after it would be too far off.
    wordings = _WORDINGS[noun][:1] if "," in thing else _WORDINGS[noun]
    return wordings[draw(0, rest) % len(wordings)].format(thing=thing, when=when)


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
        # The other rows of the table answer it.
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
    phrases = (
        f"no {noun}",
        f"not report any {noun}",
        f"not recognize any {noun}",
        f"not have any {noun}",
        f"no {thing}",
    )
    return Negated(f"Why did {owner} report no {thing} {rest}", phrases, owner, counts=True)


def _about_subject(pattern: str) -> Callable[[re.Match[str]], Negated]:
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
    form(
        r"Who (?:is|was) the (?:spouse|wife|husband) of (?P<subject>[^,]+)\?$",
        _about_subject("Why did {} never marry?"),
    ),
    form(
        r"Who (?:is|was) the (?:child|son|daughter) of (?P<subject>[^,]+)\?$",
        _about_subject("Why did {} have no children?"),
    ),
    form(
        r"Who (?:is|was) the sibling of (?P<subject>[^,]+)\?$", _about_subject("Why did {} grow up without siblings?")
    ),
    form(rf"Who (?:is|was) the (?:first |current )?(?P<role>{_ROLES}) of (?P<subject>[^,]+)\?$", _never_had),
    form(r"What (?:is|was) the name of the (?P<things>[a-z]+(?: [a-z]+)?) (?P<rest>(?:in|on|at) the .+\?)$", _no_such),
    form(rf"When (?P<verb>was|were) (?P<rest>{_NOUN}.+\?)$", _why_not),
)
YES_FORMS = (form(r"(?P<verb>Are|Is|Was|Were|Do|Does|Did|Has|Have|Can) (?P<rest>[^?]+\?)$", _why_not),)
