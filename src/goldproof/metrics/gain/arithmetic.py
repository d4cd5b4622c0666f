"""The arithmetic of one conversation in words: what explanations of good-gain metrics are made of.

Of a long conversation only the first terms are shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.metrics.gain.discount import discount

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goldproof.core.arrays import FloatArray, IntArray
    from goldproof.metrics.gain.iterations import Iterations

SHOWN = 6


def last(iterations: Iterations, k: int | None) -> int:
    """Return the row of iteration k of the only conversation, or of its last iteration."""
    return (len(iterations.results) if k is None else k) - 1


def gains(iterations: Iterations, k: int | None) -> str:
    """Return the gain of each iteration through k: "G = 5, 4, 2"."""
    return f"G = {listed(iterations.gain[: last(iterations, k) + 1].tolist())}"


def shares(iterations: Iterations, k: int | None) -> str:
    """Return the gain over the results of each iteration through k: "G/|R| = 5/2, 4/2, 0/0"."""
    rows = slice(last(iterations, k) + 1)
    pairs = zip(iterations.gain[rows].tolist(), iterations.results[rows].tolist(), strict=True)
    empty = " (0/0 counts 0)" if (iterations.results[rows] == 0).any() else ""
    return f"G/|R| = {_cut((f'{gain}/{results}' for gain, results in pairs), ', ')}{empty}"


def listed(values: Iterable[float]) -> str:
    """Return "5, 4, 2"."""
    return _cut(map(number, values), ", ")


def added(values: FloatArray | IntArray) -> str:
    """Return "5 + 4 + 2"."""
    return _cut(map(number, values.tolist()), " + ")


def discounted(values: FloatArray | IntArray) -> str:
    """Return "5*1 + 4*0.6309 + 2*0.5": each value by the weight of its iteration."""
    weights = discount(np.arange(1, len(values) + 1))
    pairs = zip(values.tolist(), weights.tolist(), strict=True)
    return _cut((f"{number(value)}*{number(weight)}" for value, weight in pairs), " + ")


def number(value: float) -> str:
    """Return at most four decimals, and none that is not needed."""
    return f"{value:.4f}".rstrip("0").rstrip(".")


def _cut(parts: Iterable[str], joint: str) -> str:
    shown = list(parts)
    return joint.join([*shown[:SHOWN], *(["..."] if len(shown) > SHOWN else [])])
