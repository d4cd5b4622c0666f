"""Does this context contain this answer? Decided by rules, offline, without a model.

An answer is a date, a number, or else text; each is looked for by its meaning:

- text stands as whole words (`goldproof.judge.text_answer`); code identifiers as whole names, case included;
- a number is stated with a unit, scale and precision that fit (`goldproof.judge.number_answer`);
- a date is stated as precisely or more precisely: "1817" is answered by "Dec. 10, 1817", not the other way round;
- a list, written as such (`"['2019', '2018']"`), with semicolons or, for numbers, dates and three items or more, with
  commas, is there when all its values are;
- an alias stands for the answer; an alias that could not be judged itself ("NO" for Norway) is passed over.

Finding the words does not prove that they answer the question: a context that holds an answer may still be about
something else. "absent" is likewise only said of this context. Where neither can be said the rule abstains:

- an empty answer;
- yes, no, true, false and the like;
- a function word in lower case: "it" and "us" are aliases of countries;
- a single digit (also as a word, or printed 7.0) without unit or scale, and a single letter: most texts have them;
- text of more than ten words, or of more than one sentence, that does not stand there to the word: it can be said in
  other words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

from goldproof.judge.date_answer import find_date
from goldproof.judge.number_answer import find_number
from goldproof.judge.text_answer import find_phrase
from goldproof.text.answer_lists import answer_values
from goldproof.text.dates import parse_date
from goldproof.text.numbers import parse_quantity
from goldproof.text.spans import find_words
from goldproof.text.words import FUNCTION_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.text.dates import FoundDate
    from goldproof.text.numbers import Quantity
    from goldproof.text.spans import Span

Verdict = Literal["present", "absent", "abstained"]
How = Literal["text", "number", "date", "identifier", "alias", "list"]

_UNDECIDABLE: Final = frozenset({"yes", "no", "true", "false", "y", "n", "none", "n/a", "na", "unknown", "null", "nan"})
_DIGITS: Final = frozenset(map(Decimal, range(10)))
_MOST_WORDS: Final = 10
_SENTENCES: Final = re.compile(r"[a-z)\]\"'][.!?]\s+[A-Z]")
_PARTING: Final = re.compile(r"\s*;\s*|\s*\n\s*")
_COMMAS: Final = re.compile(r"\s*,\s+(?:and\s+)?|\s+and\s+")


@dataclass(frozen=True, slots=True)
class AnswerFinding:
    """Whether a context holds an answer.

    spans: where, one for each value of the answer, in its order; empty unless present. how: by which rule it was found;
    reason: why nothing is said, where the verdict is "abstained".
    """

    verdict: Verdict
    spans: tuple[Span, ...] = ()
    how: How | None = None
    reason: str = ""

    @property
    def span(self) -> Span | None:
        """Where the answer stands, of a list its first value; None unless present."""
        return self.spans[0] if self.spans else None


_ABSENT: Final = AnswerFinding("absent")


def find_answer(answer: str, context: str, *, aliases: Sequence[str] = (), is_name: bool = False) -> AnswerFinding:
    """Say whether the context contains the answer, and where.

    is_name: the answer is the name of something in code, so that `Progress` is not "progress".
    """
    found = _find_name(answer, context) if is_name else _find(answer, context)
    if found.verdict == "present":
        return found
    for alias in aliases:
        other = _find(alias, context)
        if other.verdict == "present":
            return AnswerFinding("present", other.spans, "alias")
    return found


def _find_name(name: str, context: str) -> AnswerFinding:
    span = find_words(name.strip(" \t\r\n`").removesuffix("()"), context, whole_words=True, same_case=True)
    return _ABSENT if span is None else AnswerFinding("present", (span,), "identifier")


def _find(answer: str, context: str) -> AnswerFinding:
    values = answer_values(answer)
    if len(values) != 1:
        return _find_all(values, context) if values else _abstained("empty answer")
    found = _find_value(values[0], context)
    parts = _parts(values[0]) if found.verdict != "present" else ()
    listed = _find_all(parts, context) if parts else found
    # A long sentence with commas is no list: that its parts are missing says nothing.
    return listed if listed.verdict == "present" or found.verdict == "absent" else found


def _find_all(values: tuple[str, ...], context: str) -> AnswerFinding:
    findings = []
    for value in values:
        findings.append(_find_value(value, context))
        if findings[-1].verdict == "absent":
            return findings[-1]
    unsure = next((finding for finding in findings if finding.verdict == "abstained"), None)
    return unsure or AnswerFinding("present", tuple(span for finding in findings for span in finding.spans), "list")


def _find_value(value: str, context: str) -> AnswerFinding:
    reading = _read(value)
    if reading.reason:
        return _abstained(reading.reason)
    if reading.date is not None and (span := find_date(reading.date, value, context)):
        return AnswerFinding("present", (span,), "date")
    if reading.quantity is not None and (span := find_number(reading.quantity, context)):
        return AnswerFinding("present", (span,), "number")
    if reading.date is not None or reading.quantity is not None:
        return _ABSENT
    phrase = find_phrase(value, context)
    if phrase is not None:
        return AnswerFinding("present", (phrase[0],), phrase[1])
    return _abstained("long answer") if reading.long else _ABSENT


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a value is: a reason to abstain, a date, a number (a year is both), or text."""

    reason: str = ""
    date: FoundDate | None = None
    quantity: Quantity | None = None
    long: bool = False


@lru_cache(maxsize=1024)
def _read(value: str) -> _Reading:
    bare = value.strip(" \t\r\n.\"'`").casefold()
    if not bare:
        return _Reading("empty answer")
    if bare in _UNDECIDABLE:
        return _Reading("yes or no")
    if len(bare) == 1 and bare.isalpha():
        return _Reading("single letter")
    if value.strip() in FUNCTION_WORDS:
        return _Reading("function word")
    quantity = parse_quantity(value)
    if quantity is not None and _is_single_digit(quantity):
        return _Reading("single digit")
    long = len(value.split()) > _MOST_WORDS or _SENTENCES.search(value) is not None
    return _Reading(date=parse_date(value), quantity=quantity, long=long)


def _is_single_digit(quantity: Quantity) -> bool:
    """Say whether nothing but one digit is left to look for; datasets print 1 as 1.0 too."""
    return not quantity.unit and not quantity.scale and quantity.value.copy_abs() in _DIGITS


@lru_cache(maxsize=1024)
def _parts(value: str) -> tuple[str, ...]:
    """Return the values of a list in running text, nothing where it is none."""
    parts = tuple(part for part in _PARTING.split(value.strip()) if part)
    if len(parts) > 1:
        return parts
    parts = tuple(part for part in _COMMAS.split(value.strip()) if part)
    readings = [_read(part) for part in parts]
    exact = all(reading.date or reading.quantity for reading in readings)
    return parts if len(parts) > 2 or (len(parts) == 2 and exact) else ()


def _abstained(reason: str) -> AnswerFinding:
    return AnswerFinding("abstained", reason=reason)
