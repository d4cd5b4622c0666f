"""f1_or_silence: one number that charges both what is missing and what should not have come.

Where something is expected it is f1. Where nothing should come (a negative query) it is 1 if nothing came, else 0, the
way in which SQuAD 2.0 counts questions without an answer. It is defined for every query, so that a system can improve
it neither by returning everything nor by returning nothing.

    f1_or_silence = f1, or on a negative query 1 if nothing came, else 0

Rajpurkar, Jia and Liang, Know What You Don't Know: Unanswerable Questions for SQuAD, ACL 2018.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.metrics.memory.definition import Measure
from goldproof.metrics.memory.f1 import f1
from goldproof.metrics.memory.outcome import Measured

if TYPE_CHECKING:
    from goldproof.metrics.memory.outcome import Outcome


def f1_or_silence(outcome: Outcome) -> Measured:
    """Return f1; on a negative query 1 if nothing came, else 0."""
    if outcome.is_negative:
        return Measured(0.0 if outcome.returned else 1.0)
    return f1(outcome)


DEFINITION = Measure(
    name="f1_or_silence",
    summary="f1; for queries that expect nothing, 1 if nothing came, else 0.",
    formula="f1, or 1 for silence where nothing should come and 0 for anything else there",
    of=f1_or_silence,
)
