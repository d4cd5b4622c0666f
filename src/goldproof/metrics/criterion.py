"""Criteria: a measure, a comparison and a threshold, written `recall > 0.9`; also `>=`, `<`, `<=`, `=` and `90%`.

Criteria of memory and the gates of `--fail-if` are written so. What is compared are the 12 digits that files carry, so
that 0.1 + 0.2 is 0.3, and the mean of twenty 0.9 is 0.9.
"""

from __future__ import annotations

import math
import operator
import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from goldproof.errors import InputError, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_OPERATORS: Mapping[str, Callable[[float, float], bool]] = MappingProxyType(
    {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le, "=": operator.eq}
)
# A number holds neither sign nor bracket, so that `P(rel=2)@5 < 0.9` is read at its last sign.
_FORM = re.compile(r"\s*(?P<measure>.+?)\s*(?P<how>>=|<=|==|>|<|=)\s*(?P<number>[^\s%<>=()]+)\s*(?P<percent>%?)\s*")


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


def read_criterion(text: str, *, where: str, expected: str) -> Criterion | None:
    """Read `TEXT > NUMBER`, whatever the text names; None where it has another form.

    where, expected: beginning and end of the message about a threshold that is no number.
    """
    match = _FORM.fullmatch(text)
    if match is None:
        return None
    try:
        number = float(match["number"])
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{where}: {shown(match['number'])} is not a number; {expected}")
    how = "=" if match["how"] == "==" else match["how"]
    return Criterion(match["measure"], how, number / (100 if match["percent"] else 1))
