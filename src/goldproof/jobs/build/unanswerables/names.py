"""Names in a question: found in whatever spelling, and replaced so that the sentence stays whole.

A name of the metadata may be a slug ("cal-maine-foods-inc"): its words are looked for in order, with blanks, hyphens
and points between them as they come, and what says the legal form may be there or not. A mention that is part of a
longer name ("Entergy" in "Entergy Arkansas") is not the thing itself, and then the question is left alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from goldproof.jobs.build.unanswerables.terms import tokens

_LEGAL_FORMS = (
    r"Co|Company|Companies|Corp|Corporation|Group|Holdings?|Inc|Incorporated|Limited|LLC|Ltd|N\.?V|PLC|S\.?A|AG|SE"
)
_IS_LEGAL_FORM = re.compile(rf"(?:{_LEGAL_FORMS}|the)", re.IGNORECASE)
_LEGAL_TAIL = rf"(?:,?[\s-](?:& )?(?:{_LEGAL_FORMS})\b\.?)*"
_BETWEEN = r"[\s.,*&'\u2019\u2013-]{0,3}"
_PREPOSITIONS = "in for from as and of at on during with to by is was were has had that which who whose when between"
_FOLLOWS = re.compile(rf"^(?:$|[?,.;:)]|\s(?:{_PREPOSITIONS.replace(' ', '|')})\b|'s\b|\u2019s\b|'\s)")
_WITH_ARTICLE = re.compile(
    r"^(?!The\b).*\b(?:University|College|Museum|Institut(?:e|ion)|Society|Association|Foundation|Academy|Union) of\b"
    r"|^(?!The\b).+\b(?:Museum|Association|Society|Foundation|Institute|Institution|Gallery|Union|League|Trust)$"
)
_POSSESSIVE = re.compile(r"^(?:['\u2019]s|['\u2019](?=\s))")
_NEXT_NAME = re.compile(r"^[ -][A-Z0-9]|^\s(?:&|and) (?:Co|Company|Sons|Subsidiaries)\b")
_TITLE_BEFORE = re.compile(r"(?<!^)\b[A-Z]\w* an? $")
_NAME_BEFORE = re.compile(r"([A-Za-z][\w.'-]*) $")


@dataclass(frozen=True, slots=True)
class Mention:
    """One place of a question where a name stands, legal form included, possessive not."""

    start: int
    end: int
    surface: str


@lru_cache(maxsize=65536)
def core_words(name: str) -> tuple[str, ...]:
    """Return the words of a name without its legal form: what tells it from others."""
    found = tokens(name.rsplit("/", 1)[-1])
    while len(found) > 1 and _IS_LEGAL_FORM.fullmatch(found[-1]):
        found.pop()
    return tuple(found[1:] if len(found) > 1 and found[0] == "the" else found)


def find_mentions(question: str, name: str) -> tuple[Mention, ...]:
    """Return every place where the name stands, whatever its spelling."""
    pattern = _pattern(name)
    if pattern is None or core_words(name)[0] not in question.casefold():
        return ()
    return tuple(Mention(m.start(), m.end(), m.group()) for m in pattern.finditer(question))


@lru_cache(maxsize=8192)
def _pattern(name: str) -> re.Pattern[str] | None:
    words = core_words(name)
    if len("".join(words)) < 2:
        return None
    spelt = _BETWEEN.join(map(re.escape, words))
    return re.compile(rf"(?<![\w@/-]){spelt}{_LEGAL_TAIL}(?![\w/]|-\w)", re.IGNORECASE)


def whole(question: str, mention: Mention) -> bool:
    """Whether the mention is the name itself, not a part of a longer one."""
    if _NEXT_NAME.search(question[mention.end :]) and not mention.surface.endswith((".", ",")):
        return False
    if _TITLE_BEFORE.search(question[: mention.start]):
        return False
    before = _NAME_BEFORE.search(question[: mention.start])
    if before is None or not before[1][0].isupper():
        return True
    # The first word of a sentence has a capital anyway, and "The" belongs to the name.
    return before.start() == 0 or question[before.start() - 2 : before.start()] in {". ", ", "} or before[1] == "The"


def is_written_out(surface: str) -> bool:
    """Whether a spelling is one that a person would write: with a capital, and not a slug."""
    slug = "-" in surface and " " not in surface.strip()
    return surface != surface.lower() and not slug and not re.search(r"[()*]", surface)


def replaced(question: str, mentions: tuple[Mention, ...], *, new: str) -> str:
    """Return the question with each mention replaced; articles and possessives follow the new name."""
    for mention in reversed(mentions):
        before, after = question[: mention.start], question[mention.end :]
        owned = _POSSESSIVE.match(after)
        if owned:
            after = possessive(new) + after[owned.end() :]
        if mention.surface.endswith(".") and not after and not new.endswith("."):
            after = "."
        if new.endswith(".") and after.startswith("."):
            after = after[1:]
        question = f"{_article(before, after, new=new, formal=_has_legal_form(mention.surface))}{new}{after}"
    return question


def possessive(name: str) -> str:
    """Return what makes the name an owner: "Mills'", "Oracle's"."""
    return "'" if name.endswith("s") else "'s"


def spoken(name: str) -> str:
    """Return the name as it stands in a sentence: without its legal form, and with "the" where people say it."""
    short = re.sub(rf"{_LEGAL_TAIL}$", "", name, flags=re.IGNORECASE) or name
    return f"the {short}" if _WITH_ARTICLE.search(short) else short


def leaves_trace(question: str, old: str) -> bool:
    """Whether a telling word of the old name still stands in the question, with a capital."""
    telling = {word for word in core_words(old) if len(word) > 3}
    return any(word.casefold().strip("'s") in telling for word in re.findall(r"\b[A-Z][\w']*", question))


def _has_legal_form(surface: str) -> bool:
    return len(tokens(surface)) > len(core_words(surface))


def _article(before: str, after: str, *, new: str, formal: bool) -> str:
    if before.endswith("the ") and new.startswith("the "):
        return before[:-4]
    if before.endswith(("The ", "the ")) and (formal or before.endswith("The ") or _FOLLOWS.match(after)):
        return before[:-4]
    if re.search(r"\b[Aa]n? $", before):
        stem = before[: before.rstrip().rfind(" ") + 1]
        article = before[len(stem)] + ("n " if new[0] in "AEIOUaeiou" else " ")
        return stem + article
    return before
