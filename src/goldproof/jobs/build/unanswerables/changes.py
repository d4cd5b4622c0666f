"""Nothing changed: the negation of a question about a change between two times, in one of several wordings.

"What was the increase in sales from 2018 to 2019?" becomes "Why did sales not increase from 2018 to 2019?", "Why was
there no increase in sales ...?" and so on; which wording, the question itself decides, so that a benchmark does not ask
a hundred times in the same words. Units and remarks on where to look go: they belong to a figure.
"""

from __future__ import annotations

import re

from goldproof.jobs.build.unanswerables.proposal import draw

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
    """Return why nothing changed; rest: "in sales from 2018 to 2019?". None where it cannot be said simply."""
    plain = _REMARK.sub("", _IN_UNITS.sub("", _UNITS_OF.sub("in ", rest)))
    parted = _PARTED.match(plain)
    if parted is None or _TOLD.search(plain) or len(plain.split()) > _MOST_WORDS:
        return None
    thing, when = parted["thing"], parted["when"].rstrip(",")
    # The first wording bears a thing that is itself an enumeration; a verb after it would stand too far off.
    wordings = _WORDINGS[noun][:1] if "," in thing else _WORDINGS[noun]
    return wordings[draw(0, rest) % len(wordings)].format(thing=thing, when=when)
