"""Result objects in which each column stands under the key where it is looked for.

Of several names for one column, the first that says something counts; null and empty text say nothing. A column that
the result itself does not have is taken out of its `fields`, by its own name only (`id`, `url`, `title`, `snippet`,
`type`, `gain`): a flat table has no other place for it, and both forms mean the same. What cannot be a column (a `type`
that is a number) stays a field; a gain is taken whatever it is, so that a bad one is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.io.columns import find_key
from goldproof.io.traces.cells import says

if TYPE_CHECKING:
    from goldproof.io.jsonl import JsonObject

# name -> its role, and what it may be
_COLUMNS: dict[str, tuple[str, tuple[type, ...]]] = {
    "id": ("result_id", (str, int)),
    **{name: (name, (str,)) for name in ("url", "title", "snippet", "type")},
    "gain": ("gain", (str, int, float, bool, list, dict)),
}


def settled(result: JsonObject, *, fields: str | None) -> JsonObject:
    """Return an object that says the same under the keys that are looked at. fields: the key of its fields."""
    if None in result.values() or "" in result.values():
        result = {key: value for key, value in result.items() if says(value)}
    given = None if fields is None else result.get(fields)
    if fields is None or not isinstance(given, dict) or _COLUMNS.keys().isdisjoint(given):
        return result
    lifted = {name: value for name, value in given.items() if _is_column(name, value, result=result)}
    rest = {name: value for name, value in given.items() if name not in lifted}
    return {**result, fields: rest, **lifted}


def _is_column(name: str, value: object, *, result: JsonObject) -> bool:
    """Say whether a field is a column that the result itself does not have."""
    if name not in _COLUMNS or not says(value):
        return False
    role, kinds = _COLUMNS[name]
    return type(value) in kinds and find_key(result, role) is None
