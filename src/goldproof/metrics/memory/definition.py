"""What a measure of memory is: its name, its words, its bounds, and its function of one outcome."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.metrics.memory.outcome import Measured, Outcome


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure; `of` gives its value for one answered query, or why there is none."""

    name: str
    summary: str
    formula: str
    of: Callable[[Outcome], Measured]
    higher_is_better: bool = True
    lower: float | None = 0.0
    upper: float | None = 1.0
