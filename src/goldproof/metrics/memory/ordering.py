"""ordering: does what came stand in the order of time that was asked for?

Only for queries that ask for an order, newest or oldest first. Looked at are the items that stand for an expected
memory; what else came between them plays no part, nor does what is missing. An item that stands for several expected
memories has the newest of their moments. Pairs of the same moment, such as an item that repeats a memory, are left out.
Undefined where no order is asked for, where fewer than two different moments came, and where nothing should come.

    ordering = pairs in the asked order / pairs of items with different moments
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from goldproof.metrics.memory.definition import Measure
from goldproof.metrics.memory.outcome import Measured
from goldproof.metrics.memory.reasons import NO_ORDER, NO_PAIR, NOTHING_EXPECTED

if TYPE_CHECKING:
    from goldproof.metrics.memory.outcome import Outcome


def ordering(outcome: Outcome) -> Measured:
    """Return the share of the pairs that come in the asked order."""
    if outcome.is_negative:
        return Measured(None, NOTHING_EXPECTED)
    if outcome.order is None:
        return Measured(None, NO_ORDER)
    pairs = [(first, then) for first, then in combinations(_moments(outcome), 2) if first != then]
    if not pairs:
        return Measured(None, NO_PAIR)
    falls = sum(first > then for first, then in pairs)
    return Measured((falls if outcome.order == "newest" else len(pairs) - falls) / len(pairs))


def _moments(outcome: Outcome) -> list[float]:
    """Return the moment of each item that stands for an expected memory, in the order in which they came."""
    dated = {memory: moment for memory, moment in outcome.moments.items() if memory in outcome.expected}
    came = ([dated[memory] for memory in item.memories if memory in dated] for item in outcome.returned)
    return [max(moments) for moments in came if moments]


DEFINITION = Measure(
    name="ordering",
    summary="Of the pairs of expected memories that came, the share in the asked order of time.",
    formula="pairs in the asked order / pairs of items with different moments",
    of=ordering,
)
