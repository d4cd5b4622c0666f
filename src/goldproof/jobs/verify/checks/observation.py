"""Read fields of observations: plain data from a sandbox, any part may be missing or of the wrong type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Observation = Mapping[str, object]
RUNS = frozenset({"call", "code", "import", "command"})  # kinds that have an outcome


def text_in(data: Mapping[str, object], key: str) -> str:
    """Return the text under a key; empty where there is none."""
    found = data.get(key)
    return found if isinstance(found, str) else ""


def map_in(data: Mapping[str, object], key: str) -> Mapping[str, Any]:
    """Return the mapping under a key; empty where there is none."""
    found = data.get(key)
    return found if isinstance(found, Mapping) else {}


def maps_in(data: Mapping[str, object], key: str) -> list[Mapping[str, Any]]:
    """Return the mappings in the list under a key."""
    return [one for one in _list(data.get(key)) if isinstance(one, Mapping)]


def texts_in(data: Mapping[str, object], key: str) -> list[str]:
    """Return the texts in the list under a key."""
    return [one for one in _list(data.get(key)) if isinstance(one, str)]


def _list(found: object) -> Sequence[object]:
    return found if isinstance(found, list | tuple) else ()
