"""recall: how much of what was expected came?

A memory counts once, however many items stand for it; an item that stands for several counts for each of them. Grades
play no part: partly relevant memories are expected too. Nothing returned is 0. There is no cut: all that came is
looked at. Where nothing should come (a negative query) it is undefined.

    recall = different expected memories that came / expected memories
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.metrics.memory.definition import Measure
from goldproof.metrics.memory.outcome import Measured
from goldproof.metrics.memory.reasons import NOTHING_EXPECTED

if TYPE_CHECKING:
    from goldproof.metrics.memory.outcome import Outcome


def recall(outcome: Outcome) -> Measured:
    """Return the share of the expected memories that came."""
    if outcome.is_negative:
        return Measured(None, NOTHING_EXPECTED)
    return Measured(len(outcome.found) / len(outcome.expected))


DEFINITION = Measure(
    name="recall",
    summary="The share of the expected memories that came.",
    formula="different expected memories that came / expected memories",
    of=recall,
)
