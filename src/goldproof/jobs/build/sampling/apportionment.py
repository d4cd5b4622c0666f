"""Largest-remainder apportionment, and the order of a pool.

Largest remainder: each name gets the whole part of total * weight / (sum of weights); what is left goes, one each, to
the largest remainders. Equal remainders: the larger weight first, then the name. Exact (no floating point), and nothing
depends on the order of the mapping.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from goldproof.errors import InputError
from goldproof.records.keys import content_key

if TYPE_CHECKING:
    from collections.abc import Mapping


def apportion(total: int, weights: Mapping[str, Fraction | int]) -> dict[str, int]:
    """Return whole numbers that sum to `total` and are as close to the weights as whole numbers can be, sorted by name.

    No names, or only weights of 0, can take nothing: then only a total of 0 is possible.
    """
    names = sorted(weights)
    whole = sum((Fraction(weights[name]) for name in names), Fraction(0))
    _check_weights(total, weights, whole=whole)
    if not whole:
        return dict.fromkeys(names, 0)
    exact = {name: total * Fraction(weights[name]) / whole for name in names}
    parts = {name: int(exact[name]) for name in names}
    by_remainder = sorted(names, key=lambda name: (parts[name] - exact[name], -weights[name], name))
    for name in by_remainder[: total - sum(parts.values())]:
        parts[name] += 1
    return parts


def order_number(seed: int, id: str) -> int:  # noqa: A002 - it is the id of a sample
    """Return the place of a sample in its pool: the first 8 bytes of a sha256 over seed and id, so 0 to 2^64 - 1."""
    return int(content_key(seed, id)[:16], 16)


def _check_weights(total: int, weights: Mapping[str, Fraction | int], *, whole: Fraction) -> None:
    if total < 0:
        raise InputError(f"cannot apportion {total}, expected 0 or more.")
    below = sorted(name for name, weight in weights.items() if weight < 0)
    if below:
        raise InputError(f"the weight of {below[0]!r} is {weights[below[0]]}, expected 0 or more.")
    if total and not whole:
        raise InputError(f"cannot apportion {total}: no name has a weight above 0.")
