"""Normalise observations for storage: the same from run to run, and bounded in size.

Addresses in memory (`<object at 0x7f...>`) differ from run to run and are masked; long texts are cut, long lists end.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.jobs.verify.proof import Tried

# `0x7f...`, and `@ 140...`: an address as `id` writes it.
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}|(?<=[@ ])1\d{14}\b")
_LONGEST_TEXT = 2_000
_MOST_ITEMS = 200
_DEEPEST = 12


def kept_observation(observation: Mapping[str, object]) -> dict[str, object]:
    """Return an observation as it is kept."""
    return {str(key): _kept(value, depth=1) for key, value in observation.items()}


def slimmed(tried: Tried) -> Tried:
    """Return a try with its observations as they are kept, and without those of its control: suites may be large."""
    run = replace(tried.run, observations=tuple(map(kept_observation, tried.run.observations)), stdout="", stderr="")
    return replace(tried, run=run, control_run=None)


def masked(text: str) -> str:
    """Return a text without addresses in memory."""
    return _ADDRESS.sub("0x...", text)


def _kept(value: object, *, depth: int) -> object:
    if isinstance(value, str):
        text = masked(value)
        return text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}... ({len(text):,} characters)"
    if depth > _DEEPEST:
        return "..."
    if isinstance(value, dict):
        items = list(value.items())[:_MOST_ITEMS]
        return {masked(str(key)): _kept(item, depth=depth + 1) for key, item in items}
    if isinstance(value, list | tuple):
        items_ = [_kept(item, depth=depth + 1) for item in value[:_MOST_ITEMS]]
        return [*items_, f"... ({len(value):,} in all)"] if len(value) > _MOST_ITEMS else items_
    return value
