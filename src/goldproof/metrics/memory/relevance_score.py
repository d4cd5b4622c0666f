"""relevance_score: how relevant is what comes first?

As many items are looked at as memories are expected; each has a gain from 0 to 1: its grade (2/1/0 -> 1/0.5/0) or the
judge's (points / 10). Fewer items returned count 0 for those that lack, and nothing returned is 0. An item that repeats
a memory has its gain each time; an item that stands for several memories is one item. Where nothing should come (a
negative query) it is undefined. Where partly relevant memories are expected, not even the best answer reaches 1.

    relevance_score = sum of the gains of the first n items / n,    n = number of expected memories
"""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING

from goldproof.metrics.memory.definition import Measure
from goldproof.metrics.memory.outcome import Measured
from goldproof.metrics.memory.reasons import NOTHING_EXPECTED

if TYPE_CHECKING:
    from goldproof.metrics.memory.outcome import Outcome


def relevance_score(outcome: Outcome) -> Measured:
    """Return the mean gain over the first items, as many as are expected."""
    if outcome.is_negative:
        return Measured(None, NOTHING_EXPECTED)
    n = len(outcome.expected)
    return Measured(fsum(item.gain for item in outcome.returned[:n]) / n)


DEFINITION = Measure(
    name="relevance_score",
    summary="The mean gain of the first items, as many as memories are expected; missing ones count 0.",
    formula="sum of the gains of the first n items / n, with n expected memories",
    of=relevance_score,
)
