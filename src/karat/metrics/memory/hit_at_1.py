"""Hit@1: does an expected memory come first?

The first item counts if it stands for any expected memory, of whatever grade; nothing returned is 0. What follows plays
no part. Where nothing should come (a negative query) it is undefined.

    Hit@1 = 1 if the first item stands for an expected memory, else 0
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.metrics.memory.definition import Measure
from karat.metrics.memory.outcome import Measured
from karat.metrics.memory.reasons import NOTHING_EXPECTED

if TYPE_CHECKING:
    from karat.metrics.memory.outcome import Outcome


def hit_at_1(outcome: Outcome) -> Measured:
    """Return 1 if the first item stands for an expected memory, else 0."""
    if outcome.is_negative:
        return Measured(None, NOTHING_EXPECTED)
    return Measured(float(any(map(outcome.is_expected, outcome.returned[:1]))))


DEFINITION = Measure(
    name="Hit@1",
    summary="1 if the first item stands for an expected memory, else 0.",
    formula="1 if the first item stands for an expected memory, else 0",
    of=hit_at_1,
)
