"""Measures of memory: the returned items of a query against the expected memories.

`measure` computes all of them for one answered query.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.metrics.criterion import Criterion
    from goldproof.metrics.memory.criterion import parse_criterion
    from goldproof.metrics.memory.measures import ALIASES, MEASURES, NAMES, Measure, measure
    from goldproof.metrics.memory.outcome import Measured, Outcome, ReturnedItem
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "criterion": ("Criterion", "parse_criterion"),
            "measures": ("ALIASES", "MEASURES", "Measure", "NAMES", "measure"),
            "outcome": ("Measured", "Outcome", "ReturnedItem"),
        },
    )

__all__ = [
    "ALIASES",
    "MEASURES",
    "NAMES",
    "Criterion",
    "Measure",
    "Measured",
    "Outcome",
    "ReturnedItem",
    "measure",
    "parse_criterion",
]
