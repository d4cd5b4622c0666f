r"""Find quantities in financial text, tell them from labels, and read lists of answers.

Quantities. Brackets make a number negative, as accountants write it: `(2.4)`, `$(2.4)`, `(2.4)%`, `(2.4) million`. They
do not

- around a bare whole number up to 20 inside prose: that is a footnote mark and no quantity at all;
- around a year: "(2019)" is 2019;
- around a percent or an amount with its scale inside prose: "rose by $3 million (5.9%)" speaks of a rise.

A table cell (a whole text, or what stands between `|`, tabs or line ends) that is all brackets is negative, except a
year. A number written twice, "5.93% ( 5.93 % )" or "-119 ( 119 )", is one quantity. A dash is a sign where it touches
the number, or its currency, and no word or number before it. Numbers in words count. Years do, without unit. Ordinals,
versions, dates, times, identifiers (`goldproof.text.numerals`) and labels (`is_label`) do not.

Answer lists. The brackets hold quoted strings, or bare numbers and words, parted by commas or blanks. Text that is not
wholly such a list is one value, itself. Python's own reader is not used: it would join `'a' 'b'` (numpy's form) to one
string, and it warns about `\d`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal

from goldproof.text.numerals import (
    DASHES,
    RUN,
    After,
    Before,
    Numeral,
    is_numeral,
    numerals_of,
    read_after,
    read_before,
    spelled_numbers,
)
from goldproof.text.quantity import SCALES, Quantity, shifted

if TYPE_CHECKING:
    from collections.abc import Iterator


_SCIENTIFIC: Final = re.compile(r"[eE]([-+]?[0-9]{1,3})(?![\w.])")

_TWICE: Final = re.compile(r"\s?\(\s(?:[$€£]\s?)?([0-9][0-9.,]*)\s?(?:%\s?)?\)")

_UNIT_NEAR: Final = re.compile(r"\s?(?:[%€]|percent|EUR)")

_THOUSANDS_HEAD: Final = re.compile(r"[$€£¥]\s?['\u2019]?$")

_JOINTS: Final = re.compile(r"[^0-9]+")

_LAST_MARK: Final = 20

_RANGE_END: Final = re.compile(rf"[{DASHES}][$€£]?[0-9][0-9.,]*(?<=[0-9])(?![{DASHES}/:])")

_EDGES: Final = frozenset("|\t\n\r")

_HEDGE: Final = re.compile(
    r"\s*(?:(?:approximately|approx\.?|about|around|roughly|nearly|almost|some|over|under|up to|at least|at most"
    r"|more than|less than|circa|c\.|ca\.)\s+|[~≈]\s*)?",
    re.IGNORECASE,
)

_LONE_DASH: Final = re.compile(rf"[{DASHES}] +")

_GROUP_BLANK: Final = re.compile(r"(?<=[0-9]) (?=[0-9]{3}(?![0-9]))")


def find_quantities(text: str, *, digits: tuple[str, ...] = (), words: bool = True) -> list[Quantity]:
    """Return the quantities of a text in order; they do not overlap.

    digits: leave out figures in whose digits none of these stands, which is much faster where one number is looked for.
    words: look for numbers in words too.
    """
    quantities: list[Quantity] = []
    end = 0
    for numeral in _numerals(text, digits):
        # What was read as the tail of one quantity (its second printing) is not read again.
        quantity = _around(text, numeral) if numeral.start >= end else None
        if quantity is not None:
            quantities.append(quantity)
            end = quantity.end
    return sorted([*quantities, *_in_words(text)], key=lambda quantity: quantity.start) if words else quantities


def parse_quantity(text: str) -> Quantity | None:
    """Return the quantity that the whole text is, None where it is anything else.

    Blanks around it, a word such as "about" before it and a full stop after it are allowed. Only here are ordinary
    blanks thousands separators, and a lone dash a sign: in running text "10 200" may be two cells of a table.
    """
    hedge = _HEDGE.match(text)
    start = hedge.end() if hedge else 0
    end = len(text.rstrip(" \t\r\n.\u00a0"))
    if start >= end or end - start > 120:
        return None
    quantities = find_quantities(text[:end])
    if len(quantities) == 1 and (quantities[0].start, quantities[0].end) in ((start, end), _inside(text, start, end)):
        return replace(quantities[0], start=start, end=end)
    return _spaced(text, start, end)


def _inside(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the place inside the brackets around it, which a year may have."""
    if text[start] != "(" or text[end - 1] != ")":
        return start, end
    body = text[start + 1 : end - 1]
    return end - 1 - len(body.lstrip()), start + 1 + len(body.rstrip())


def _numerals(text: str, digits: tuple[str, ...]) -> Iterator[Numeral]:
    for run in RUN.finditer(text):
        figure = run[0]
        plain = figure.isdigit()
        if digits and not _has_digits(figure if plain else _JOINTS.sub("", figure), digits):
            continue
        start, end = run.span()
        clear = plain or is_numeral(figure)
        near = not clear and (_UNIT_NEAR.match(text, end) or read_before(text, start).unit)
        yield from numerals_of(figure, at=start, unit_near=bool(near))


def _has_digits(figure: str, digits: tuple[str, ...]) -> bool:
    return any(wanted in figure for wanted in digits)


def _around(text: str, numeral: Numeral) -> Quantity | None:
    """Return the quantity of which the numeral is the number, None where it is none."""
    before = read_before(text, numeral.start)
    if before.point and (numeral.grouped or numeral.decimals):
        return None
    number = _raised(text, _pointed(numeral) if before.point else numeral)
    after = read_after(text, number.end, money=bool(before.unit), bracket=before.bracket is not None)
    after = _year_kept(text, number, after=_of_range(text, after, money=bool(before.unit)))
    negative = before.negative
    if before.bracket is not None:
        meaning = _bracket_meaning(text, number, before=before, after=after)
        if meaning == "mark":
            return None
        if meaning == "aside":
            before = before.inside(text)
            after = read_after(text, number.end, money=bool(before.unit), bracket=False)
            after = _of_range(text, after, money=bool(before.unit))
        negative = before.negative or meaning == "negative"
    if _is_no_amount(text, number, before=before, after=after):
        return None
    after = _twice(text, number, after=after, money=bool(before.unit))
    value = number.value.copy_negate() if negative else number.value
    return Quantity(
        value=shifted(value, SCALES[after.scale]),
        unit=before.unit or after.unit,
        scale=after.scale,
        start=before.start,
        end=after.end,
        decimals=number.decimals,
    )


def _bracket_meaning(
    text: str, number: Numeral, *, before: Before, after: After
) -> Literal["negative", "mark", "aside"]:
    if not after.closed:
        return "aside"
    bare = not (number.grouped or number.decimals or after.scale or after.unit or before.unit)
    digits = text[number.start : number.end]
    if bare and is_year(digits):
        return "aside"
    if _is_cell(text, before.start, after.end) or before.unit_outside or after.outside:
        return "negative"
    if bare and number.value <= _LAST_MARK:
        return "mark"
    return "aside" if after.unit or after.scale else "negative"


def _is_cell(text: str, start: int, end: int) -> bool:
    """Say whether nothing else stands between two borders of a table, or in the text."""
    while start and text[start - 1] == " ":
        start -= 1
    while end < len(text) and text[end] == " ":
        end += 1
    return (start == 0 or text[start - 1] in _EDGES) and (end == len(text) or text[end] in _EDGES)


def _is_no_amount(text: str, number: Numeral, *, before: Before, after: After) -> bool:
    if is_torn(text, before.start, after.end):
        return True
    if text[number.start : number.end] == "000" and _THOUSANDS_HEAD.search(
        text[max(0, number.start - 3) : number.start]
    ):
        return True
    if before.unit or after.unit or after.scale or number.grouped:
        return False
    return is_label(text, number.start, number.end)


def _pointed(numeral: Numeral) -> Numeral:
    """Return ".25" for the digits 25 after a point that begins the number."""
    digits = numeral.end - numeral.start
    return numeral._replace(value=shifted(numeral.value, -digits), decimals=digits, start=numeral.start - 1)


def _raised(text: str, numeral: Numeral) -> Numeral:
    """Return the number with its power of ten, where it is printed as 1.5e6."""
    power = _SCIENTIFIC.match(text, numeral.end)
    return numeral if power is None else numeral._replace(value=shifted(numeral.value, int(power[1])), end=power.end())


def _year_kept(text: str, number: Numeral, *, after: After) -> After:
    """Drop a unit parted by a blank from a year: it is a column's heading ("2019 %"), not the year's unit."""
    heading = after.unit and text[number.end : after.end] in (" %", " €")
    if heading and number.end - number.start == 4 and 1900 <= number.value < 2100:
        return After(number.end, scale="", unit="", closed=False, outside=False)
    return after


def _of_range(text: str, after: After, *, money: bool) -> After:
    """Give the first number of a range the scale and percent of the second: "5-10 million", "$5-$10 million"."""
    second = _RANGE_END.match(text, after.end) if not (after.scale or after.unit) else None
    if second is None:
        return after
    tail = read_after(text, second.end(), money=money, bracket=False)
    share = tail.unit if tail.unit in ("percent", "percentage points", "bps") else ""
    return after._replace(scale=tail.scale, unit=share)


def _twice(text: str, number: Numeral, *, after: After, money: bool) -> After:
    """Read over the second printing of the number, and the scale after it."""
    again = _TWICE.match(text, after.end)
    if again is None or [n.value for n in numerals_of(again[1], at=0, unit_near=True)] != [number.value]:
        return after
    tail = read_after(text, again.end(), money=money, bracket=False)
    if after.scale or after.unit == "percent":
        return after._replace(end=again.end())
    return After(tail.end, tail.scale, after.unit or tail.unit, closed=after.closed, outside=after.outside)


def _in_words(text: str) -> Iterator[Quantity]:
    for words in spelled_numbers(text):
        after = read_after(text, words.end, money=False, bracket=False)
        value = shifted(words.value, SCALES[after.scale])
        yield Quantity(value, after.unit, after.scale or words.scale, words.start, after.end, decimals=0)


def _spaced(text: str, start: int, end: int) -> Quantity | None:
    """Read the text as one quantity with blanks inside: "1 234 567", "- 5"."""
    body = _GROUP_BLANK.sub("\u00a0", text[start:end])
    dash = _LONE_DASH.match(body)
    if dash is not None:
        body = body[1 : dash.end()] + body[0] + body[dash.end() :]
    quantities = find_quantities(body)
    lead = dash.end() - 1 if dash else 0
    if body == text[start:end] or len(quantities) != 1 or (quantities[0].start, quantities[0].end) != (lead, len(body)):
        return None
    return replace(quantities[0], start=start, end=end)


_MONTH: Final = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)(?:\.|[a-z]{2,6})?"

_MONTH_BEFORE: Final = re.compile(rf"(?<![^\W_]){_MONTH}\s$", re.IGNORECASE)

_MONTH_AFTER: Final = re.compile(rf"\s(?:of\s)?{_MONTH}(?![^\W_])", re.IGNORECASE)

_DESIGNATOR: Final = re.compile(
    r"(?<![^\W_])(?:(?i:notes?|footnotes?|sections?|pages?|figures?|fig\.|chapters?|appendix|exhibit|version)|Nos?\.|no\.|№"
    r"|Level|Item|Topic|Op\.|BWV|IFRS|IAS|ASC|ASU|SFAS|FAS|FIN|ISO|RFC|Rule|Form|Tier|Phase)\s?$"
)

_LONGEST: Final = 12

# After digits: a letter or digit ("5th", "1990s", "0x1f"), "10-K" are no amounts.
_TORN_AFTER: Final = re.compile(r"[^\W_]|_\w|-[A-Z](?![a-z])")

_TORN_BEFORE: Final = re.compile(r"(?:[^\W_]|\w_|[^\W0-9_][.'\u2019-]|[#@\\])$")

_YEAR: Final = re.compile(r"(?:1[0-9]|20)[0-9]{2}")

_BEFORE_YEAR: Final = re.compile(r"[^\W0-9_]-$")


def is_label(text: str, start: int, end: int) -> bool:
    """Say whether the digits from start to end name something rather than count it."""
    if text[start:end] in ("401", "403") and text[end : end + 3] in ("(k)", "(b)"):
        return True
    before = text[max(0, start - _LONGEST) : start]
    if before[-1:] in (" ", "\u00a0", ".") and _DESIGNATOR.search(before):
        return True
    return end - start <= 2 and (_MONTH_BEFORE.search(before) is not None or _MONTH_AFTER.match(text, end) is not None)


def is_torn(text: str, start: int, end: int) -> bool:
    """Say whether what stands from start to end is only a piece of a word or an identifier."""
    if _TORN_AFTER.match(text, end):
        return True
    if start == 0 or text[start - 1] in " |\n(":
        return False
    before = text[max(0, start - 2) : start]
    if _TORN_BEFORE.search(before) is None:
        return False
    return not (_YEAR.fullmatch(text, start, end) and _BEFORE_YEAR.search(before))


def is_year(digits: str) -> bool:
    """Say whether a numeral looks like a year of our era: four digits from 1000 to 2099."""
    return _YEAR.fullmatch(digits) is not None


_ITEM = re.compile(
    r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s,'"\[\]]+(?:[ ]+[^\s,'"\[\]]+)*))\s*,?\s*""", re.DOTALL
)

_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))", re.DOTALL)

_LETTERS = {"n": "\n", "t": "\t", "r": "\r"}


def answer_values(text: str) -> tuple[str, ...]:
    """Return the values of an answer: the items of a list written as text, or the text itself."""
    stripped = text.strip()
    if not (stripped.startswith("[") and stripped.endswith("]")):
        return (text,)
    items = _items(stripped[1:-1].strip())
    return (text,) if items is None else items


def _items(inner: str) -> tuple[str, ...] | None:
    items: list[str] = []
    position = 0
    while position < len(inner):
        match = _ITEM.match(inner, position)
        if match is None:
            return None
        quoted = match[1] if match[1] is not None else match[2]
        items.append(match[3] if quoted is None else _unescaped(quoted))
        position = match.end()
    return tuple(items)


def _unescaped(quoted: str) -> str:
    return _ESCAPE.sub(_character, quoted) if "\\" in quoted else quoted


def _character(escape: re.Match[str]) -> str:
    code = escape[1] or escape[2]
    # An escape Python does not know stands for itself, backslash and all.
    return chr(int(code, 16)) if code else _LETTERS.get(escape[3], escape[3] if escape[3] in "'\"\\" else escape[0])
