"""Quantities: value, unit and scale, and whether two are the same.

`value` has the scale applied and the percent not: "$25.7 million" is 25,700,000 and "34.7%" is 34.7 with the unit
"percent". It is a `Decimal`, because a decimal fraction is then exact and, unlike in a `Fraction`, the printed
precision is kept as its exponent: "25.7 million" is 257E+5, known to the nearest hundred thousand.

Comparison. Two values are the same when they agree after rounding to the coarser printed precision: 0.34719 and 34.7%;
a half may be rounded either way. Units must not contradict each other: money is never a share, and dollars are never
euros, but a number without unit can be either. Such a number beside a percent is read both as the percent and as the
fraction.

A scale conflict is between the numbers as printed (percent not taken as a fraction), so 0.347 and 34.7% agree in value
and still conflict by "percent": they differ by the factor 100. Here a cut-off tail is forgiven as well (13.377 printed
as 13.3), since published answers are cut off as often as rounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Context, Decimal
from typing import Final, Literal

Kind = Literal["currency", "share", "multiple", "plain"]

# Numerals are at most 40 digits long, and scales shift by at most a few hundred places: this rounds none of them.
EXACT: Final = Context(prec=1500)

SCALES: Final = {
    "": 0,
    "hundred": 2,
    "thousand": 3,
    "lakh": 5,
    "million": 6,
    "crore": 7,
    "billion": 9,
    "trillion": 12,
}

# Names of one currency.
_CURRENCIES: Final = {
    "€": "EUR",
    "£": "GBP",
    "₹": "INR",
    "₩": "KRW",
    "Rs": "INR",
    "RMB": "CNY",
    "US$": "USD",
    "C$": "CAD",
    "CA$": "CAD",
    "A$": "AUD",
    "AU$": "AUD",
    "HK$": "HKD",
    "NZ$": "NZD",
    "NT$": "TWD",
    "S$": "SGD",
    "R$": "BRL",
}

# Signs that several currencies share.
_SHARED: Final = {
    "$": frozenset({"USD", "CAD", "AUD", "HKD", "NZD", "TWD", "SGD"}),
    "¥": frozenset({"JPY", "CNY"}),
}

_PER_ONE: Final = {"percent": 2, "percentage points": 2, "bps": 4}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a text: characters `start` to `end`, signs, unit, scale word and brackets included.

    unit: "$", "€", "USD" and the like as printed, "percent", "percentage points", "bps", "x" (a multiple), or "".
    scale: "thousand", "million", ... also where it is printed as a letter ("10.5B" has the scale "billion"), or "".
    decimals: how many digits stand after the decimal point as printed.
    """

    value: Decimal
    unit: str
    scale: str
    start: int
    end: int
    decimals: int

    @property
    def printed(self) -> Decimal:
        """The number as printed, without its scale: 25.7 for "$25.7 million"."""
        return shifted(self.value, -SCALES[self.scale])

    @property
    def kind(self) -> Kind:
        """The kind of unit: money, a share, a multiple, or none."""
        if not self.unit:
            return "plain"
        if self.unit in _PER_ONE:
            return "share"
        return "multiple" if self.unit == "x" else "currency"

    @property
    def fraction(self) -> Decimal:
        """The value as a share of one: 0.347 for "34.7%", 0.0025 for "25 bps"; other values as they are."""
        return shifted(self.value, -_PER_ONE.get(self.unit, 0))


def shifted(value: Decimal, places: int) -> Decimal:
    """Return the value times a power of ten, exactly, and with its precision shifted along."""
    return value.scaleb(places, EXACT)


def same_currency(a: str, b: str) -> bool:
    """Say whether two printed currencies can be the same; "$" can be any dollar, and "¥" yen or yuan."""
    first, second = _CURRENCIES.get(a, a), _CURRENCIES.get(b, b)
    return first == second or second in _SHARED.get(first, ()) or first in _SHARED.get(second, ())


_FACTORS: Final = {"percent": 2, "thousand": 3, "million": 6, "billion": 9}


def same_value(a: Quantity, b: Quantity, *, cut_off: bool = False) -> bool:
    """Say whether two quantities are equal at the coarser printed precision.

    cut_off: a value whose last digits were cut off rather than rounded is also the same.
    """
    if not compatible_units(a, b):
        return False
    if a.kind == b.kind == "share":
        return close(a.fraction, b.fraction, cut_off=cut_off)
    if close(a.value, b.value, cut_off=cut_off):
        return True
    return "share" in (a.kind, b.kind) and close(a.fraction, b.fraction, cut_off=cut_off)


def compatible_units(a: Quantity, b: Quantity) -> bool:
    """Say whether the units can be the same; no unit can be any."""
    if "plain" in (a.kind, b.kind):
        return True
    return a.kind == b.kind and (a.kind != "currency" or same_currency(a.unit, b.unit))


def scale_conflict(a: Quantity, b: Quantity) -> str | None:
    """Name the scale by which two quantities differ: "percent" (100), "thousand", "million", "billion", "sign".

    None where they are equal, or differ in another way. Where the sign differs as well: "percent and sign".
    """
    first, second = (a.fraction, b.fraction) if a.kind == b.kind == "share" else (a.value, b.value)
    if not first or not second or close(first, second, cut_off=True):
        return None
    sign = first.is_signed() != second.is_signed()
    first, second = first.copy_abs(), second.copy_abs()
    if sign and close(first, second, cut_off=True):
        return "sign"
    shares = "share" in (a.kind, b.kind)
    for name, places in _FACTORS.items():
        if shares and name != "percent":
            break
        if close(shifted(first, places), second, cut_off=True) or close(first, shifted(second, places), cut_off=True):
            return f"{name} and sign" if sign else name
    return None


def close(a: Decimal, b: Decimal, *, cut_off: bool = False) -> bool:
    """Say whether two numbers agree at the coarser of their precisions, which are their exponents."""
    finer, coarser = (a, b) if _exponent(a) <= _exponent(b) else (b, a)
    step = Decimal((0, (1,), _exponent(coarser)))
    if EXACT.multiply(EXACT.subtract(finer, coarser).copy_abs(), Decimal(2)) <= step:
        return True
    if not cut_off or finer.is_signed() != coarser.is_signed():
        return False
    tail = EXACT.subtract(finer.copy_abs(), coarser.copy_abs())
    return 0 <= tail < step


def _exponent(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0
