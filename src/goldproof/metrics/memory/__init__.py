"""Measures of memory: what came for a query, against what should have come.

Each measure is one module, which defines it; `measure` computes them all. Names load without them.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.metrics.memory.criterion import Criterion, parse_criterion
    from goldproof.metrics.memory.measures import ALIASES, MEASURES, NAMES, Measure, measure
    from goldproof.metrics.memory.outcome import Came, Measured, Outcome
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "criterion": ("Criterion", "parse_criterion"),
            "measures": ("ALIASES", "MEASURES", "Measure", "NAMES", "measure"),
            "outcome": ("Came", "Measured", "Outcome"),
        },
    )

__all__ = [
    "ALIASES",
    "MEASURES",
    "NAMES",
    "Came",
    "Criterion",
    "Measure",
    "Measured",
    "Outcome",
    "measure",
    "parse_criterion",
]
