"""Near-duplicate questions: their comparable form, and an exact index.

A question is compared by its form, which is read from its normal form (`goldproof.text.near_duplicates.normal_text`),
so that questions with the same normal form have the same form here; only names are read from the original spelling.

content   its content words (`goldproof.text.tokens`) without its signs, which must agree anyway and would make any two
          questions about the same dates alike; with them where nothing else is left; all its words where it has no
          content word; the normal form itself where it has no word.
spoken    all its words, without a possessive 's.
signs     words that turn a question into another one however long it is: every word with a digit, number words
          ("million", "second"), what is asked of figures ("percentage", "average", "highest"), question words other
          than what and which, negations, and before / after, more / less and the like.
names     words written with a capital, apart from the first word of a sentence where that is a function word or a
          common opening ("Calculate"), and words of code: in backticks, or with an underscore, a point or `::` between
          letters, `()`, or a capital after a small letter. A function word counts only where it is written in capitals
          ("US", "IT") and is not "I".

Two questions are near-duplicates where
- the Jaccard index of their content words is at least the threshold,
- their signs are the same, and
- every name of each is among the words of the other.

So "revenue in 2018" and "revenue in 2019", or the same question about Flask and about Django, are two questions,
however alike the rest is. Questions with the same normal form are always near-duplicates.

The index is exact. Sets x and y of Jaccard t or more have at least ceil(t * |x|) words in common, so that, with all
words in one fixed order, they share one of the first |x| - ceil(t * |x|) + 1 words of x and of as many of y (prefix
filter). The order is: words that were seen later first, since these are rare. Only questions that share such a word,
and all signs, are compared.

    R. J. Bayardo, Y. Ma, R. Srikant, Scaling up all pairs similarity search, 2007.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from goldproof.errors import InputError
from goldproof.text.near_duplicates import normal_text
from goldproof.text.tokens import FUNCTION_WORDS, words

if TYPE_CHECKING:
    from collections.abc import Iterable

_NUMBERS = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million
    millions billion billions trillion trillions dozen half quarter once twice double triple single first second third
    fourth fifth sixth seventh eighth ninth tenth last next previous
"""
_MEASURES = """
    average difference mean median percent percentage proportion ratio sum total
    best worst earliest latest greatest largest smallest highest lowest longest shortest oldest youngest maximum minimum
    decrease decreased increase increased
"""
_TURNS = """
    who whom whose when where why how no not nor neither never none nothing cannot without except other before after
    above below under over more less fewer most least up down
"""
_OPENERS = """
    according approximately assuming based calculate compare compute considering define describe determine discuss
    estimate excluding explain find following give given identify including list name outline provide regarding show
    state suppose tell using
"""
_SIGNS = frozenset((_NUMBERS + _MEASURES + _TURNS).split())
_OPENINGS = frozenset(_OPENERS.split())
_DIGIT = re.compile(r"\d")
_CODE = re.compile(r"`|_|\(\)|::|[^\W\d_]\.[^\W\d_]")
_SENTENCE_END = (".", "?", "!", ":")


@dataclass(frozen=True, slots=True)
class QuestionForm:
    """The comparable form of a question; its parts are defined in the module's docstring."""

    content: frozenset[str]
    spoken: frozenset[str]
    signs: frozenset[str]
    names: frozenset[str]


def question_form(question: str) -> QuestionForm:
    """Return the comparable form of a question."""
    normal = normal_text(question) or ""
    spoken = frozenset([word.removesuffix("'s") for word in words(normal)])
    signs = (spoken & _SIGNS).union([word for word in spoken if not word.isalpha() and _turns(word)])
    content = spoken - FUNCTION_WORDS
    return QuestionForm(
        content=(content - signs) or content or spoken or frozenset([normal]),
        spoken=spoken,
        signs=signs,
        names=_names(question) & spoken,
    )


def _turns(word: str) -> bool:
    return word.endswith("n't") or _DIGIT.search(word) is not None


def _names(question: str) -> frozenset[str]:
    text = unicodedata.normalize("NFKC", question)
    code = _CODE.search(text) is not None
    pieces = text.split()
    names: set[str] = set()
    for place, (piece, small) in enumerate(zip(pieces, text.lower().split(), strict=True)):
        if piece != small or (code and _CODE.search(piece)):
            begins = place == 0 or pieces[place - 1].endswith(_SENTENCE_END)
            names.update(_names_in(piece, begins=begins))
    return frozenset(names)


def _names_in(piece: str, *, begins: bool) -> list[str]:
    spoken = [word.removesuffix("'s") for word in words(piece)]
    capitals = piece[1:] != piece[1:].lower() or (piece.isupper() and not begins and spoken != ["i"])
    if capitals or _CODE.search(piece):
        return spoken
    return [word for word in spoken if word not in FUNCTION_WORDS and not (begins and word in _OPENINGS)]


EQUAL = 1.0
"""The threshold at which only questions of the same words are near-duplicates."""
_BUCKETS = 1 << 18
_PRIME = (1 << 61) - 1
_MIX = 0x9E3779B97F4A7C1


def near_duplicates(a: QuestionForm, b: QuestionForm, *, threshold: float) -> bool:
    """Return whether two questions are near-duplicates: the definition, which the index keeps to."""
    if a.signs != b.signs or not a.names <= b.spoken or not b.names <= a.spoken:
        return False
    return len(a.content & b.content) >= exact_share(threshold) * len(a.content | b.content)


def exact_share(threshold: float) -> Fraction:
    """Return the threshold as an exact fraction: 0.85 is 17/20, and not the float next to it."""
    if not 0 < threshold <= 1:
        raise InputError(
            f"near_duplicates is {threshold:g}, expected a similarity above 0 and at most 1, such as 0.85."
        )
    return Fraction(repr(float(threshold)))


class QuestionIndex:
    """Index of questions in their order: `add` keeps a question that repeats none before it, `keep` keeps any.

    Of a question that is kept the index holds its id and numbers for its words, and not its text.
    """

    def __init__(self, threshold: float) -> None:
        share = exact_share(threshold)
        self._above, self._below = share.numerator, share.denominator
        self._ids: list[str] = []
        self._numbers = _Numbers()
        self._groups: dict[bytes, int] = {}
        self._group = array("i")
        self._content = _Rows()
        self._spoken = _Rows()
        self._names = _Rows()
        # Entries of one bucket form a chain: newest -> the one before -> ... -> -1. An entry is a question.
        self._newest = array("i", [-1]) * _BUCKETS
        self._before = array("i")
        self._question = array("i")

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, id: str, question: str) -> str | None:  # noqa: A002 - it is the id of a sample
        """Return the id of the first question kept that this one repeats; else None, and this one is kept."""
        asked = self._asked(question_form(question))
        repeated = self._found(asked)
        if repeated is None:
            self._keep(id, asked)
        return repeated

    def keep(self, id: str, question: str) -> None:  # noqa: A002 - it is the id of a sample
        """Keep a question even if it repeats an earlier one, so that what repeats only this one is found too.

        One that says the very same as a question kept before finds nothing more, and is not kept again.
        """
        asked = self._asked(question_form(question))
        if not any(self._same(asked, number) for number in self._candidates(self._buckets(asked))):
            self._keep(id, asked)

    def find(self, question: str) -> str | None:
        """Return the id of the first question kept that this one would repeat, or None; nothing is kept."""
        return self._found(self._asked(question_form(question)))

    def _found(self, asked: _NumberedQuestion) -> str | None:
        candidates = sorted(self._candidates(self._buckets(asked)))
        return next((self._ids[n] for n in candidates if self._repeats(asked, n)), None)

    def _asked(self, form: QuestionForm) -> _NumberedQuestion:
        signs = array("i", sorted(self._numbers.of(form.signs))).tobytes()
        return _NumberedQuestion(
            content=sorted(self._numbers.of(form.content), reverse=True),
            spoken=self._numbers.of(form.spoken),
            names=self._numbers.of(form.names),
            group=self._groups.setdefault(signs, len(self._groups)),
        )

    def _buckets(self, asked: _NumberedQuestion) -> list[int]:
        """Return the buckets of questions that have the same signs and one of the first words."""
        size = len(asked.content)
        needed = -(-self._above * size // self._below)
        return [
            (asked.group * _MIX + number) * _MIX % _PRIME % _BUCKETS for number in asked.content[: size - needed + 1]
        ]

    def _candidates(self, buckets: list[int]) -> set[int]:
        numbers: set[int] = set()
        for bucket in buckets:
            entry = self._newest[bucket]
            while entry >= 0:
                numbers.add(self._question[entry])
                entry = self._before[entry]
        return numbers

    def _repeats(self, asked: _NumberedQuestion, number: int) -> bool:
        if asked.group != self._group[number]:
            return False
        content = self._content[number]
        common = len(set(asked.content).intersection(content))
        return (
            common * self._below >= self._above * (len(asked.content) + len(content) - common)
            and set(self._spoken[number]).issuperset(asked.names)
            and set(asked.spoken).issuperset(self._names[number])
        )

    def _same(self, asked: _NumberedQuestion, number: int) -> bool:
        return (
            asked.group == self._group[number]
            and set(asked.content) == set(self._content[number])
            and set(asked.spoken) == set(self._spoken[number])
            and set(asked.names) == set(self._names[number])
        )

    def _keep(self, name: str, asked: _NumberedQuestion) -> None:
        for bucket in self._buckets(asked):
            self._before.append(self._newest[bucket])
            self._newest[bucket] = len(self._question)
            self._question.append(len(self._ids))
        self._ids.append(name)
        self._group.append(asked.group)
        self._content.append(asked.content)
        self._spoken.append(asked.spoken)
        self._names.append(asked.names)


class _NumberedQuestion(NamedTuple):
    """A question in numbers: its words, the newest first in `content`, and the group of questions with its signs."""

    content: list[int]
    spoken: list[int]
    names: list[int]
    group: int


class _Numbers(dict[str, int]):
    """Words and their numbers; a new word gets the next. Which number a word has decides about speed only."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number

    def of(self, words: Iterable[str]) -> list[int]:
        return list(map(self.__getitem__, words))


class _Rows:
    """Rows of numbers, one behind the other."""

    def __init__(self) -> None:
        self._values = array("i")
        self._ends = array("q", [0])

    def append(self, row: list[int]) -> None:
        self._values.extend(row)
        self._ends.append(len(self._values))

    def __getitem__(self, number: int) -> array[int]:
        return self._values[self._ends[number] : self._ends[number + 1]]
