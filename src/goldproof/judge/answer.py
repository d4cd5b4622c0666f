"""The answer rule: whether a text contains an answer, by its meaning as text, number, date or list.

- text stands as whole words; code identifiers as whole names, case included;
- a number is stated with a unit, scale and precision that fit (`goldproof.judge.number_answer`);
- a date is stated as precisely or more precisely: "1817" is answered by "Dec. 10, 1817", not the other way round;
- a list, written as such (`"['2019', '2018']"`), with semicolons or, for numbers, dates and three items or more, with
  commas, is present when all its values are;
- an alias stands for the answer; an alias on which the rule would abstain ("NO" for Norway) is skipped.

Finding the words does not prove that they answer the question: a context that holds an answer may still be about
something else. "absent" is likewise only said of this context. The rule abstains on

- an empty answer;
- yes, no, true, false and the like;
- a function word in lower case: "it" and "us" are aliases of countries;
- a single digit (also as a word, or printed 7.0) without unit or scale, and a single letter: most texts have them;
- text of more than ten words, or of more than one sentence, that does not stand there to the word: it can be said in
  other words.

Text: "art" is not in "start", and `get_proxy` not in `get_proxy_url`. Case, blanks, quotation marks and dashes may
differ (`goldproof.text.spans`), and an article before the phrase or a full stop after it may be missing. Case counts
for code identifiers (`get_proxy`, `requests.get`, `getProxy`, `LlmAgent`, `src/app.py`), for abbreviations (up to four
capital letters: "US" is not "us") and for names that are function words: "May" is not in "it may rain". At the start of
a sentence every word has a capital letter, so there such a name is found only where no word follows it directly ("May
2019", "May: 12").
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from goldproof.judge.number_answer import find_number
from goldproof.text.dates import find_dates, parse_date
from goldproof.text.numbers import answer_values, parse_quantity
from goldproof.text.spans import Span, find_words
from goldproof.text.tokens import FUNCTION_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from goldproof.text.dates import FoundDate
    from goldproof.text.quantity import Quantity

Verdict = Literal["present", "absent", "abstained"]
How = Literal["text", "number", "date", "identifier", "alias", "list"]
_UNDECIDABLE: Final = frozenset({"yes", "no", "true", "false", "y", "n", "none", "n/a", "na", "unknown", "null", "nan"})
_DIGITS: Final = frozenset(map(Decimal, range(10)))
_MOST_WORDS: Final = 10
_SENTENCES: Final = re.compile(r"[a-z)\]\"'][.!?]\s+[A-Z]")
_PARTING: Final = re.compile(r"\s*;\s*|\s*\n\s*")
_COMMAS: Final = re.compile(r"\s*,\s+(?:and\s+)?|\s+and\s+")
_ARTICLE: Final = re.compile(r"(?:the|an?)\s+(?=\S)", re.IGNORECASE)
_WRAPPED: Final = " \t\r\n\"'`\u201c\u201d\u2018\u2019"
_ENDS: Final = ".,;:!? \t\r\n"
_ABBREVIATION: Final = re.compile(r"[A-Z][A-Z0-9&]{0,3}")
_OPENING: Final = " \t\"'([\u201c\u2018"
_SENTENCE_ENDS: Final = ("", "\n", "\r", ".", "!", "?")
_LOOK_BACK: Final = 8
_WORD_FOLLOWS: Final = re.compile(r"[^\S\n]+[^\W\d_]")
_IDENTIFIER: Final = re.compile(
    r"(?=\S*[a-z])(?:[\w./:-]*\w_\w[\w./:-]*|_+\w+|[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|[a-z_]\w+(?:(?:\.|::|->)[A-Za-z_]\w+)+|[\w.-]*/[\w./-]+\.\w+|[A-Za-z_][\w.]*\(\))"
)


@dataclass(frozen=True, slots=True)
class AnswerFinding:
    """Whether a context holds an answer.

    spans: where, one for each value of the answer, in its order; empty unless present. how: by which rule it was found.
    reason: why the rule abstains.
    """

    verdict: Verdict
    spans: tuple[Span, ...] = ()
    how: How | None = None
    reason: str = ""

    @property
    def span(self) -> Span | None:
        """Where the answer is, or the first value of a list; None unless present."""
        return self.spans[0] if self.spans else None


_ABSENT: Final = AnswerFinding("absent")


def find_answer(answer: str, context: str, *, aliases: Sequence[str] = (), is_name: bool = False) -> AnswerFinding:
    """Return whether the context contains the answer, and where.

    is_name: the answer is the name of something in code, so that `Progress` is not "progress".
    """
    finding = _find_name(answer, context) if is_name else _find(answer, context)
    if finding.verdict == "present":
        return finding
    for alias in aliases:
        other = _find(alias, context)
        if other.verdict == "present":
            return AnswerFinding("present", other.spans, "alias")
    return finding


def _find_name(name: str, context: str) -> AnswerFinding:
    span = find_words(name.strip(" \t\r\n`").removesuffix("()"), context, whole_words=True, same_case=True)
    return _ABSENT if span is None else AnswerFinding("present", (span,), "identifier")


def _find(answer: str, context: str) -> AnswerFinding:
    values = answer_values(answer)
    if len(values) != 1:
        return _find_all(values, context) if values else _abstained("empty answer")
    whole = _find_value(values[0], context)
    parts = _parts(values[0]) if whole.verdict != "present" else ()
    listed = _find_all(parts, context) if parts else whole
    # A long sentence with commas is no list: that its parts are missing says nothing.
    return listed if listed.verdict == "present" or whole.verdict == "absent" else whole


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


def _abstained(reason: str) -> AnswerFinding:
    return AnswerFinding("abstained", reason=reason)


@dataclass(frozen=True, slots=True)
class _Reading:
    """A value as a reason to abstain, a date, a number (a year is both), or text."""

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
    """Return whether the value is a bare digit; datasets print 1 as 1.0 too."""
    return not quantity.unit and not quantity.scale and quantity.value.copy_abs() in _DIGITS


@lru_cache(maxsize=1024)
def _parts(value: str) -> tuple[str, ...]:
    """Return the values of a list in running text; none where it is no list."""
    parts = tuple(part for part in _PARTING.split(value.strip()) if part)
    if len(parts) > 1:
        return parts
    parts = tuple(part for part in _COMMAS.split(value.strip()) if part)
    readings = [_read(part) for part in parts]
    exact = all(reading.date or reading.quantity for reading in readings)
    return parts if len(parts) > 2 or (len(parts) == 2 and exact) else ()


class Phrase(NamedTuple):
    """The text to look for, and how."""

    text: str
    how: Literal["text", "identifier"]
    same_case: bool
    function_word: bool = False


def find_phrase(answer: str, context: str) -> tuple[Span, Literal["text", "identifier"]] | None:
    """Return where the answer occurs as whole words, and what it was taken for; None where it does not."""
    phrase = phrase_of(answer)
    if phrase.function_word:
        return next(((span, phrase.how) for span in _as_a_name(phrase.text, context)), None)
    span = find_words(phrase.text, context, whole_words=True, same_case=phrase.same_case)
    return None if span is None else (span, phrase.how)


@lru_cache(maxsize=1024)
def phrase_of(answer: str) -> Phrase:
    """Return the words of an answer that a text must contain, without quotation marks, article and full stop."""
    bare = answer.strip(_WRAPPED).rstrip(_ENDS) or answer.strip()
    if _IDENTIFIER.fullmatch(bare):
        return Phrase(bare.removesuffix("()"), "identifier", same_case=True)
    text = _ARTICLE.sub("", bare, count=1) if _ARTICLE.match(bare) else bare
    if _ABBREVIATION.fullmatch(text):
        return Phrase(text, "text", same_case=True)
    function_word = text.casefold() in FUNCTION_WORDS
    return Phrase(text, "text", same_case=function_word, function_word=function_word)


def _as_a_name(word: str, context: str) -> Iterator[Span]:
    """Yield where a word occurs in its own case, unless it only begins a sentence."""
    for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", context):
        if not (_begins_sentence(context, match.start()) and _WORD_FOLLOWS.match(context, match.end())):
            yield Span(*match.span())


def _begins_sentence(context: str, at: int) -> bool:
    before = context[max(0, at - _LOOK_BACK) : at].rstrip(_OPENING)
    return before[-1:] in _SENTENCE_ENDS


def find_date(wanted: FoundDate, written: str, context: str) -> Span | None:
    """Return where the text states the date, as written in the answer or otherwise; None where it does not."""
    as_written = find_words(written.strip(" \t\r\n."), context, whole_words=True)
    if as_written is not None:
        return as_written
    if not _may_state(wanted, context):
        return None
    for date in dates_of(context):
        if any(reading.holds(stated) for reading in wanted.readings for stated in date.readings):
            return Span(date.start, date.end)
    return None


@lru_cache(maxsize=4)
def dates_of(context: str) -> tuple[FoundDate, ...]:
    """Return the dates of a text; cached, since several values are looked for in the same text."""
    return tuple(find_dates(context))


def _may_state(wanted: FoundDate, context: str) -> bool:
    """Return whether the text has the year, in four digits or in the two that may follow a slash or an FY."""
    years = [f"{reading.year:04d}" for reading in wanted.readings if reading.year is not None]
    return not years or any(year[2:] in context for year in years)
