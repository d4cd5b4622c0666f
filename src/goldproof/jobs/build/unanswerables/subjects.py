"""Subjects of a question: identifiers, entities of the metadata, titles of its passages, and where they are named.

Identifiers. The kind of an identifier is the noun beside it ("the TerminalWriter class", "the method get_host",
"merge_cookies()") or the shape of the word itself; an identifier of no clear kind is not one.

Titles. The kind of a passage's title is the head noun of its first sentence: the last word before a preposition, a
comma or a participle, after "is a", "was the" and the like. Only nouns of `_GROUPS` count: a swap between other kinds
would read oddly.
"""

from __future__ import annotations

import builtins
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from goldproof.jobs.build.unanswerables.words import Mention, core_words, find_mentions, is_whole_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from goldproof.jobs.build.records import Sample
    from goldproof.jobs.build.unanswerables.proposal import Group

_CAMEL = r"[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+|[A-Z]{2,}[a-z]\w*|[a-z]+(?:[A-Z][a-z0-9]+)+"
_SNAKE = r"_*[a-zA-Z][a-zA-Z0-9]*(?:_[a-zA-Z0-9]+)+_*|__\w+__"
_DOTTED = rf"(?:{_CAMEL}|{_SNAKE}|[a-z]+)(?:\.(?:{_CAMEL}|{_SNAKE}|[a-z]+))+"
_WORD = re.compile(
    rf"`(?P<quoted>[^`\s]+)`|(?<![\w.`/])(?P<plain>{_DOTTED}|{_CAMEL}|{_SNAKE})(?P<call>\(\))?(?![\w`/])"
)
_LOGGED = re.compile(
    r"(?P<ip>(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]))|(?P<block>\bblk_-?\d+)"
    r"|\b(?P<noun>[a-z]{3,}) #?(?P<number>\d{3,})\b(?!\s?(?:seconds|ms|bytes|GiB|MB|times)\b)"
    r"|\b(?:user|host|node) (?P<named>(?!in\b|on\b|at\b)[a-z][\w.-]*\b)|\b(?P<host>[a-z]+-[a-z]*\d+)\b"
)
_FILE = re.compile(r"\.(?:sh|py|js|ts|json|ya?ml|toml|go|rs|rb|java|c|cpp|h|md|cfg|ini|txt)$")
_NOUNS = "class|function|method|fixture|exception|decorator|attribute|parameter|argument|module|helper"
_AFTER = re.compile(rf"^`?(?:\(\))?(?:'s)? (?:({_NOUNS})\b)")
_BEFORE = re.compile(rf"\b({_NOUNS}) `?$")


@dataclass(frozen=True, slots=True)
class Identifier:
    """An identifier of a question, its place (quotes and call brackets not included), and its kind."""

    start: int
    end: int
    text: str
    kind: str


@lru_cache(maxsize=256)
def log_identifiers(question: str) -> tuple[Identifier, ...]:
    """Return the identifiers of a question about logs: addresses, blocks, hosts ("web-2"), users, numbered items."""
    matches = ((match, match.lastgroup or "") for match in _LOGGED.finditer(question))
    return tuple(
        Identifier(*match.span(kind), match[kind], f"identifier:{_logged_kind(match)}") for match, kind in matches
    )


def _logged_kind(match: re.Match[str]) -> str:
    """Return the kind of an identifier in a log; that of a number is the noun before it."""
    return f"{match['noun'].casefold()} number" if match["noun"] else match.lastgroup or ""


@lru_cache(maxsize=256)
def identifiers(question: str) -> tuple[Identifier, ...]:
    """Return the identifiers of a question about code in order."""
    return tuple(_identifier(question, match) for match in _WORD.finditer(question))


def _identifier(question: str, match: re.Match[str]) -> Identifier:
    group = "quoted" if match["quoted"] is not None else "plain"
    start, end = match.span(group)
    kind = _kind(question, match, group)
    test = " of tests" if match[group].casefold().lstrip("_").startswith("test") else ""
    return Identifier(start, end, match[group], f"identifier:{kind}{test}")


def _kind(question: str, match: re.Match[str], group: str) -> str:
    if hasattr(builtins, match[group]):
        return "unclear"
    start, end = match.span(group)
    beside = _AFTER.search(question[end:]) or _BEFORE.search(question[:start])
    if beside:
        return beside[1]
    if match[group].endswith(("Error", "Exception", "Warning")):
        return "exception"
    if match["call"] or match[group].endswith("()"):
        return "call"
    return _shape(match[group])


def _shape(text: str) -> str:
    """Return the kind by the shape of the word, where no noun is beside it."""
    if re.fullmatch(_CAMEL, text) and text[0].isupper():
        return "class"
    if _FILE.search(text):
        return "file"
    if re.fullmatch(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+", text):
        return "dotted"
    return "snake" if re.fullmatch(_SNAKE, text) else "unclear"


_YEAR = re.compile(r"\b(?:1[6-9]|20)\d\d\b")
ENTITY_FIELDS = {
    "company_name": "company",
    "company": "company",
    "repo": "repository",
    "repository": "repository",
    "product": "product",
    "library": "library",
}


def named_subjects(sample: Sample) -> Iterator[tuple[str, str]]:
    """Yield (kind, name) of the entities in the metadata, each kind once."""
    seen: set[str] = set()
    for field, kind in ENTITY_FIELDS.items():
        value = sample.metadata.get(field)
        if isinstance(value, str) and value.strip() and kind not in seen:
            seen.add(kind)
            yield kind, value


def named_identifiers(sample: Sample) -> tuple[Identifier, ...]:
    """Return the identifiers that a question about code or logs names; other questions have none."""
    if sample.doc_type == "code_config":
        return identifiers(sample.question)
    return log_identifiers(sample.question) if sample.doc_type == "log_ticket" else ()


def identifier_home(sample: Sample) -> str:
    """Return the repository or log that the identifiers belong to: a substitute must come from elsewhere."""
    return str(sample.metadata.get("repo") or next(iter(sample.context_ids), sample.id))


def founded(sample: Sample) -> int:
    """Return the year in which the company was founded, the last of several; 0 where it is not known."""
    years = _YEAR.findall(str(sample.metadata.get("company_founded", "")))
    return max(map(int, years), default=0)


def subject_groups(sample: Sample) -> tuple[Group, ...]:
    """Return the phrases that a document about the question's subject holds; () where the question names none."""
    named = (name for _, name in named_subjects(sample) if find_mentions(sample.question, name))
    return tuple((" ".join(core_words(name)),) for name in named)


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
    """Return the title without its disambiguation: "Lilu (mythology)" is "Lilu"."""
    return _QUALIFIER.sub("", title).strip()


def head_noun(text: str) -> str | None:
    """Return the head noun that classifies the first sentence's subject, None where `_GROUPS` lacks it."""
    copula = _COPULA.search(text[:400])
    if copula is None:
        return None
    rest = text[copula.end() : copula.end() + 200]
    stop = _STOP.search(rest)
    phrase = rest[: stop.start() if stop else len(rest)]
    noun = phrase.split()[-1].casefold().strip("'\"") if phrase.split() else ""
    fits = noun not in _NEEDS or _NEEDS[noun].search(phrase)
    return noun if noun in GROUP_OF and fits else None


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
# Words of a single trade: they make no sense with the name of a company of another.
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
class NamePlace:
    """A name to replace: its kind, its exact noun or sector, and all its mentions."""

    name: str
    kind: str
    head: str
    mentions: tuple[Mention, ...]


def subject_places(sample: Sample) -> list[NamePlace]:
    """Return the mentions of entities in the metadata, unless one of them is part of a longer name."""
    places = []
    if identifiers(sample.question) and sample.doc_type == "code_config":
        # What it asks about is the identifier, wherever that is; another library's name would change nothing.
        return []
    for kind, name in named_subjects(sample):
        mentions = find_mentions(sample.question, name)
        sure = all(is_whole_name(sample.question, m) and is_name(sample.question, m, kind=kind) for m in mentions)
        told = any(_TELLS_TRADE.search(sample.question[mention.end :]) for mention in mentions)
        if mentions and sure and not told:
            head = str(sample.metadata.get("company_sector") or "") if kind == "company" else ""
            places.append(NamePlace(name, kind, head, mentions))
    return places


def names_a_trade(question: str) -> bool:
    """Whether the question speaks of something that only companies of one trade have."""
    return bool(_TRADE.search(question))


def title_places(sample: Sample, titles: Sequence[str]) -> list[NamePlace]:
    """Return the titles of the sample's passages that its question names, the longest first."""
    if _COMPARES.search(sample.question):
        return []
    named = (_title_place(sample, title, text=text) for title, text in zip(titles, sample.contexts, strict=True))
    places = {place.name: place for place in named if place is not None}
    longest = sorted(places.values(), key=lambda place: (-len(place.name), place.name))
    return [place for place in longest if not any(place.name in other.name for other in longest if other != place)]


def _title_place(sample: Sample, title: str, *, text: str) -> NamePlace | None:
    name, question = bare_title(title), sample.question
    if name not in question or len(name) < 4 or not name[0].isupper():
        return None
    head = head_noun(text)
    if head is None:
        return None
    mentions = tuple(_exact_mentions(question, name))
    sure = all(is_whole_name(question, m) and not _described(question, m) for m in mentions)
    if _OTHER_NAME.search(question.replace(name, " ")):
        # A second name pins the answer down, and the swapped one would just be an error.
        return None
    return NamePlace(name, f"title:{GROUP_OF[head]}", head, mentions) if mentions and sure else None


def _described(question: str, mention: Mention) -> bool:
    return bool(_DESCRIBES.search(question[mention.end :]) or _KIND_TOLD.search(question[: mention.start]))


def _exact_mentions(question: str, name: str) -> list[Mention]:
    pattern = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
    return [Mention(m.start(), m.end(), m.group()) for m in re.finditer(pattern, question) if m.start() > 0]


def is_name(question: str, mention: Mention, *, kind: str) -> bool:
    """Return whether a mention is a name: a library may be called like a common word ("requests")."""
    if kind == "company" or _SOFTWARE.match(question[mention.end :]):
        return True
    if mention.surface == mention.surface.lower():
        return False
    # "The Flask application" speaks of what the library makes, not of the library.
    return bool(_ACTS.search(question[: mention.start]) or _STANDS_ALONE.match(question[mention.end :]))
