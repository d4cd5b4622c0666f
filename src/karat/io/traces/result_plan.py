"""Which key of a result object is which column.

`id`, `url`, `title`, `snippet`, `type` and `gain` go by the aliases of `karat.io.columns`; `rank` and `score` are left
out, since results stand in the order in which they were returned; `fields` is an object of fields; every other key is a
field. A plan is made once for all objects with the same keys.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from karat.io.columns import ALIASES, find_key, normal_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from karat.io.jsonl import JsonObject

ROLES: Mapping[str, str] = {"id": "result_id", "url": "url", "title": "title", "snippet": "snippet", "type": "type"}
UNUSED_NAMES = frozenset({*ALIASES["rank"], "score"})


@dataclass(frozen=True, slots=True)
class Plan:
    """Which key holds what: column -> key; the keys that are fields; whether every key is a column or the gain."""

    columns: Mapping[str, str]
    gain: str | None
    fields: str | None
    extra: tuple[str, ...]
    complete: bool = False

    @property
    def has_fields(self) -> bool:
        """Whether there may be fields."""
        return self.fields is not None or bool(self.extra)

    @property
    def keys(self) -> list[str]:
        """The keys of columns, and of the gain last."""
        return [*self.columns.values(), *([] if self.gain is None else [self.gain])]


class Taken(NamedTuple):
    """The values of some objects, key by key."""

    plan: Plan
    values: Mapping[str, Sequence[object]]


def take(results: list[JsonObject]) -> Taken | None:
    """Return the values of objects, or None where they need a plan each.

    They do where a key is a column of one object and a field of another (`text` beside a `snippet`, and on its own).
    """
    first = results[0]
    plan = _plan(tuple(first))
    if plan.complete and sum(map(len, results)) == len(first) * len(results):
        try:
            return Taken(plan, {key: [result[key] for result in results] for key in plan.keys})
        except KeyError:
            pass  # other keys, though as many
    shared = _shared_plan(frozenset(map(tuple, results)))
    if shared is None:
        return None
    return Taken(shared, {key: [result.get(key) for result in results] for key in shared.keys})


@lru_cache(maxsize=1024)
def _shared_plan(keys: frozenset[tuple[str, ...]]) -> Plan | None:
    """Return the plan that serves objects with these keys, or None where they need one each."""
    plans = [_plan(names) for names in keys]
    columns: dict[str, str] = {}
    for plan in plans:
        if any(columns.setdefault(column, key) != key for column, key in plan.columns.items()):
            return None
    gains, fields = {plan.gain for plan in plans} - {None}, {plan.fields for plan in plans} - {None}
    if len(gains) > 1 or len(fields) > 1:
        return None
    extra = {key for plan in plans for key in plan.extra}
    return Plan(columns, next(iter(gains), None), next(iter(fields), None), tuple(sorted(extra)))


@lru_cache(maxsize=1024)
def _plan(keys: tuple[str, ...]) -> Plan:
    record = dict.fromkeys(keys)
    found = {column: find_key(record, role) for column, role in ROLES.items()}
    columns = {column: key for column, key in found.items() if key is not None}
    gain = find_key(record, "gain")
    fields = next((key for key in keys if normal_name(key) == "fields"), None)
    used = {*columns.values(), gain, fields} - {None}
    extra = tuple(sorted(key for key in keys if key not in used and normal_name(key) not in UNUSED_NAMES))
    return Plan(columns, gain, fields, extra, complete=bool(keys) and fields is None and len(used) == len(keys))
