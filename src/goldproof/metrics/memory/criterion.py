"""Criteria: a threshold on a measure of one query, or on a mean, written `recall > 0.9`; also `>=`, `<`, `<=`, `=`.

Names are read whatever their case, and a threshold may be a percentage. One that no value passes, or that lies outside
of the measure, such as `recall > 1` or `recall < 90`, is refused as a mistake. What is compared are the 12 digits that
files carry, so that 0.1 + 0.2 is 0.3. A measure that is undefined for a query says nothing about it: the criterion is
left out there, and a query none of whose criteria can be tried does not pass.
"""

from __future__ import annotations

import math
import operator
import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from goldproof.errors import InputError, UnknownNameError, shown
from goldproof.metrics.memory.measures import ALIASES, MEASURES, NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

_OPERATORS: Mapping[str, Callable[[float, float], bool]] = MappingProxyType(
    {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le, "=": operator.eq}
)
_FORM = re.compile(r"\s*(?P<measure>[\w@]+)\s*(?P<how>>=|<=|==|>|<|=)\s*(?P<number>[^\s%]+)\s*(?P<percent>%?)\s*")
_EXPECTED = "expected MEASURE > NUMBER (also >=, <, <=, =), such as recall > 0.9."


@dataclass(frozen=True, slots=True)
class Criterion:
    """A comparison of a measure with a threshold."""

    measure: str
    how: str
    threshold: float

    def holds(self, value: float) -> bool:
        """Return whether a value satisfies the criterion."""
        return _OPERATORS[self.how](float(f"{value:.12g}"), float(f"{self.threshold:.12g}"))

    def __str__(self) -> str:
        return f"{self.measure} {self.how} {self.threshold:.12g}"


def parse_criterion(text: object, *, further: Collection[str] = ()) -> Criterion:
    """Read one criterion; InputError says what is wrong.

    further: names that may be used beside the measures, for shares from 0 to 1.
    """
    match = _FORM.fullmatch(text) if isinstance(text, str) else None
    if not match:
        raise InputError(f"criterion {shown(text)} cannot be read; {_EXPECTED}")
    how = "=" if match["how"] == "==" else match["how"]
    threshold = _number(match["number"], text=match[0]) / (100 if match["percent"] else 1)
    criterion = Criterion(_name(match["measure"], known=(*NAMES, *further), text=match[0]), how, threshold)
    _check_reachable(criterion, text=match[0])
    return criterion


def _name(written: str, *, known: Collection[str], text: str) -> str:
    names = {**{name.casefold(): name for name in known}, **ALIASES}
    if written.casefold() not in names:
        raise UnknownNameError("measure", written, known, hint=f"in the criterion {shown(text)}.")
    return names[written.casefold()]


def _number(written: str, *, text: str) -> float:
    try:
        number = float(written)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"criterion {shown(text)}: {shown(written)} is not a number; {_EXPECTED}")
    return number


def _check_reachable(criterion: Criterion, *, text: str) -> None:
    known = MEASURES.get(criterion.measure)
    low = known.lower if known else 0.0
    high = known.upper if known else 1.0
    ends = (-math.inf if low is None else low, math.inf if high is None else high)
    if ends[0] <= criterion.threshold <= ends[1] and (criterion.how == "=" or any(map(criterion.holds, ends))):
        return
    lies = f"is at least {low:g}" if high is None else f"lies between {low:g} and {high:g}"
    raise InputError(
        f"criterion {shown(text)}: {criterion.measure} {lies}, so that this would hold always or never; "
        "write a share as 0.9 or 90%."
    )
