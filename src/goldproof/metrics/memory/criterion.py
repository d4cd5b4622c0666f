"""Criteria of memory: a threshold on a measure of one query, or on a mean.

Names are read whatever their case. A threshold that no value passes, or that lies outside of the measure, such as
`recall > 1` or `recall < 90`, is refused as a mistake. A measure that is undefined for a query says nothing about it:
the criterion is left out there, and a query none of whose criteria can be tried does not pass.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from goldproof.errors import InputError, UnknownNameError, shown
from goldproof.metrics.criterion import Criterion, read_criterion
from goldproof.metrics.memory.measures import ALIASES, MEASURES, NAMES

if TYPE_CHECKING:
    from collections.abc import Collection

_EXPECTED = "expected MEASURE > NUMBER (also >=, <, <=, =), such as recall > 0.9."


def parse_criterion(text: object, *, further: Collection[str] = ()) -> Criterion:
    """Read one criterion; InputError says what is wrong.

    further: names that may be used beside the measures, for shares from 0 to 1.
    """
    where = f"criterion {shown(text)}"
    written = read_criterion(text, where=where, expected=_EXPECTED) if isinstance(text, str) else None
    if written is None or not written.measure.replace("@", "").isidentifier():
        raise InputError(f"{where} cannot be read; {_EXPECTED}")
    criterion = replace(written, measure=_name(written.measure, known=(*NAMES, *further), where=where))
    _check_reachable(criterion, where=where)
    return criterion


def _name(written: str, *, known: Collection[str], where: str) -> str:
    names = {**{name.casefold(): name for name in known}, **ALIASES}
    if written.casefold() not in names:
        raise UnknownNameError("measure", written, known, hint=f"in the {where}.")
    return names[written.casefold()]


def _check_reachable(criterion: Criterion, *, where: str) -> None:
    known = MEASURES.get(criterion.measure)
    low = known.lower if known else 0.0
    high = known.upper if known else 1.0
    ends = (-math.inf if low is None else low, math.inf if high is None else high)
    if ends[0] <= criterion.threshold <= ends[1] and (criterion.how == "=" or any(map(criterion.holds, ends))):
        return
    lies = f"is at least {low:g}" if high is None else f"lies between {low:g} and {high:g}"
    raise InputError(
        f"{where}: {criterion.measure} {lies}, so that this would hold always or never; write a share as 0.9 or 90%."
    )
