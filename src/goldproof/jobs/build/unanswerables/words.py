"""Words of questions and documents: tokens, mentions of a name in any spelling, words peculiar to one subject.

Tokens. Finer than `goldproof.text.tokens`: a hyphen, an underscore and an apostrophe separate words, so that "Cal-Maine
Foods, Inc.", "cal-maine-foods-inc" and `merge_cookies` are found in whatever spelling. "n't" is "not". A short year is
also a long one: "FY18" and the end of "2017-18" mean 2018.

Mentions. A name of the metadata may be a slug ("cal-maine-foods-inc"): its words are looked for in order, with any
blanks, hyphens and points between them, and with or without the legal form. A mention that is part of a longer name
("Entergy" in "Entergy Arkansas") is another entity, and then the question is left alone.

Vocabulary. "Net income" is asked of every company, "smokeless products" of one: with another company's name the second
question contradicts itself. A word is ordinary for a kind of subject where questions about at least `_MANY` of its
subjects hold it (fewer in a small pool: a quarter of them). It is peculiar to one subject where at least `_OFTEN`
questions about this one hold it and none about others. Memory is bounded by the number of words: of each, at most
`_MANY` subjects are remembered.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_TOKEN = re.compile(r"[^\W_]+")
_YEAR = re.compile(r"(?:19|20)\d\d")
_SUFFIXES = ("s", "es", "ed", "d", "ing")


def tokens(text: str) -> list[str]:
    """Return the words in order."""
    return _TOKEN.findall(_plain(text))


def year_spellings(word: str) -> tuple[str, ...]:
    """Return the phrases that mean the same year: "fy18", "f18", "fy 18", and as the end of a range "2017 18"."""
    if not _YEAR.fullmatch(word):
        return (word,)
    short = word[2:]
    return (word, f"fy{word}", f"fy{short}", f"f{short}", f"fy {short}", f"{int(word) - 1} {short}")


def variants(word: str) -> tuple[str, ...]:
    """Return the spellings of a word that count as the same: plural and singular, and regular verb forms."""
    if _YEAR.fullmatch(word):
        return tuple(spelling for spelling in year_spellings(word) if " " not in spelling)
    if not word.isalpha() or len(word) < 4:
        return (word,)
    stems = [word, *(word.removesuffix(suffix) for suffix in _SUFFIXES if len(word.removesuffix(suffix)) > 2)]
    stems += [word[:-3] + "y"] if word.endswith("ies") else []
    spellings = [stem + suffix for stem in stems for suffix in ("", *_SUFFIXES)]
    spellings += [stem[:-1] + "ies" for stem in stems if stem.endswith("y")]
    spellings += [stem + "e" for stem in stems[1:]]
    return tuple(dict.fromkeys(spellings))


def _plain(text: str) -> str:
    return text.casefold().replace("\u2019", "'").replace("n't", " not")


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
    """One mention of a name in a question, legal form included, possessive not."""

    start: int
    end: int
    surface: str


@lru_cache(maxsize=65536)
def core_words(name: str) -> tuple[str, ...]:
    """Return the distinctive words of a name: without its legal form."""
    words = tokens(name.rsplit("/", 1)[-1])
    while len(words) > 1 and _IS_LEGAL_FORM.fullmatch(words[-1]):
        words.pop()
    return tuple(words[1:] if len(words) > 1 and words[0] == "the" else words)


def find_mentions(question: str, name: str) -> tuple[Mention, ...]:
    """Return every mention of the name, in any spelling."""
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


def is_whole_name(question: str, mention: Mention) -> bool:
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
    """Return the possessive ending of a name: "Mills'", "Oracle's"."""
    return "'" if name.endswith("s") else "'s"


def spoken(name: str) -> str:
    """Return the name as it is used in a sentence: without its legal form, and with "the" where people say it."""
    short = re.sub(rf"{_LEGAL_TAIL}$", "", name, flags=re.IGNORECASE) or name
    return f"the {short}" if _WITH_ARTICLE.search(short) else short


def leaves_trace(question: str, old: str) -> bool:
    """Return whether a distinctive word of the old name is still in the question, with a capital."""
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


_MANY = 6
_PART = 4
_OFTEN = 4
_Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """subjects: kind -> number of its subjects. ordinary, peculiar: (kind, word), the second with its subject."""

    subjects: Mapping[str, int]
    ordinary: frozenset[_Key]
    peculiar: Mapping[_Key, str]

    def all_ordinary(self, kind: str, words: Iterable[str]) -> bool:
        """Whether questions about many subjects of this kind hold each word; true where there are too few to tell."""
        if self.subjects.get(kind, 0) < _PART * 2:
            return True
        return all(any((kind, form) in self.ordinary for form in variants(word)) for word in words)

    def any_peculiar(self, kind: str, words: Iterable[str], *, subject: str) -> bool:
        """Whether one of the words belongs to this subject alone."""
        return any(self.peculiar.get((kind, word)) == subject for word in words)


@dataclass(slots=True)
class VocabularyBuilder:
    """Collects the words of questions, in any order."""

    _subjects: dict[str, set[str]] = field(default_factory=dict)
    _holders: dict[_Key, Counter[str]] = field(default_factory=dict)

    def add(self, kind: str, subject: str, words: Iterable[str]) -> None:
        """Take the words of one question about a subject."""
        self._subjects.setdefault(kind, set()).add(subject)
        for word in words:
            holders = self._holders.setdefault((kind, word), Counter())
            # Which ones are remembered depends on the order; that there are `_MANY` does not.
            if subject in holders or len(holders) < _MANY:
                holders[subject] = min(holders[subject] + 1, _OFTEN)

    def build(self) -> Vocabulary:
        """Return the vocabulary collected so far."""
        needed = {kind: min(_MANY, max(2, len(holders) // _PART)) for kind, holders in self._subjects.items()}
        single = {key: next(iter(holders.items())) for key, holders in self._holders.items() if len(holders) == 1}
        return Vocabulary(
            subjects={kind: len(holders) for kind, holders in sorted(self._subjects.items())},
            ordinary=frozenset(key for key, holders in self._holders.items() if len(holders) >= needed[key[0]]),
            peculiar={key: subject for key, (subject, count) in sorted(single.items()) if count >= _OFTEN},
        )
