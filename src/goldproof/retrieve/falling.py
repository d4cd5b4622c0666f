"""Scores that show an order which they did not make."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

STEP = 1e-6


def falling(scores: Iterable[float]) -> list[float]:
    """Return scores in their order, each below the one before; one that is not is lowered by a millionth."""
    found: list[float] = []
    for score in scores:
        if found and score >= found[-1]:
            found.append(found[-1] - STEP * max(abs(found[-1]), 1.0))
        else:
            found.append(score)
    return found
