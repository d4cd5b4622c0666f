"""precision: how much of what came was expected?

An item counts if it stands for at least one expected memory, once, however many it stands for; an item that repeats a
memory counts as well, since the expected was what came. It is divided by the number returned, not by k: who returns
less is not charged for it. Nothing returned where something was expected is 0 and not undefined: silence is no way to
precision. Where nothing should come (a negative query) it is 1 if nothing came, else 0.

    precision = items that stand for an expected memory / items returned
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.metrics.memory.definition import Measure
from goldproof.metrics.memory.outcome import Measured

if TYPE_CHECKING:
    from goldproof.metrics.memory.outcome import Outcome


def precision(outcome: Outcome) -> Measured:
    """Return the share of the returned items that stand for an expected memory."""
    returned = len(outcome.returned)
    if outcome.is_negative:
        return Measured(0.0 if returned else 1.0)
    return Measured(sum(map(outcome.is_expected, outcome.returned)) / returned if returned else 0.0)


DEFINITION = Measure(
    name="precision",
    summary="The share of the returned items that stand for an expected memory; 1 for silence where nothing is right.",
    formula="items that stand for an expected memory / items returned",
    of=precision,
)
