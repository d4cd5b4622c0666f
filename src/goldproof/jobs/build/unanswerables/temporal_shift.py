"""Temporal shift: the same question about another time, which the corpus does not cover.

All years of a question move by one distance, so that their order and their intervals stay. Used only where the year
says *when* the asked figure was measured or the event happened ("in 2018", "from 2010 to 2012", "fiscal 2019"): a year
that merely describes something ("a 2001 film", "born in 1952", "the Act of 1869") would turn into an error that readers
correct while answering. A question that quotes figures is not used: they belong to their year.

The new years are not later than the pool's own newest year, not before the subject is known to exist (the founding
year in the metadata, or the first year of its documents), and keep a rhythm: a census moves by tens of years, games
and elections by fours.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from goldproof.jobs.build.unanswerables.proposal import Proposal, draw, proposal
from goldproof.jobs.build.unanswerables.subjects import subject_groups
from goldproof.jobs.build.unanswerables.years import shifted, states_amounts, year_mentions, years_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.jobs.build.records import Sample
    from goldproof.jobs.build.unanswerables.substitutes import Substitutes
    from goldproof.jobs.build.unanswerables.years import YearMention

METHOD = "temporal_shift"
_STEPS = (*range(-9, -1), *range(2, 10))
_AT_MOST = 4
_WHEN = re.compile(
    r"(?:\b(?:in|of|for|from|to|and|or|between|during|since|until|through|by|at|on|before|after|ended|ending|fiscal|"
    r"year|years|fy|financial|calendar|quarter|Q[1-4]|the|its|their|versus|vs\.?|than|over)|'s|[,(/&-]|"
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December|"
    r"Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec)\.?)\s?$",
    re.IGNORECASE,
)
_DESCRIBES_BEFORE = re.compile(
    r"(?:\b(?:act|law|treaty|protests?|war|battle|siege|revolution|convention|constitution|plan|notes|notes due|due|"
    r"born|founded|formed|established|released|published|premiered|developed|created|built|opened|died|debuted)"
    r"(?: (?:of|in|on))?(?: the)?|\ban?|\()\s?$",
    re.IGNORECASE,
)
_NAMED_AFTER = re.compile(
    r"^'?s? ?(?:(?:[a-z]+ )?(?:plan|notes|act|indenture|facility|offering|debentures|agreement|program|acquisition|"
    r"album|film|movie|song|single|novel|book|invasion|remake|comedy|drama)\b|\))",
    re.IGNORECASE,
)
_CAPITAL_AFTER = re.compile(r"^ (?!Annual|Form|Report|Financial|Consolidated|Fiscal|Full|Q\d)[A-Z]")
_EVENT_AFTER = re.compile(
    r"^ (?:[\w'-]+ ){0,4}(?:Championships?|Cup|Olympics|Games|season|census|elections?|draft|Awards?|Series|Open)\b"
)
_RHYTHMS = (
    (re.compile(r"\bcensus|\d0'?s\b", re.IGNORECASE), 10),
    (re.compile(r"\bOlympics?\b|\bWorld Cup\b|\belections?\b|\bGames\b|\bEuro\b|\bU-\d\d\b", re.IGNORECASE), 4),
)
_SECOND_SENTENCE = re.compile(r"[a-z]{3}[.?] [A-Z]")
_SINCE = re.compile(r"\bwho (?:has|had) \w+ .*\bsince\b|\bsince \d{4}\b")
_REPORT_AFTER = re.compile(r"^ (?:\w+ ){0,2}(?:report|statements?|Form|document|filing|discussion)\b", re.IGNORECASE)
_ONCE = re.compile(
    r"\bacqui(?:sitions? of|red)\b|\b[A-Z]\w+ [Aa]cquisition\b|\bmerger\b|"
    r"\bpurchase price\b|\bspin-off\b|\bpublic offering\b|"
    r"\bscandal\b|\bits peak\b|\bcorrection of\b|\b(?:person|man|woman) (?:that|who)\b"
)
_STANDARDS = re.compile(r"\b(?:ASC|Topic|IFRS|IAS|ASU|SFAS) ?\d|\bTax (?:Cuts|Act|Reform)\b|\bpage \d", re.IGNORECASE)


def propose(sample: Sample, *, substitutes: Substitutes, seed: int) -> Iterator[Proposal]:
    """Yield the question at other times, at most a few."""
    mentions = year_mentions(sample.question)
    if not mentions or not _usable(sample.question, mentions):
        return
    for delta in _deltas(sample, mentions, newest=substitutes.newest_year, seed=seed)[:_AT_MOST]:
        question = shifted(sample.question, delta)
        new_years = sorted({mention.year + delta for mention in mentions})
        yield proposal(
            sample,
            question,
            method=METHOD,
            joined=(*((str(year + delta),) for year in _asked(sample.question, mentions)), *subject_groups(sample)),
            details={
                "substituted": ", ".join(str(year - delta) for year in new_years),
                "substitute": ", ".join(str(year) for year in new_years),
            },
        )


def _asked(question: str, mentions: tuple[YearMention, ...]) -> list[int]:
    """Return the years asked about; the year of the report with the answer counts only where there is no other."""
    asked = {mention.year for mention in mentions if not _REPORT_AFTER.search(question[mention.end :])}
    return sorted(asked or {mention.year for mention in mentions})


def _usable(question: str, mentions: tuple[YearMention, ...]) -> bool:
    if states_amounts(question) or _STANDARDS.search(question) or _ONCE.search(question):
        return False
    if _SINCE.search(question) or _SECOND_SENTENCE.search(question):
        return False
    return all(_says_when(question, mention) for mention in mentions)


def _says_when(question: str, mention: YearMention) -> bool:
    before, after = question[: mention.start], question[mention.end :]
    if _DESCRIBES_BEFORE.search(before) or _NAMED_AFTER.search(after):
        return False
    if _CAPITAL_AFTER.search(after):
        return bool(_EVENT_AFTER.search(after))
    return not before or mention.kind != "year" or bool(_WHEN.search(before)) or bool(_EVENT_AFTER.search(after))


def _deltas(sample: Sample, mentions: tuple[YearMention, ...], *, newest: int, seed: int) -> list[int]:
    own = sorted({mention.year for mention in mentions})
    rhythm = next((step for pattern, step in _RHYTHMS if pattern.search(sample.question)), 1)
    steps = _STEPS if rhythm == 1 else tuple(rhythm * n for n in (-3, -2, -1, 1, 2, 3))
    told = frozenset().union(*(years_in(text) for text in sample.contexts))
    earliest = _earliest(sample, told)

    def fits(delta: int) -> bool:
        moved = {year + delta for year in own}
        plausible = earliest <= min(moved) and max(moved) <= newest
        # Years that the sample's own documents speak of would be refuted, or lead to a real question.
        return plausible and not moved & set(own) and not moved <= told

    return sorted(filter(fits, steps), key=lambda delta: draw(seed, METHOD, sample.id, delta))


def _earliest(sample: Sample, told: frozenset[int]) -> int:
    founded = re.findall(r"\b(?:1[6-9]|20)\d\d\b", str(sample.metadata.get("company_founded", "")))
    if founded:
        return int(founded[0]) + 5
    if sample.doc_type == "clean_text" and told:
        return min(told)
    return 1500 if sample.doc_type == "clean_text" else 2000
