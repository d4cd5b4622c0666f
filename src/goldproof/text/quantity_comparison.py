"""Are two quantities the same, and if not, do they differ by scale only?

Two values are the same when they agree after rounding to the coarser printed precision: 0.34719 and 34.7%; a half may
be rounded either way. Units must not contradict each other: money is never a share, and dollars are never euros, but a
number without unit can be either. Such a number beside a percent is read both as the percent and as the fraction.

A scale conflict is between the numbers as printed (percent not taken as a fraction), so 0.347 and 34.7% agree in value
and still conflict by "percent": they differ by the factor 100. Here a cut-off tail is forgiven as well (13.377 printed
as 13.3), since published answers are cut off as often as rounded.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

from goldproof.text.quantity import EXACT, same_currency, shifted

if TYPE_CHECKING:
    from goldproof.text.quantity import Quantity

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
