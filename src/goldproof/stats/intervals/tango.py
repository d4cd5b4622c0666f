"""Tango's score interval of the difference of two paired proportions.

Of n pairs of 0/1 values, b are won (+1) and c lost (-1); the estimate is (b - c) / n. The interval holds every d with

    |b - c - n d| <= z sqrt(n (2 q + d (1 - d))),      q = (sqrt(B^2 - 4 A C) - B) / 2A,
    A = 2n,  B = -b - c + (2n - b + c) d,  C = -c d (1 - d),

where q is the likeliest probability of a loss when the difference is d. It is to paired differences what Wilson's is
to a proportion: it stays in [-1, 1] and has positive length without any discordant pair, where it is +- z^2 / (n +
z^2).

Citation: Tango (1998), "Equivalence test and confidence interval for the difference in proportions for the
paired-sample design", Statistics in Medicine 17.
"""

from __future__ import annotations

from math import sqrt

from goldproof.stats.intervals.bounds import Bounds

_HALVINGS = 60


def tango_interval(*, wins: int, losses: int, n: int, quantile: float) -> Bounds:
    """Tango's interval for wins and losses among n pairs (n at least 1)."""
    estimate = (wins - losses) / n

    def rejected(difference: float) -> bool:
        loss = _likeliest_loss(difference, wins=wins, losses=losses, n=n)
        variance = max(n * (2 * loss + difference * (1 - difference)), 0.0)
        return abs(wins - losses - n * difference) > quantile * sqrt(variance)

    def edge(inside: float, outside: float) -> float:
        if not rejected(outside):
            return outside
        for _ in range(_HALVINGS):
            middle = (inside + outside) / 2
            inside, outside = (inside, middle) if rejected(middle) else (middle, outside)
        return (inside + outside) / 2

    return Bounds(edge(estimate, -1.0), edge(estimate, 1.0))


def _likeliest_loss(difference: float, *, wins: int, losses: int, n: int) -> float:
    square = 2.0 * n
    linear = -wins - losses + (2 * n - wins + losses) * difference
    constant = -losses * difference * (1 - difference)
    return (sqrt(max(linear * linear - 4 * square * constant, 0.0)) - linear) / (2 * square)
