"""f1: precision and recall in one number, which is low if either is.

Precision counts items and recall counts memories, each as defined under its own name; so does their mean. Nothing
returned, or nothing expected among it, is 0. Where nothing should come (a negative query) it is undefined, as recall
is there; `f1_or_silence` counts those queries too.

    f1 = 2 * precision * recall / (precision + recall), and 0 where both are 0
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.metrics.memory.definition import Measure
from goldproof.metrics.memory.outcome import Measured
from goldproof.metrics.memory.precision import precision
from goldproof.metrics.memory.reasons import NOTHING_EXPECTED
from goldproof.metrics.memory.recall import recall

if TYPE_CHECKING:
    from goldproof.metrics.memory.outcome import Outcome


def f1(outcome: Outcome) -> Measured:
    """Return the harmonic mean of precision and recall."""
    p, r = precision(outcome).value, recall(outcome).value
    if p is None or r is None:
        return Measured(None, NOTHING_EXPECTED)
    return Measured(2 * p * r / (p + r) if p + r else 0.0)


DEFINITION = Measure(
    name="f1",
    summary="The harmonic mean of precision and recall.",
    formula="2 * precision * recall / (precision + recall)",
    of=f1,
)
