"""similarity: how near does the system itself put the right memories to the query?

The mean of what the system tells (the cosine of query and item, -1 to 1) over the items that stand for an expected
memory; items without a similarity are left out of it, and an item that repeats a memory counts again. It describes the
embedder and judges nothing: right answers often lie between 0.3 and 0.7. Undefined where no expected memory came, where
the system tells no similarity for those that did, and where nothing should come (a negative query).

    similarity = sum of the similarities of the items that stand for an expected memory / number of those that have one
"""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING

from goldproof.metrics.memory.definition import Measure
from goldproof.metrics.memory.outcome import Measured
from goldproof.metrics.memory.reasons import NO_SIMILARITY, NONE_CAME, NOTHING_EXPECTED

if TYPE_CHECKING:
    from goldproof.metrics.memory.outcome import Outcome


def similarity(outcome: Outcome) -> Measured:
    """Return the mean similarity over the items that stand for an expected memory."""
    if outcome.is_negative:
        return Measured(None, NOTHING_EXPECTED)
    hits = [item.similarity for item in outcome.returned if outcome.is_expected(item)]
    told = [value for value in hits if value is not None]
    if not told:
        return Measured(None, NO_SIMILARITY if hits else NONE_CAME)
    return Measured(fsum(told) / len(told))


DEFINITION = Measure(
    name="similarity",
    summary="The mean similarity that the system tells for the items that stand for an expected memory.",
    formula="sum of the similarities of the items that stand for an expected memory / number of those that have one",
    of=similarity,
    lower=-1.0,
)
