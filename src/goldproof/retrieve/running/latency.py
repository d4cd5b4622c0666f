"""How long single searches took, as percentiles by nearest rank: every one of them is a search that happened."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

PERCENTILES = (50, 90, 95, 99)


def latency_summary(seconds: Sequence[float]) -> dict[str, float | int] | None:
    """Return mean, percentiles and maximum in milliseconds, with the number of searches; None where there were none."""
    if not seconds:
        return None
    ordered = sorted(seconds)
    ranks = {f"p{p}_ms": ordered[ceil(p / 100 * len(ordered)) - 1] * 1000 for p in PERCENTILES}
    mean = sum(ordered) / len(ordered) * 1000
    return {"searches": len(ordered), "mean_ms": mean, **ranks, "max_ms": ordered[-1] * 1000}
