"""Results as columns that grow, and what of a result is refused.

A result is an object (see `goldproof.io.traces.result_plan`), or a bare id (text or a whole number). Ids are kept as
text: 7 and "7" are one; blanks at both ends are stripped. Null and empty text say nothing. An object that says nothing
is a result without keys. Objects of one line mostly have the same keys, so a whole line is taken column by column.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING, TypeVar, cast

import polars as pl

from goldproof.core.traces import HIGHEST_GAIN, RESULT_COLUMNS, UNLABELLED, ResultTable
from goldproof.io.jsonl import json_kind
from goldproof.io.traces.cells import bad_gain, says, stripped_ids, without_empty
from goldproof.io.traces.result_plan import take

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from goldproof.core.traces import Fields
    from goldproof.io.jsonl import JsonObject
    from goldproof.io.traces.result_plan import Plan, Taken

_T = TypeVar("_T")
_GAINS = {None, *range(HIGHEST_GAIN + 1)}
_NOTHING = type(None)
_TEXT: set[type] = {str, _NOTHING}
_ID: set[type] = {str, int, _NOTHING}
_NUMBER: set[type] = {int, float, _NOTHING}
_OBJECT: set[type] = {dict, _NOTHING}


class BadResultError(ValueError):
    """A result that cannot be used: its position in the list, and why, in a sentence."""

    def __init__(self, index: int, problem: str) -> None:
        self.index = index
        super().__init__(problem)


class ResultLists:
    """Results collected so far. A list begins with the first value in it: what is never said costs nothing."""

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
        """Return what was collected."""
        given = {name: _pad(self._columns[name], self._length) for name in RESULT_COLUMNS if name in self._columns}
        series = [_id_series(values) if name == "id" else _text_series(name, values) for name, values in given.items()]
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
    """Let a list that holds None where nothing is said reach a length."""
    if len(values) < length:
        values.extend(repeat(None, length - len(values)))  # type: ignore[arg-type]
    return values


@dataclass(frozen=True, slots=True)
class _Part:
    """Some checked results; what none of them says is left out."""

    length: int
    columns: Mapping[str, Sequence[object]]
    gains: Sequence[int | None] | None = None
    fields: list[Fields | None] | None = None


def _part(results: list[object]) -> _Part | None:
    """Take results that are all alike, or return None where they are not."""
    kinds = set(map(type, results))
    if kinds == {dict}:
        taken = take(cast("list[JsonObject]", results))
        return None if taken is None else _objects(taken)
    return _Part(len(results), {"id": results}) if kinds in ({str}, {int}) else None


def _single(index: int, result: object) -> _Part:
    """Take one result."""
    try:
        part = _part([result])
    except BadResultError as error:
        raise BadResultError(index, str(error)) from error
    if part is None:
        raise BadResultError(index, f"is {json_kind(result)}, expected an object or an id.")
    return part


def _objects(taken: Taken) -> _Part:
    plan = taken.plan
    columns = {column: taken.values[key] for column, key in plan.columns.items()}
    for column, values in columns.items():
        allowed, expected = (_ID, "text or a whole number") if column == "id" else (_TEXT, "text")
        if not set(map(type, values)) <= allowed:
            _check(values, plan.columns[column], allowed=allowed, expected=expected)
    gains = None if plan.gain is None else _gains(taken.values[plan.gain], plan.gain)
    fields = _fields(taken.objects, plan) if plan.has_fields else None
    return _Part(len(taken.objects), columns, gains, fields)


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


def _fields(results: list[JsonObject], plan: Plan) -> list[Fields | None]:
    own = [_own_fields(result, plan.extra) for result in results]
    if plan.fields is None:
        return own
    given = [result.get(plan.fields) for result in results]
    _check(given, plan.fields, allowed=_OBJECT, expected="an object")
    return list(map(_merged, own, cast("list[Fields | None]", given)))


def _own_fields(result: JsonObject, keys: tuple[str, ...]) -> Fields | None:
    return ({key: value for key in keys if says(value := result.get(key))} or None) if keys else None


def _merged(own: Fields | None, given: Fields | None) -> Fields | None:
    """Return the fields of a result; where both say something, what was given as a field counts."""
    if given and (None in given.values() or "" in given.values()):
        given = {key: value for key, value in given.items() if says(value)}
    return own | given if own and given else (own or given or None)


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
