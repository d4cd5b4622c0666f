"""relevance_of_hits: of what came and was expected, how relevant is it?

The mean gain (grade as 0 to 1, or the judge's) over the items that stand for an expected memory, wherever they stand.
What else came, and what did not come, play no part: read it beside precision and recall, never alone. An item that
repeats a memory counts again. Undefined where no expected memory came, and where nothing should come.

    relevance_of_hits = sum of the gains of the items that stand for an expected memory / their number
"""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING

from goldproof.metrics.memory.definition import Measure
from goldproof.metrics.memory.outcome import Measured
from goldproof.metrics.memory.reasons import NONE_CAME, NOTHING_EXPECTED

if TYPE_CHECKING:
    from goldproof.metrics.memory.outcome import Outcome


def relevance_of_hits(outcome: Outcome) -> Measured:
    """Return the mean gain over the items that stand for an expected memory."""
    if outcome.is_negative:
        return Measured(None, NOTHING_EXPECTED)
    gains = [item.gain for item in outcome.returned if outcome.is_expected(item)]
    return Measured(fsum(gains) / len(gains)) if gains else Measured(None, NONE_CAME)


DEFINITION = Measure(
    name="relevance_of_hits",
    summary="The mean gain of the items that stand for an expected memory.",
    formula="sum of the gains of the items that stand for an expected memory / their number",
    of=relevance_of_hits,
)
