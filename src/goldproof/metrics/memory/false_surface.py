"""false_surface: does something come where nothing should?

For negative queries only, which ask for what was never said: 1 if anything came, else 0; lower is better. How much came
and how relevant it looks play no part, since whatever comes is wrong. A query that expects something is undefined. A
system that always returns its k nearest scores 1 everywhere: it needs a floor of its own.

    false_surface = 1 if anything came, else 0
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.metrics.memory.definition import Measure
from goldproof.metrics.memory.outcome import Measured
from goldproof.metrics.memory.reasons import SOMETHING_EXPECTED

if TYPE_CHECKING:
    from goldproof.metrics.memory.outcome import Outcome


def false_surface(outcome: Outcome) -> Measured:
    """Return 1 if anything came where nothing should, else 0."""
    if not outcome.is_negative:
        return Measured(None, SOMETHING_EXPECTED)
    return Measured(1.0 if outcome.returned else 0.0)


DEFINITION = Measure(
    name="false_surface",
    summary="For queries that expect nothing: 1 if anything came, else 0.",
    formula="1 if anything came, else 0 (lower is better)",
    of=false_surface,
    higher_is_better=False,
)
