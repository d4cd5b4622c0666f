"""Read numerals and number words, with the signs, scales and units around them.

Numerals. A run is digits with single joints between them: points, commas, apostrophes, narrow blanks, slashes, colons,
dashes. It is one number where the joints are thousands separators (1,234,567, Indian 12,34,567, 1'234, 1 234 with a
no-break blank) and at most one decimal point. A decimal comma is read only where nothing else is possible: after points
as thousands separators (1.234,56), or before one or two digits where a unit shows that it is one number ("12,5 %"). Two
numbers with a dash are a range, and with a comma that groups nothing a list ("2018,2019"), unless a piece would be no
number by itself ("1,000,00": 000). Anything else (12/31/06, 10:30, 1.2.3, 555-12-34) is no number, and is never torn
into some.

Number words. Ordinals ("twenty-first") are not numbers. A lone scale word ("million") is none either; "a million" is.
Words in a row that do not make one number ("two three", a year read aloud) are left alone.

Scales and units. The letters k, K, M, MM, mn, bn and B are scales; m, mm, b, t, tn and T only after a currency, since
they are metres and tonnes elsewhere, and so is any single letter after a blank. A currency sign after a number must
touch it ("12€"), except "€" at the end of a phrase: in a row of a table, "533 $ 412", the sign belongs to the next
number.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Final, NamedTuple

from goldproof.text.quantity import SCALES, shifted

if TYPE_CHECKING:
    from collections.abc import Iterator


_NARROW: Final = "\u00a0\u2009\u202f"

_APOSTROPHE: Final = "'\u2019"

# For use inside the brackets of a pattern.
DASHES: Final = r"\-\u2010\u2011\u2012\u2013\u2212"

MOST_DIGITS: Final = 40

RUN: Final = re.compile(rf"[0-9]+(?:[.,/:{_APOSTROPHE}{_NARROW}{DASHES}][0-9]+)*")

_GROUPS: Final = (
    rf"[0-9]{{1,3}}(?:,[0-9]{{3}})+|[0-9]{{1,2}}(?:,[0-9]{{2}})+,[0-9]{{3}}"
    rf"|[0-9]{{1,3}}(?:[{_NARROW}][0-9]{{3}})+|[0-9]{{1,3}}(?:[{_APOSTROPHE}][0-9]{{3}})+"
)

_NUMERAL: Final = re.compile(rf"({_GROUPS}|[0-9]+)(?:\.([0-9]+))?")

_EUROPEAN: Final = re.compile(rf"([0-9]{{1,3}}(?:\.[0-9]{{3}})+|[0-9]{{1,3}}(?:[{_NARROW}][0-9]{{3}})+),([0-9]{{1,2}})")

_DECIMAL_COMMA: Final = re.compile(r"([0-9]+),([0-9]{1,2})")

_POINT_GROUPS: Final = re.compile(r"([0-9]{1,3}(?:\.[0-9]{3}){2,})()")

_SEPARATORS: Final = re.compile(rf"[.,{_APOSTROPHE}{_NARROW}]")

_RANGE: Final = re.compile(rf"([0-9][0-9.,]*)[{DASHES}]([0-9][0-9.,]*)")

_PADDED: Final = re.compile(r"0[0-9]")  # how no number begins that stands for itself

_OTHER_JOINT: Final = re.compile(rf"[/:{DASHES}]")

_SHORT_YEAR_RANGE: Final = re.compile(rf"((?:1[0-9]|20)[0-9]{{2}})[{DASHES}][0-9]{{2}}")


class Numeral(NamedTuple):
    """A number without sign, unit or scale, as printed at `start` to `end`; grouped: it has thousands separators."""

    value: Decimal
    decimals: int
    grouped: bool
    start: int
    end: int


def is_numeral(run: str) -> bool:
    """Say whether a run is one number whatever stands beside it."""
    return _NUMERAL.fullmatch(run) is not None


def numerals_of(run: str, *, at: int, unit_near: bool) -> list[Numeral]:
    """Return the numbers of a run that begins at a place of the text; none where it is something else.

    unit_near: a currency or percent sign stands beside it, so that it is one number.
    """
    if run.isdigit():
        return _kept(_numeral(run, "", at=at, printed=run))
    match = _NUMERAL.fullmatch(run) or _EUROPEAN.fullmatch(run)
    if match is None and unit_near:
        match = _DECIMAL_COMMA.fullmatch(run) or _POINT_GROUPS.fullmatch(run)
    if match is not None:
        return _kept(_numeral(match[1], match[2] or "", at=at, printed=run))
    return _several(run, at=at)


def _several(run: str, *, at: int) -> list[Numeral]:
    if year := _SHORT_YEAR_RANGE.fullmatch(run):
        return numerals_of(year[1], at=at, unit_near=False)
    if span := _RANGE.fullmatch(run):
        parts = [_NUMERAL.fullmatch(span[1]), _NUMERAL.fullmatch(span[2])]
        if not all(parts):
            return []
        return [n for i in (1, 2) for n in numerals_of(span[i], at=at + span.start(i), unit_near=False)]
    if _OTHER_JOINT.search(run) or run.count(".") > 1:
        return []
    return _listed(run, at=at)


def _listed(run: str, *, at: int) -> list[Numeral]:
    """Return the numbers of a list without blanks ("2018,2019"): a comma that groups nothing parts two numbers."""
    listed: list[Numeral] = []
    for piece in re.finditer(r"[^,]+", run):
        if _NUMERAL.fullmatch(piece[0]) is None or _PADDED.match(piece[0]):
            return []
        listed += numerals_of(piece[0], at=at + piece.start(), unit_near=False)
    return listed


def _numeral(whole: str, decimals: str, *, at: int, printed: str) -> Numeral:
    digits = _SEPARATORS.sub("", whole)
    value = Decimal(f"{digits}.{decimals}" if decimals else digits)
    return Numeral(value, len(decimals), digits != whole, at, at + len(printed))


def _kept(numeral: Numeral) -> list[Numeral]:
    # Longer runs of digits are keys and hashes, not amounts.
    return [numeral] if numeral.end - numeral.start <= MOST_DIGITS else []


_TEENS: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)

_ONES: Final = {word: value for value, word in enumerate(_TEENS.split())}

_TENS_WORDS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"

_TENS: Final = {word: 10 * value for value, word in enumerate(_TENS_WORDS.split(), start=2)}

_SMALL: Final = _ONES | _TENS

_LARGE: Final = {word: 10**places for word, places in SCALES.items() if places > 2}

_WORD: Final = "|".join([*_SMALL, "hundred", *(f"{word}s?" for word in _LARGE)])

_FIRST: Final = rf"{'|'.join(_SMALL)}|an?(?= (?:hundred|{'|'.join(_LARGE)})\b)"

_ORDINAL: Final = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth"

_PHRASE: Final = re.compile(
    # The letters with which numbers begin rule out most words at once.
    rf"(?<![\w.-])(?=[aefnostz])(?:{_FIRST})(?:(?: ?- ?| (?:and )?)(?:{_WORD})(?![^\W_]))*(?![^\W_])"
    rf"(?!-(?:{_ORDINAL})\b)",
    re.IGNORECASE,
)

_LETTERS: Final = re.compile(r"[a-z]+")

_LONGEST: Final = 200


class Spelled(NamedTuple):
    """A number in words: its value, the scale word that ends it, and where it stands."""

    value: Decimal
    scale: str
    start: int
    end: int


def spelled_numbers(text: str) -> Iterator[Spelled]:
    """Yield the numbers that are written in words, in order."""
    for phrase in _PHRASE.finditer(text):
        words = _words(phrase[0])
        value = _value(words) if len(phrase[0]) <= _LONGEST else None
        if value is not None:
            scale = words[-1] if words[-1] in _LARGE else ""
            yield Spelled(_at_scale(value, scale), scale, phrase.start(), phrase.end())


def first_word(value: int) -> str:
    """Return the word with which a number begins when it is written out: "twenty" for 25 and for 20,000."""
    while value >= 1000:
        value //= 1000
    lead = value // 100 if value >= 100 else value
    lead = lead if lead < 20 else lead // 10 * 10
    return next(word for word, number in _SMALL.items() if number == lead)


def _words(phrase: str) -> list[str]:
    written = _LETTERS.findall(phrase.lower())
    first, *rest = ("one" if word in ("a", "an") else word for word in written)
    return [first, *(word[:-1] if word[:-1] in _LARGE else word for word in rest if word != "and")]


def _value(words: list[str]) -> int | None:
    """Return the number that the words make, None where they make none."""
    total = group = 0
    last, smallest = "", 10**15
    for word in words:
        if word in _LARGE:
            if not group or _LARGE[word] >= smallest:
                return None
            total, group, smallest = total + group * _LARGE[word], 0, _LARGE[word]
        elif word == "hundred":
            if not 0 < group < 100:
                return None
            group *= 100
        elif not _may_follow(word, last):
            return None
        else:
            group += _SMALL[word]
        last = word
    return total + group


def _may_follow(word: str, last: str) -> bool:
    # A pattern without case also matches a dotless i, which makes no number.
    if word not in _SMALL or last in _ONES:
        return False
    return last not in _TENS or 0 < _SMALL[word] < 10


def _at_scale(value: int, scale: str) -> Decimal:
    """Return the value with the precision of its scale word: five million is 5E+6."""
    places = SCALES[scale]
    return shifted(Decimal(value // 10**places), places)


BLANKS: Final = (" ", "\u00a0")

_CODES: Final = "USD|EUR|GBP|JPY|CNY|RMB|INR|CHF|CAD|AUD|HKD|NZD|SGD|TWD|SEK|NOK|DKK|KRW|BRL|ZAR|MXN"

_SIGNS: Final = r"(?<![^\W_])(?:US|CA|C|AU|A|HK|NZ|NT|S|R)\$|[$€£¥₹₩]"

_CURRENCY: Final = rf"(?:{_SIGNS}|(?<![^\W_])(?:{_CODES}|Rs\.?))"

# A dash after a word or a number joins or ranges; it is no sign.
_SIGN: Final = rf"(?<![\w)%{DASHES}])[{DASHES}+]"

_BEFORE: Final = re.compile(
    rf"(?P<sign>{_SIGN})?(?:(?P<unit>{_CURRENCY})[ \u00a0]?)?(?P<open>\([ \u00a0]?)?"
    rf"(?P<sign2>{_SIGN})?(?:(?P<unit2>{_CURRENCY})[ \u00a0]?)?(?P<sign3>(?<=[$€£¥₹])[{DASHES}])?"
    r"(?P<point>(?<![\w.])\.)?\Z"
)

_PREFIX_ENDS: Final = frozenset("$€£¥₹₩(+.-\u2010\u2011\u2012\u2013\u2212")

_LONGEST_BEFORE: Final = 16

_LETTER_SCALES: Final = {
    **dict.fromkeys(("k", "K"), "thousand"),
    **dict.fromkeys(("M", "MM", "mn", "Mn", "mln", "m", "mm"), "million"),
    **dict.fromkeys(("bn", "Bn", "BN", "B", "b"), "billion"),
    **dict.fromkeys(("tn", "T", "t"), "trillion"),
}

_ONLY_MONEY: Final = frozenset({"m", "mm", "b", "t", "T", "tn"})

_END: Final = r"(?![^\W_])"

_SCALE: Final = re.compile(
    rf"[ \u00a0-]?((?i:hundred|thousand|lakh|million|crore|billion|trillion))s?{_END}"
    rf"|(k|K|MM|M|mn|Mn|mln|mm|m|bn|Bn|BN|B|b|tn|T|t){_END}|[ \u00a0](MM|mn|mln|bn|[kKmMbBT]){_END}"
)

_UNIT: Final = re.compile(
    rf"(?P<percent>[ \u00a0]?[%\uff05]|[ \u00a0-]?(?i:percent|pct|per\scent){_END})(?P<points>[\s-](?i:points?){_END})?"
    rf"|(?P<pp>[ \u00a0-]?(?i:percentage[\s-]points?|pp|ppts?){_END})"
    rf"|(?P<bps>[ \u00a0-]?(?i:bps|basis[\s-]points?|bp){_END})"
    r"|(?P<sign>[$€£¥])(?![\w(])|[ \u00a0](?P<euro>€)(?![ \u00a0]?[\w(])"
    rf"|[ \u00a0]?(?P<code>{_CODES}){_END}(?![ \u00a0]?[0-9])"
    rf"|[ \u00a0](?:(?i:us)\s)?(?P<name>(?i:dollar|euro|rupee|yen))s?{_END}|(?P<times>[x×])(?!\w)"
)

_NAMES: Final = {"dollar": "$", "euro": "€", "rupee": "₹", "yen": "¥"}

_CLOSE: Final = re.compile(r"[ \u00a0]?\)")


class Before(NamedTuple):
    """Signs, currency and bracket before a numeral, from `start` on.

    bracket: where an opening bracket stands; unit_outside: the currency stands before the bracket.
    point: a decimal point without a digit before it.
    """

    start: int
    negative: bool
    unit: str
    bracket: int | None
    unit_outside: bool
    point: bool

    def inside(self, text: str) -> Before:
        """Return the same without what stands before the opening bracket."""
        if self.bracket is None:
            return self
        start = self.bracket + 1 + (text[self.bracket + 1 : self.bracket + 2] in BLANKS)
        return self._replace(start=start, bracket=None, unit="" if self.unit_outside else self.unit, unit_outside=False)


class After(NamedTuple):
    """Scale, unit and bracket after a numeral, up to `end`; outside: scale or unit follow the closed bracket."""

    end: int
    scale: str
    unit: str
    closed: bool
    outside: bool


def read_before(text: str, start: int) -> Before:
    """Read signs, currency and bracket before the place where the digits start."""
    prefix = _BEFORE.search(text, max(0, start - _LONGEST_BEFORE), start) if _may_have_prefix(text, start) else None
    if prefix is None:
        return Before(start, negative=False, unit="", bracket=None, unit_outside=False, point=False)
    marks = (prefix["sign"], prefix["sign2"], prefix["sign3"])
    return Before(
        start=prefix.start(),
        negative=any(mark is not None and "+" not in mark for mark in marks),
        unit=(prefix["unit"] or prefix["unit2"] or "").rstrip("."),
        bracket=prefix.start("open") if prefix["open"] else None,
        unit_outside=bool(prefix["unit"] and prefix["open"]),
        point=bool(prefix["point"]),
    )


def _may_have_prefix(text: str, start: int) -> bool:
    """Say quickly whether a sign, currency or bracket can end before the digits; mostly a word and a blank do."""
    before = text[start - 2 : start] if start > 1 else text[:start]
    last = before[:1] if before[1:] in BLANKS else before[-1:]
    return last in _PREFIX_ENDS or last.isupper() or (last == "s" and "Rs" in text[max(0, start - 3) : start])


def read_after(text: str, end: int, *, money: bool, bracket: bool) -> After:
    """Read scale, unit and, where one was opened, the closing bracket after the place where the digits end."""
    if end == len(text):
        return After(end, scale="", unit="", closed=False, outside=False)
    stop, scale, unit = _scale_and_unit(text, end, money=money)
    close = _CLOSE.match(text, stop) if bracket else None
    if close is None or scale or unit:
        return After(close.end() if close else stop, scale, unit, closed=close is not None, outside=False)
    stop, scale, unit = _scale_and_unit(text, close.end(), money=money)
    return After(stop, scale, unit, closed=True, outside=bool(scale or unit))


def _scale_and_unit(text: str, end: int, *, money: bool) -> tuple[int, str, str]:
    scale = ""
    match = _SCALE.match(text, end)
    if match is not None:
        letter = match[2] or match[3]
        scale = match[1].lower() if match[1] else _LETTER_SCALES[letter]
        parted = match[3] is not None and len(letter) == 1
        if (letter in _ONLY_MONEY or parted) and not money:
            return end, "", ""
        end = match.end()
    unit = _UNIT.match(text, end)
    if unit is None or (money and not unit["name"]):
        return end, scale, ""
    return unit.end(), scale, _unit_name(unit)


def _unit_name(unit: re.Match[str]) -> str:
    if unit["percent"]:
        return "percentage points" if unit["points"] else "percent"
    if unit["pp"]:
        return "percentage points"
    if unit["bps"]:
        return "bps"
    if unit["name"]:
        return _NAMES[unit["name"].lower()]
    return "x" if unit["times"] else unit["sign"] or unit["euro"] or unit["code"]
