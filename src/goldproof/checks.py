"""Bounds of the numbers that a parameter takes.

Every message begins with the name of the stage, then says what was found and what was expected.
"""

from __future__ import annotations

from goldproof.errors import InputError


def whole_number(value: int, name: str, *, stage: str, least: int = 1) -> int:
    """Return a whole number of at least `least`."""
    if value < least:
        raise InputError(f"{stage}: {name} is {value!r}, expected a whole number of at least {least}.")
    return value


def number(value: float, name: str, *, stage: str, above: float) -> float:
    """Return a number above `above`."""
    if not value > above:
        raise InputError(f"{stage}: {name} is {value!r}, expected a number above {above:g}.")
    return float(value)
