"""Which key of a result object is which column.

`id`, `url`, `title`, `snippet`, `type` and `gain` go by the aliases of `goldproof.io.columns`; `rank` and `score` are
left out, since results stand in the order in which they were returned; `fields` is an object of fields; every other key
is a field. A plan is made once for all objects with the same keys. Objects whose keys alone do not tell (two names for
one column, `fields`) are settled first: see `goldproof.io.traces.settled`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from goldproof.io.columns import ALIASES, find_key, normal_name
from goldproof.io.traces.settled import settled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.io.jsonl import JsonObject

ROLES: Mapping[str, str] = {"id": "result_id", "url": "url", "title": "title", "snippet": "snippet", "type": "type"}
UNUSED_NAMES = frozenset({*ALIASES["rank"], "score"})
_COLUMN_NAMES = frozenset(alias for role in (*ROLES.values(), "gain") for alias in ALIASES[role])


@dataclass(frozen=True, slots=True)
class Plan:
    """Which key holds what: column -> key; the keys that are fields; whether every key is a column or the gain."""

    columns: Mapping[str, str]
    gain: str | None
    fields: str | None
    extra: tuple[str, ...]
    complete: bool = False
    unsettled: bool = False

    @property
    def has_fields(self) -> bool:
        """Whether there may be fields."""
        return self.fields is not None or bool(self.extra)

    @property
    def keys(self) -> list[str]:
        """The keys of columns, and of the gain last."""
        return [*self.columns.values(), *([] if self.gain is None else [self.gain])]


class Taken(NamedTuple):
    """Some objects, settled, and their values key by key."""

    plan: Plan
    objects: list[JsonObject]
    values: Mapping[str, Sequence[object]]


def take(results: list[JsonObject]) -> Taken | None:
    """Return the values of objects, or None where they need a plan each.

    They do where a key is a column of one object and a field of another (`text` beside a `snippet`, and on its own).
    """
    first = results[0]
    plan = plan_of(tuple(first))
    if plan.complete and sum(map(len, results)) == len(first) * len(results):
        try:
            return Taken(plan, results, {key: [result[key] for result in results] for key in plan.keys})
        except KeyError:
            pass  # other keys, though as many
    shapes = frozenset(map(tuple, results))
    if _unsettled(shapes):
        results = [settled(result, fields=plan_of(tuple(result)).fields) for result in results]
        shapes = frozenset(map(tuple, results))
    shared = _shared_plan(shapes)
    if shared is None:
        return None
    return Taken(shared, results, {key: [result.get(key) for result in results] for key in shared.keys})


@lru_cache(maxsize=1024)
def _unsettled(shapes: frozenset[tuple[str, ...]]) -> bool:
    return any(plan_of(keys).unsettled for keys in shapes)


@lru_cache(maxsize=1024)
def _shared_plan(keys: frozenset[tuple[str, ...]]) -> Plan | None:
    """Return the plan that serves objects with these keys, or None where they need one each."""
    plans = [plan_of(names) for names in keys]
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
def plan_of(keys: tuple[str, ...]) -> Plan:
    """Return the plan for objects with these keys."""
    record = dict.fromkeys(keys)
    found = {column: find_key(record, role) for column, role in ROLES.items()}
    columns = {column: key for column, key in found.items() if key is not None}
    gain = find_key(record, "gain")
    fields = next((key for key in keys if normal_name(key) == "fields"), None)
    used = {*columns.values(), gain, fields} - {None}
    extra = tuple(sorted(key for key in keys if key not in used and normal_name(key) not in UNUSED_NAMES))
    return Plan(
        columns,
        gain,
        fields,
        extra,
        complete=bool(keys) and fields is None and len(used) == len(keys),
        unsettled=fields is not None or any(normal_name(key) in _COLUMN_NAMES for key in extra),
    )
