"""What kind of thing a passage is about, from its first sentence: "X is an American band from ..." is about a band.

The head noun is the last word before a preposition, a comma or a participle, after "is a", "was the" and the like.
Only nouns of the table below count: a swap between kinds that nobody grouped would read oddly.
"""

from __future__ import annotations

import re

_GROUPS = {
    "film": "film movie documentary thriller biopic",
    "song": "song single",
    "album": "album ep soundtrack mixtape",
    "book": "book novel novella memoir autobiography",
    "series": "series sitcom show telenovela drama programme program",
    "game": "game",
    "band": "band group duo trio quartet",
    "magazine": "magazine newspaper journal periodical",
    "person": (
        "actor actress singer songwriter singer-songwriter musician rapper politician footballer player cricketer "
        "writer author novelist poet director producer screenwriter filmmaker journalist composer pianist "
        "guitarist drummer painter artist comedian model lawyer businessman businesswoman entrepreneur physicist "
        "chemist mathematician biologist historian philosopher economist boxer wrestler swimmer athlete racer "
        "driver coach manager soldier officer general admiral explorer architect photographer dancer presenter "
        "broadcaster host chef scientist engineer psychologist activist judge priest bishop designer sculptor "
        "playwright"
    ),
    "town": "city town village municipality commune suburb hamlet borough township settlement",
    "county": "county district province prefecture parish",
    "state": "state",
    "country": "country republic kingdom",
    "river": "river tributary stream creek",
    "lake": "lake reservoir",
    "mountain": "mountain peak summit hill",
    "island": "island",
    "school": "school academy",
    "university": "university college institute",
    "airport": "airport",
    "station": "station",
    "company": "company corporation manufacturer publisher retailer airline label brand chain firm brewery bank",
    "team": "team club franchise",
    "organization": "organization organisation association foundation charity society union party",
    "museum": "museum gallery",
    "church": "church cathedral abbey monastery chapel",
    "castle": "castle palace fort fortress",
    "breed": "breed",
    "plant": "plant genus",
}
GROUP_OF = {head: group for group, heads in _GROUPS.items() for head in heads.split()}
ORGANISATIONS = frozenset({"band", "magazine", "university", "company", "team", "organization", "museum", "school"})
PLACES = frozenset({"town", "county", "airport", "university", "school", "museum", "church", "castle", "station"})

# Nouns of many meanings count only in company that tells which.
_NEEDS = {
    "series": re.compile(r"television|TV|web|anime|animated|comedy|drama|sitcom", re.IGNORECASE),
    "show": re.compile(r"television|TV|talk|game|reality|radio|quiz", re.IGNORECASE),
    "drama": re.compile(r"television|TV|series|medical|police", re.IGNORECASE),
    "program": re.compile(r"television|TV|radio", re.IGNORECASE),
    "programme": re.compile(r"television|TV|radio", re.IGNORECASE),
    "group": re.compile(r"rock|pop|music|vocal|girl|boy|hip|folk|metal|band", re.IGNORECASE),
    "single": re.compile(r"song|debut|lead|by", re.IGNORECASE),
    "model": re.compile(r"fashion|glamour|actress|actor", re.IGNORECASE),
    "plant": re.compile(r"flowering|species|perennial", re.IGNORECASE),
    "chain": re.compile(r"restaurant|store|retail|hotel|food", re.IGNORECASE),
    "state": re.compile(r"U\.?S\.?|American|Indian|Brazilian|Mexican|constituent|federal", re.IGNORECASE),
}
_COPULA = re.compile(r"\b(?:is|was|are|were) (?:an?|the|one of the|considered an?) ")
_STOP = re.compile(
    r"[,.;:(]|\s(?:of|in|by|from|that|which|who|whose|for|with|on|at|to|and|or|about|based|located|written|directed|"
    r"produced|founded|formed|released|published|created|developed|starring|situated|born|known|set|made|recorded|"
    r"owned|operated|best|currently|where|when|under|near|between|hosted|featuring|originally)\b"
)
_QUALIFIER = re.compile(r"\s*\([^)]*\)$")


def bare_title(title: str) -> str:
    """Return the title without what only tells namesakes apart: "Lilu (mythology)" is "Lilu"."""
    return _QUALIFIER.sub("", title).strip()


def head_noun(text: str) -> str | None:
    """Return the noun that says what the first sentence's subject is, where the table knows it."""
    found = _COPULA.search(text[:400])
    if found is None:
        return None
    rest = text[found.end() : found.end() + 200]
    stop = _STOP.search(rest)
    phrase = rest[: stop.start() if stop else len(rest)]
    noun = phrase.split()[-1].casefold().strip("'\"") if phrase.split() else ""
    fits = noun not in _NEEDS or _NEEDS[noun].search(phrase)
    return noun if noun in GROUP_OF and fits else None
