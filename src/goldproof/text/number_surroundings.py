"""What stands around a numeral: before it signs, currency, an opening bracket; after it scale, unit, closing bracket.

The letters k, K, M, MM, mn, bn and B are scales; m, mm, b, t, tn and T only after a currency, since they are metres and
tonnes elsewhere, and so is any single letter after a blank. A currency sign after a number must touch it ("12€"),
except "€" at the end of a phrase: in a row of a table, "533 $ 412", the sign belongs to the next number.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from goldproof.text.numerals import DASHES

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
    """What stands before a numeral, from `start` on.

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
        """Return what stands after the opening bracket only."""
        if self.bracket is None:
            return self
        start = self.bracket + 1 + (text[self.bracket + 1 : self.bracket + 2] in BLANKS)
        return self._replace(start=start, bracket=None, unit="" if self.unit_outside else self.unit, unit_outside=False)


class After(NamedTuple):
    """What stands after a numeral, up to `end`; closed: a bracket was closed; outside: scale or unit follow it."""

    end: int
    scale: str
    unit: str
    closed: bool
    outside: bool


def read_before(text: str, start: int) -> Before:
    """Read signs, currency and bracket before the place where the digits start."""
    found = _BEFORE.search(text, max(0, start - _LONGEST_BEFORE), start) if _may_have_prefix(text, start) else None
    if found is None:
        return Before(start, negative=False, unit="", bracket=None, unit_outside=False, point=False)
    marks = (found["sign"], found["sign2"], found["sign3"])
    return Before(
        start=found.start(),
        negative=any(mark is not None and "+" not in mark for mark in marks),
        unit=(found["unit"] or found["unit2"] or "").rstrip("."),
        bracket=found.start("open") if found["open"] else None,
        unit_outside=bool(found["unit"] and found["open"]),
        point=bool(found["point"]),
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
    found = _SCALE.match(text, end)
    if found is not None:
        letter = found[2] or found[3]
        scale = found[1].lower() if found[1] else _LETTER_SCALES[letter]
        parted = found[3] is not None and len(letter) == 1
        if (letter in _ONLY_MONEY or parted) and not money:
            return end, "", ""
        end = found.end()
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
