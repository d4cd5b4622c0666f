"""Filters on metadata: `{"field": value | [values] | {"gte": a, "lte": b}}`, all of which must hold.

Operators are gte, gt, lte, lt. `meta.year` is a field inside a field; `id` and `title` are fields as well. Numbers
compare as numbers (1 and 1.0 are equal, 1 and True are not), ISO dates as dates, other text exactly, by its characters.
A date stands for its whole day or month, so that `lte: 2020-12-31` holds until midnight of the last day; a whole number
of four digits stands for the year where the metadata has dates. Values of different kinds never match. Metadata that is
a list matches if any of its items does; a missing field matches nothing, nor does a stranger.

A field that no document has is an error, and so is a value of a kind that the field never holds: the empty result would
look like an answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from goldproof.errors import InputError, UnknownNameError
from goldproof.retrieve.filtering.comparing import Operator, comparable, holds
from goldproof.retrieve.metadata_fields import document_value, field_names, value_of

if TYPE_CHECKING:
    from goldproof.records.arrays import BoolArray
    from goldproof.retrieve.retriever import Filters
    from goldproof.retrieve.shelf import Shelf

OPERATORS: tuple[Operator, ...] = ("gte", "gt", "lte", "lt")
_SEVERAL = (list, tuple, set, frozenset)


class Comparison(NamedTuple):
    """What one value must be."""

    operator: Operator
    value: object


# All tests of one of the alternatives must hold.
Condition: TypeAlias = tuple[tuple[Comparison, ...], ...]


def matches(filters: Filters, metadata: Mapping[str, object]) -> bool:
    """Say whether metadata satisfies all filters."""
    return all(satisfies(value_of(metadata, name), read_condition(name, wanted)) for name, wanted in filters.items())


def filter_mask(shelf: Shelf, filters: Filters) -> BoolArray:
    """Return, of each document of the corpus, whether it satisfies all filters."""
    mask = np.ones(shelf.size, dtype=np.bool_)
    for name, wanted in filters.items():
        condition = read_condition(name, wanted)
        values = [document_value(document, name) for document in shelf.documents]
        _refuse_senseless(shelf, values, name=name, condition=condition)
        mask &= np.fromiter((satisfies(value, condition) for value in values), dtype=np.bool_, count=shelf.size)
    return mask


def satisfies(value: object, condition: Condition) -> bool:
    """Say whether a value of the metadata, or any item where it is a list, satisfies a condition."""
    if isinstance(value, _SEVERAL):
        return any(satisfies(one, condition) for one in value)
    return any(all(holds(value, test.operator, test.value) for test in tests) for tests in condition)


def read_condition(name: str, wanted: object) -> Condition:
    """Return what a filter asks of a field."""
    if isinstance(wanted, Mapping):
        return (_range(name, wanted),)
    values = tuple(wanted) if isinstance(wanted, list | tuple) else (wanted,)
    if not values:
        raise InputError(f"filter: {name} has an empty list of values, so nothing could match; leave the filter out.")
    return tuple((Comparison("eq", _scalar(name, value)),) for value in values)


def _range(name: str, wanted: Mapping[object, object]) -> tuple[Comparison, ...]:
    if not wanted:
        raise InputError(f"filter: {name} has an empty range; expected some of {', '.join(OPERATORS)}.")
    tests = []
    for operator, value in wanted.items():
        known = next((one for one in OPERATORS if one == operator), None)
        if known is None:
            raise UnknownNameError(f"operator of filter {name}", str(operator), OPERATORS)
        if isinstance(value, bool):
            raise InputError(f"filter: {name} {operator} {value}: true and false have no order.")
        tests.append(Comparison(known, _scalar(name, value)))
    return tuple(tests)


def _scalar(name: str, value: object) -> object:
    if value is None or not isinstance(value, str | int | float | date):
        raise InputError(f"filter: {name} is compared with {value!r}; expected text, a number, a date or true/false.")
    return value


def _refuse_senseless(shelf: Shelf, values: list[object | None], *, name: str, condition: Condition) -> None:
    """Refuse a filter that no document of such a corpus could satisfy."""
    if not shelf.size:
        return
    there = [value for value in values if value is not None]
    if not there:
        raise UnknownNameError("field of a filter", name, field_names(shelf.documents))
    if not any(all(any(_comparable(one, test.value) for one in there) for test in tests) for tests in condition):
        value = condition[0][0].value
        raise InputError(
            f"filter: {name} is compared with {value!r} ({type(value).__name__}), but documents hold values such "
            f"as {there[0]!r} ({type(there[0]).__name__}); write the value as the documents do."
        )


def _comparable(found: object, value: object) -> bool:
    return any(comparable(one, value) for one in found) if isinstance(found, _SEVERAL) else comparable(found, value)
