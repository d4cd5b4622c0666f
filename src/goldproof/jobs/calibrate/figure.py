"""A number with its interval, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.stats import CorrectedMean, Effect, Interval


@dataclass(frozen=True, slots=True)
class Figure:
    """value is None where there is none, and note then says why; low and high are None without an interval."""

    name: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    note: str = ""

    def to_dict(self) -> dict[str, object]:
        """Return it for a file."""
        return {"value": self.value, "low": self.low, "high": self.high, "n": self.n, "note": self.note or None}


def undefined(name: str, reason: str, *, n: int = 0) -> Figure:
    """Return a figure without a value."""
    return Figure(name, n=n, note=reason)


def of_interval(name: str, found: Interval) -> Figure:
    """Take an interval of a mean."""
    return Figure(name, found.estimate, found.low, found.high, found.n, found.note or "")


def of_effect(name: str, found: Effect, *, n: int) -> Figure:
    """Take an estimate with its interval."""
    return Figure(name, found.value, found.low, found.high, n, found.note or "")


def of_correction(name: str, found: CorrectedMean) -> Figure:
    """Take a corrected mean."""
    return Figure(name, found.value, found.low, found.high, found.n_human, found.note or "")
