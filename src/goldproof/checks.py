"""Checks of parameters: whole number, number, one of several words.

Every message begins with the name of the stage, then says what was found and what was expected.
"""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

from goldproof.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Sequence


def whole_number(value: object, name: str, *, stage: str, least: int = 1) -> int:
    """Return a whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InputError(f"{stage}: {name} is {value!r}, expected a whole number of at least {least}.")
    return value


def number(value: object, name: str, *, stage: str, above: float = -math.inf) -> float:
    """Return a finite number above `above`."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
    if not is_number or not value > above:  # type: ignore[operator]
        bound = "" if above == -math.inf else f" above {above:g}"
        raise InputError(f"{stage}: {name} is {value!r}, expected a number{bound}.")
    return float(value)  # type: ignore[arg-type]


def one_of(value: object, known: Sequence[str], *, stage: str, name: str) -> str:
    """Return the value if it is one of the words that the parameter takes."""
    if value not in known:
        raise UnknownNameError(f"{name} of {stage}", str(value), known, advice=f"expected {' or '.join(known)}.")
    return str(value)
