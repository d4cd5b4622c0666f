"""tokens: how much text does the answer put into the prompt?

The tokens of all returned items, expected or not, repeated ones each time; lower is better, at equal recall. Nothing
returned is 0, on every query. It has no upper bound.

    tokens = sum of the tokens of the items
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.metrics.memory.definition import Measure
from goldproof.metrics.memory.outcome import Measured

if TYPE_CHECKING:
    from goldproof.metrics.memory.outcome import Outcome


def tokens(outcome: Outcome) -> Measured:
    """Return the tokens of all returned items."""
    return Measured(float(sum(item.tokens for item in outcome.returned)))


DEFINITION = Measure(
    name="tokens",
    summary="The tokens of all returned items.",
    formula="sum of the tokens of the items (lower is better)",
    of=tokens,
    higher_is_better=False,
    upper=None,
)
