"""Observing several names: are they the same object."""

from __future__ import annotations

from .capture import capturing
from .lookup import Found, look_up


def same_seen(**paths: str) -> dict[str, object]:
    """Look several paths up and return which are the same object: equal numbers."""
    numbers: list[object] = []
    groups: dict[str, int | None] = {}
    with capturing():
        for name, path in paths.items():
            found = look_up(path)
            groups[name] = _number(found.value, numbers) if isinstance(found, Found) and not found.field else None
    return {"kind": "same", "name": ", ".join(paths), "paths": dict(paths), "groups": groups}


def _number(value: object, numbers: list[object]) -> int:
    for number, one in enumerate(numbers):
        if one is value:
            return number
    numbers.append(value)
    return len(numbers) - 1
