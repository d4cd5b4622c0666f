"""The number rule: whether a text states a number, with a unit, scale and precision that fit.

A figure of the text is the wanted number when their units do not contradict each other and one of these holds:

- the values are equal, or the figure rounded to the precision of the wanted number is equal, where the wanted number
  has two significant digits or more and a unit, a scale or decimals ("35%" is answered by "34.7%"): a bare whole number
  is a count and must be met exactly;
- the wanted number has more than six significant digits, so it was computed, and the figure is that number rounded to
  three digits or more (0.12573673870334 is answered by 12.6%);
- the figure has no scale of its own and the text states one elsewhere ("in millions", "$000", "€m"): then it is also
  read at that scale, so `533.2` answers "533.2 million". A stated scale counts for the whole text, since a table in
  text form does not show which columns it is for;
- the wanted number has no scale and the figure has: then the printed numbers are compared ("533.2" is answered by
  "533.2 million"), since datasets keep the scale apart from the number;
- one is a percent and the other has no unit: a number with decimals is also read as the fraction (0.347 for 34.7%), and
  a number beside a percent answer as the percent itself, unrounded, where the text speaks of percent at all.

A single digit or a year without unit is never given a scale or a percent from elsewhere.

The sign must be the same, except that a negative figure also answers a positive number: a loss of 2.4 is printed (2.4).
"""

from __future__ import annotations

import re
from decimal import Context, Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from goldproof.text.numbers import find_quantities
from goldproof.text.numerals import first_word
from goldproof.text.quantity import EXACT, close, compatible_units, shifted
from goldproof.text.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.text.quantity import Quantity

_MONEY: Final = r"(?:[$€£¥₹₩]|\b(?:USD|EUR|GBP|RMB|CNY|INR|JPY|Rs\.?))"
_STATED: Final = re.compile(
    rf"(?:\bin|\(|{_MONEY})\s*(?:(?:US|U\.S\.|of|the)\s+)?(?:{_MONEY}\s?)?['\u2019]?(?P<word>thousand|million|billion|lakh|crore)s?\b"
    r"|\b(?P<of>thousand|million|billion)s\sof\b"
    rf"|(?:{_MONEY}\s?['\u2019]?|['\u2019]|\()(?P<zeros>000(?:,000)?)(?![0-9,])"
    rf"|{_MONEY}\s?(?P<letters>mm|mn|m|k|bn)\b",
    re.IGNORECASE,
)
_PLACES: Final = {
    "thousand": 3, "lakh": 5, "million": 6, "crore": 7, "billion": 9, "000": 3, "000,000": 6,
    "k": 3, "m": 6, "mm": 6, "mn": 6, "bn": 9,
}  # fmt: skip
_COMPUTED: Final = 6
_THREE_DIGITS: Final = Context(prec=3)


def find_number(wanted: Quantity, context: str) -> Span | None:
    """Return where the text states the number, None where it does not."""
    word = _first_word(wanted)
    words = word is not None and word in context.lower()
    for figure in find_quantities(context, digits=_leading_digits(wanted.value), words=words):
        if compatible_units(figure, wanted) and _answers(figure, wanted, context):
            return Span(figure.start, figure.end)
    return None


@lru_cache(maxsize=4)
def stated_scales(context: str) -> tuple[int, ...]:
    """Return the powers of ten that a text states for its figures, such as 6 for "in millions"."""
    names = (next(filter(None, match.groups())).casefold() for match in _STATED.finditer(context))
    return tuple(sorted({_PLACES.get(name, 0) for name in names}))


def _answers(figure: Quantity, wanted: Quantity, context: str) -> bool:
    roundable = bool(wanted.unit or wanted.scale or wanted.decimals)
    readings = _readings(figure, wanted, context)
    return any(_agrees(value, stated, roundable=roundable) for value, stated in readings)


def _readings(figure: Quantity, wanted: Quantity, context: str) -> Iterator[tuple[Decimal, Decimal]]:
    """Yield the wanted value and the figure's value, in every reading that makes them comparable."""
    shares = (wanted.kind == "share") + (figure.kind == "share")
    if shares == 2:
        yield wanted.fraction, figure.fraction
    elif shares == 1:
        yield from _percent_readings(figure, wanted, context)
    else:
        yield from _scale_readings(figure, wanted, context)


def _percent_readings(figure: Quantity, wanted: Quantity, context: str) -> Iterator[tuple[Decimal, Decimal]]:
    plain = figure if wanted.kind == "share" else wanted
    if plain is wanted or (figure.value == wanted.value and _is_figure(figure) and _speaks_of_percent(context)):
        yield wanted.value, figure.value
    if plain.decimals:
        yield wanted.fraction, figure.fraction


def _speaks_of_percent(context: str) -> bool:
    return "%" in context or "percent" in context or "Percent" in context


def _scale_readings(figure: Quantity, wanted: Quantity, context: str) -> Iterator[tuple[Decimal, Decimal]]:
    yield wanted.value, figure.value
    if figure.scale and not wanted.scale:
        yield wanted.value, figure.printed
    if not figure.scale and wanted.value.adjusted() >= 3 and _is_figure(figure):
        for places in stated_scales(context):
            yield wanted.value, shifted(figure.value, places)


def _is_figure(figure: Quantity) -> bool:
    """Return whether a number can take its unit from a column heading; single digits and years are too common."""
    if figure.unit or figure.decimals:
        return True
    bare_year = figure.end - figure.start == 4 and 1900 <= figure.value < 2100
    return figure.value.adjusted() >= 1 and not bare_year


def _agrees(wanted: Decimal, stated: Decimal, *, roundable: bool) -> bool:
    if stated < 0 < wanted:
        stated = stated.copy_abs()
    if wanted == stated:
        return True
    if wanted.is_signed() != stated.is_signed() or wanted.adjusted() - stated.adjusted() not in (-1, 0, 1):
        return False
    if _exponent(stated) < _exponent(wanted):
        return roundable and len(wanted.as_tuple().digits) >= 2 and close(wanted, stated)
    return len(_significant(wanted)) > _COMPUTED and len(stated.as_tuple().digits) >= 3 and close(wanted, stated)


def _leading_digits(wanted: Decimal) -> tuple[str, ...]:
    """Return beginnings of digits, one of which is in every figure that can be the wanted number.

    Scale and percent only move the decimal point. So the digits are the first three of the number itself, or of a
    figure that is rounded to it: that one lies between the number less half a unit of its last digit and the number
    plus half a unit. Where it has fewer digits before the last (99.6 for 100), one digit less is sure.
    """
    number = _whole_number(wanted)
    size = min(3, len(str(number)))
    low, high = str(max(10 * number - 5, 0)), str(10 * number + 5)
    sure = size if len(low) == len(high) else size - 1
    rounded = str(_whole_number(wanted.normalize(_THREE_DIGITS)))
    candidates = ((str(number).rstrip("0") or "0")[:3], low[: max(sure, 1)], high[:size], rounded[:3])
    return tuple(dict.fromkeys(candidates))


def _whole_number(value: Decimal) -> int:
    return int("".join(map(str, value.as_tuple().digits)))


def _first_word(wanted: Quantity) -> str | None:
    """Return the first word of the number in words, where it is round enough to be written in words."""
    value = wanted.value.copy_abs()
    round_enough = value == value.to_integral_value() and len(_significant(value)) <= 2 and value.adjusted() < 15
    return first_word(int(value)) if round_enough else None


def _significant(value: Decimal) -> tuple[int, ...]:
    return value.normalize(EXACT).as_tuple().digits


def _exponent(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0
