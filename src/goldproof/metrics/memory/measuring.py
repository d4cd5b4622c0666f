"""All measures of memory, and their values for one answered query."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from goldproof.metrics.memory import (
    f1,
    f1_or_silence,
    false_surface,
    hit_at_1,
    ordering,
    precision,
    recall,
    relevance_of_hits,
    relevance_score,
    set_success,
    similarity,
    tokens,
)
from goldproof.metrics.memory.catalogue import NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.metrics.memory.definition import Measure
    from goldproof.metrics.memory.outcome import Measured, Outcome

_DEFINITIONS = {
    module.DEFINITION.name: module.DEFINITION
    for module in (
        precision,
        recall,
        f1,
        hit_at_1,
        set_success,
        relevance_score,
        relevance_of_hits,
        similarity,
        false_surface,
        ordering,
        tokens,
        f1_or_silence,
    )
}
MEASURES: Mapping[str, Measure] = MappingProxyType({name: _DEFINITIONS[name] for name in NAMES})


def measure(outcome: Outcome) -> dict[str, Measured]:
    """Return the value of every measure for one answered query, or why it has none there."""
    return {name: one.of(outcome) for name, one in MEASURES.items()}
