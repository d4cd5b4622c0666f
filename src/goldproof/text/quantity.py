"""A quantity as it stands in a text: its exact value, its unit, its scale word and where it is printed.

`value` has the scale applied and the percent not: "$25.7 million" is 25,700,000 and "34.7%" is 34.7 with the unit
"percent". It is a `Decimal`, because a decimal fraction is then exact and, unlike in a `Fraction`, the printed
precision is kept as its exponent: "25.7 million" is 257E+5, known to the nearest hundred thousand.
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
        """What the unit counts: money, a share of something, a multiple, or nothing said."""
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
