"""Hit@1: does a memory that answers come first?

The first item counts if it stands for an expected memory of the highest grade that is expected; one of a lower grade,
such as a fact that is out of date, does not count. Where all grades are the same, any expected memory counts. An item
that stands for several counts by the best of them; a judge's points play no part. Nothing returned is 0. What follows
plays no part. Where nothing should come (a negative query) it is undefined.

    Hit@1 = 1 if the first item stands for an expected memory of the highest expected grade, else 0
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.metrics.memory.definition import Measure
from goldproof.metrics.memory.outcome import Measured
from goldproof.metrics.memory.reasons import NOTHING_EXPECTED

if TYPE_CHECKING:
    from goldproof.metrics.memory.outcome import Outcome


def hit_at_1(outcome: Outcome) -> Measured:
    """Return 1 if the first item stands for an expected memory of the highest expected grade, else 0."""
    if outcome.is_negative:
        return Measured(None, NOTHING_EXPECTED)
    highest = max(outcome.expected.values())
    first = (memory for came in outcome.returned[:1] for memory in came.memories)
    return Measured(float(any(outcome.expected.get(memory) == highest for memory in first)))


DEFINITION = Measure(
    name="Hit@1",
    summary="1 if the first item stands for an expected memory of the highest expected grade, else 0.",
    formula="1 if the first item stands for an expected memory of the highest expected grade, else 0",
    of=hit_at_1,
)
