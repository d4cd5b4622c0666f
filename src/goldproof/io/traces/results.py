"""Result objects to columns: key normalisation, checks, gains.

A result is an object, or a bare id (text or a whole number). Ids are kept as text: 7 and "7" are one; blanks at both
ends are stripped. Null and empty text are no values, and an object without values is a result without keys. Objects of
one line mostly have the same keys, so a whole line is taken column by column.

`id`, `url`, `title`, `snippet`, `type` and `gain` go by the aliases of `goldproof.io.columns`; `rank` and `score` are
left out, since results stand in the order in which they were returned; `fields` is an object of fields; every other key
is a field. A plan of the keys is made once for all objects with the same keys. Objects whose keys alone do not decide
(two names for one column, `fields`) are normalised first.

Normalised: of several names for one column, the first that has a value counts. A column that the result itself does not
have is taken out of its `fields`, by its own name only (`id`, `url`, `title`, `snippet`, `type`, `gain`): a flat table
has no other place for it, and both forms mean the same. What cannot be a column (a `type` that is a number) stays a
field; a gain is taken whatever it is, so that a bad one is reported.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

import polars as pl

from goldproof.errors import shortened
from goldproof.io.columns import ALIASES, find_key, normal_name
from goldproof.io.json_files import json_kind
from goldproof.records.traces import HIGHEST_GAIN, RESULT_COLUMNS, UNLABELLED, ResultTable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from goldproof.io.json_files import JsonObject
    from goldproof.records.traces import Fields


_T = TypeVar("_T")
_GAINS = {None, *range(HIGHEST_GAIN + 1)}
_NOTHING = type(None)
_TEXT: set[type] = {str, _NOTHING}
_ID: set[type] = {str, int, _NOTHING}
_NUMBER: set[type] = {int, float, _NOTHING}
_OBJECT: set[type] = {dict, _NOTHING}
ROLES: Mapping[str, str] = {"id": "result_id", "url": "url", "title": "title", "snippet": "snippet", "type": "type"}
UNUSED_NAMES = frozenset({*ALIASES["rank"], "score"})
_COLUMN_NAMES = frozenset(alias for role in (*ROLES.values(), "gain") for alias in ALIASES[role])
# name -> its role, and what it may be
_COLUMNS: dict[str, tuple[str, tuple[type, ...]]] = {
    "id": ("result_id", (str, int)),
    **{name: (name, (str,)) for name in ("url", "title", "snippet", "type")},
    "gain": ("gain", (str, int, float, bool, list, dict)),
}


class BadResultError(ValueError):
    """A result that cannot be used: its position in the list, and the reason in a sentence."""

    def __init__(self, index: int, problem: str) -> None:
        self.index = index
        super().__init__(problem)


class ResultLists:
    """Collects results as columns. A column begins with its first value, so an unused one costs nothing."""

    def __init__(self) -> None:
        self._length = 0
        self._columns: dict[str, list[object]] = {}
        self._gains: list[int | None] = []
        self._fields: list[Fields | None] = []

    def __len__(self) -> int:
        return self._length

    def extend(self, results: list[object]) -> None:
        """Add results, all of them or, where one is bad, none."""
        if not results:
            return
        part = _part(results)
        parts = [part] if part is not None else [_single(index, result) for index, result in enumerate(results)]
        for each in parts:
            self._append(each)

    def table(self) -> ResultTable:
        """Return the results as a table."""
        columns = {name: _pad(self._columns[name], self._length) for name in RESULT_COLUMNS if name in self._columns}
        series = [
            _id_series(values) if name == "id" else _text_series(name, values) for name, values in columns.items()
        ]
        used = [column for column in series if column.null_count() < self._length]
        gains = pl.Series(self._gains, dtype=pl.Int8).extend_constant(None, self._length - len(self._gains))
        fields = _pad(self._fields, self._length) if any(self._fields) else None
        return ResultTable(
            pl.DataFrame(used) if used else pl.DataFrame(height=self._length),
            gains.fill_null(UNLABELLED).to_numpy(),
            fields,
        )

    def _append(self, part: _Part) -> None:
        for column, values in part.columns.items():
            _pad(self._columns.setdefault(column, []), self._length).extend(values)
        if part.gains is not None:
            _pad(self._gains, self._length).extend(part.gains)
        if part.fields is not None:
            _pad(self._fields, self._length).extend(part.fields)
        self._length += part.length


def _pad(values: list[_T], length: int) -> list[_T]:
    """Extend a list with None to a length."""
    if len(values) < length:
        values.extend(repeat(None, length - len(values)))  # type: ignore[arg-type]
    return values


def _text_series(name: str, values: list[object]) -> pl.Series:
    return without_empty(pl.Series(name, values, dtype=pl.String))


def _id_series(values: list[object]) -> pl.Series:
    """Return ids as text: 7 and "7" are one."""
    kinds = set(map(type, values))
    if kinds == {int}:
        try:
            return pl.Series("id", values, dtype=pl.Int64).cast(pl.String)
        except (OverflowError, TypeError):  # polars says the one or the other
            pass  # beyond 64 bits
    if int in kinds:
        values = [None if value is None else str(value) for value in values]
    return stripped_ids(pl.Series("id", values, dtype=pl.String))


@dataclass(frozen=True, slots=True)
class _Part:
    """Some checked results; columns without a value are left out."""

    length: int
    columns: Mapping[str, Sequence[object]]
    gains: Sequence[int | None] | None = None
    fields: list[Fields | None] | None = None


def _part(results: list[object]) -> _Part | None:
    """Read results that are all alike; None where they are not."""
    kinds = set(map(type, results))
    if kinds == {dict}:
        planned = plan_results(cast("list[JsonObject]", results))
        return None if planned is None else _objects(planned)
    return _Part(len(results), {"id": results}) if kinds in ({str}, {int}) else None


def _single(index: int, result: object) -> _Part:
    """Read one result."""
    try:
        part = _part([result])
    except BadResultError as error:
        raise BadResultError(index, str(error)) from error
    if part is None:
        raise BadResultError(index, f"is {json_kind(result)}, expected an object or an id.")
    return part


def _objects(planned: PlannedResults) -> _Part:
    plan = planned.plan
    columns = {column: planned.values[key] for column, key in plan.columns.items()}
    for column, values in columns.items():
        allowed, expected = (_ID, "text or a whole number") if column == "id" else (_TEXT, "text")
        if not set(map(type, values)) <= allowed:
            _check(values, plan.columns[column], allowed=allowed, expected=expected)
    gains = None if plan.gain is None else _gains(planned.values[plan.gain], plan.gain)
    fields = _fields(planned.objects, plan) if plan.has_fields else None
    return _Part(len(planned.objects), columns, gains, fields)


def _check(values: Sequence[object], key: str, *, allowed: set[type], expected: str) -> None:
    for index, value in enumerate(values):
        if type(value) not in allowed:
            raise BadResultError(index, f"key {key!r} is {json_kind(value)}, expected {expected}.")


def _gains(values: Sequence[object], key: str) -> Sequence[int | None]:
    kinds = set(map(type, values))
    if not kinds <= _NUMBER or not set(values) <= _GAINS:
        _first_bad(values, key, good=lambda value: type(value) in _NUMBER and value in _GAINS)
    if float in kinds:
        return [None if value is None else int(value) for value in values]  # type: ignore[call-overload]
    return values  # type: ignore[return-value]


def _first_bad(values: Sequence[object], key: str, *, good: Callable[[object], bool]) -> None:
    for index, value in enumerate(values):
        if not good(value):
            raise BadResultError(index, f"{bad_gain(value)} (key {key!r}).")


def bad_gain(value: object) -> str:
    """Return the problem of a gain in words."""
    shown = repr(value)
    shown = {"True": "true", "False": "false"}.get(shown, shortened(shown, longest=40))
    return f"gain {shown} is not a whole number from 0 to {HIGHEST_GAIN}"


def _fields(results: list[JsonObject], plan: KeyPlan) -> list[Fields | None]:
    own = [_own_fields(result, plan.extra) for result in results]
    if plan.fields is None:
        return own
    nested = [result.get(plan.fields) for result in results]
    _check(nested, plan.fields, allowed=_OBJECT, expected="an object")
    return list(map(_merged, own, cast("list[Fields | None]", nested)))


def _own_fields(result: JsonObject, keys: tuple[str, ...]) -> Fields | None:
    return ({key: value for key in keys if has_value(value := result.get(key))} or None) if keys else None


def _merged(own: Fields | None, nested: Fields | None) -> Fields | None:
    """Return the fields of a result; those of the `fields` object win."""
    if nested and (None in nested.values() or "" in nested.values()):
        nested = {key: value for key, value in nested.items() if has_value(value)}
    return own | nested if own and nested else (own or nested or None)


@dataclass(frozen=True, slots=True)
class KeyPlan:
    """The role of each key: column -> key; the keys that are fields; whether every key is a column or the gain."""

    columns: Mapping[str, str]
    gain: str | None
    fields: str | None
    extra: tuple[str, ...]
    complete: bool = False
    ambiguous: bool = False

    @property
    def has_fields(self) -> bool:
        """Whether there may be fields."""
        return self.fields is not None or bool(self.extra)

    @property
    def keys(self) -> list[str]:
        """The keys of columns, and of the gain last."""
        return [*self.columns.values(), *([] if self.gain is None else [self.gain])]


class PlannedResults(NamedTuple):
    """Some objects, normalised, and their values key by key."""

    plan: KeyPlan
    objects: list[JsonObject]
    values: Mapping[str, Sequence[object]]


def plan_results(results: list[JsonObject]) -> PlannedResults | None:
    """Return the values of objects by one plan, or None where they need a plan each.

    They do where a key is a column of one object and a field of another (`text` beside a `snippet`, and on its own).
    """
    first = results[0]
    plan = plan_of(tuple(first))
    if plan.complete and sum(map(len, results)) == len(first) * len(results):
        try:
            return PlannedResults(plan, results, {key: [result[key] for result in results] for key in plan.keys})
        except KeyError:
            pass  # other keys, though as many
    shapes = frozenset(map(tuple, results))
    if _needs_normalising(shapes):
        results = [normalised(result, fields=plan_of(tuple(result)).fields) for result in results]
        shapes = frozenset(map(tuple, results))
    shared = _shared_plan(shapes)
    if shared is None:
        return None
    return PlannedResults(shared, results, {key: [result.get(key) for result in results] for key in shared.keys})


@lru_cache(maxsize=1024)
def _needs_normalising(shapes: frozenset[tuple[str, ...]]) -> bool:
    return any(plan_of(keys).ambiguous for keys in shapes)


@lru_cache(maxsize=1024)
def _shared_plan(keys: frozenset[tuple[str, ...]]) -> KeyPlan | None:
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
    return KeyPlan(columns, next(iter(gains), None), next(iter(fields), None), tuple(sorted(extra)))


@lru_cache(maxsize=1024)
def plan_of(keys: tuple[str, ...]) -> KeyPlan:
    """Return the plan for objects with these keys."""
    record = dict.fromkeys(keys)
    keys_of = {column: find_key(record, role) for column, role in ROLES.items()}
    columns = {column: key for column, key in keys_of.items() if key is not None}
    gain = find_key(record, "gain")
    fields = next((key for key in keys if normal_name(key) == "fields"), None)
    used = {*columns.values(), gain, fields} - {None}
    extra = tuple(sorted(key for key in keys if key not in used and normal_name(key) not in UNUSED_NAMES))
    return KeyPlan(
        columns,
        gain,
        fields,
        extra,
        complete=bool(keys) and fields is None and len(used) == len(keys),
        ambiguous=fields is not None or any(normal_name(key) in _COLUMN_NAMES for key in extra),
    )


def normalised(result: JsonObject, *, fields: str | None) -> JsonObject:
    """Return an object with its values under the keys that are read. fields: the key of its fields."""
    if None in result.values() or "" in result.values():
        result = {key: value for key, value in result.items() if has_value(value)}
    nested = None if fields is None else result.get(fields)
    if fields is None or not isinstance(nested, dict) or _COLUMNS.keys().isdisjoint(nested):
        return result
    lifted = {name: value for name, value in nested.items() if _is_column(name, value, result=result)}
    rest = {name: value for name, value in nested.items() if name not in lifted}
    return {**result, fields: rest, **lifted}


def _is_column(name: str, value: object, *, result: JsonObject) -> bool:
    """Return whether a field is a column that the result itself does not have."""
    if name not in _COLUMNS or not has_value(value):
        return False
    role, kinds = _COLUMNS[name]
    return type(value) in kinds and find_key(result, role) is None


def has_value(value: object) -> bool:
    """Return whether a value is neither null nor empty text."""
    return value is not None and value != ""


def stripped_ids(texts: pl.Series) -> pl.Series:
    """Return ids without blanks at both ends; one of blanks alone is null."""
    return without_empty(texts.str.strip_chars())


def without_empty(texts: pl.Series) -> pl.Series:
    """Return a column of text with null in place of empty text."""
    if not (texts == "").any():
        return texts
    return texts.to_frame().select(pl.when(pl.first() != "").then(pl.first())).to_series()
