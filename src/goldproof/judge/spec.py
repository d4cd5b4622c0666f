"""Values of options after a judge's spec: `llm:google:gemini-3-pro-preview#votes=3,scale=0-4`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from goldproof.core.errors import InputError, UnknownNameError
from goldproof.judge.judge import SCALES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.judge.judge import Scale


def no_rest(rest: str, *, kind: str) -> None:
    """Refuse what follows the colon of a judge that takes nothing."""
    if rest:
        raise InputError(f"{kind}:{rest}: nothing may follow the {kind} judge's name; write {kind}.")


def vote_count(options: Mapping[str, str]) -> int:
    """Return how many votes each model has: an odd number makes ties rare."""
    value = options.get("votes", "1")
    if not (value.isascii() and value.isdigit() and 1 <= int(value) <= 99):
        raise InputError(f"votes={value}: expected a whole number from 1 to 99, such as votes=3.")
    return int(value)


def number(options: Mapping[str, str], name: str, *, least: float, most: float) -> float | None:
    """Return an option that is a number within limits, None where it is not given."""
    value = options.get(name)
    if value is None:
        return None
    try:
        found = float(value)
    except ValueError:
        found = math.nan
    if not least <= found <= most:
        raise InputError(f"{name}={value}: expected a number from {least:g} to {most:g}.")
    return found


def scale_of(options: Mapping[str, str]) -> Scale | None:
    """Return the scale that the options name, None where they name none."""
    name = options.get("scale")
    if name is None:
        return None
    scale = scale_named(name)
    if scale is None:
        raise UnknownNameError("scale", name, SCALES)
    return scale


def scale_named(name: object) -> Scale | None:
    """Return the scale of a name, None where there is none."""
    return next((scale for scale in SCALES.values() if scale.name == name), None)
