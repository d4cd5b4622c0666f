"""Measures of memory: what came for a query, against what should have come.

Each measure is one module, which defines it; `measure` computes them all. Names load without them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from goldproof.metrics.memory.catalogue import ALIASES, NAMES

if TYPE_CHECKING:
    from goldproof.metrics.memory.criterion import Criterion, parse_criterion
    from goldproof.metrics.memory.definition import Measure
    from goldproof.metrics.memory.measuring import MEASURES, measure
    from goldproof.metrics.memory.outcome import Came, Measured, Outcome

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

_LATER = {
    "MEASURES": "measuring",
    "Came": "outcome",
    "Criterion": "criterion",
    "Measure": "definition",
    "Measured": "outcome",
    "Outcome": "outcome",
    "measure": "measuring",
    "parse_criterion": "criterion",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
