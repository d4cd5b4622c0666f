"""The levels of a trace in rows that stand in order: where iterations and searches begin, and what a group says."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from goldproof.core.arrays import BoolArray, IntArray
    from goldproof.io.traces.flat_rows import FlatRows

_ORDER = ("iteration", "search", "rank")


class Levels(NamedTuple):
    """The first row of each iteration and of each search, and how many rows there are."""

    iterations: IntArray
    searches: IntArray
    rows: int

    def search_of_row(self) -> IntArray:
        """Return which search each row belongs to."""
        return np.repeat(np.arange(len(self.searches)), np.diff(self.searches, append=self.rows))


class GroupValues(NamedTuple):
    """What each group says, null where it says nothing; and the rows that say something else than the one before."""

    values: pl.Series
    differing: IntArray


def in_order(rows: FlatRows) -> FlatRows:
    """Return the rows by iteration, search and rank within each conversation."""
    keys = [key for role in _ORDER if (key := rows.whole(role)) is not None]
    if _sorted(rows.codes, keys):
        return rows
    return rows.take(np.lexsort([*reversed(keys), rows.codes]))


def _sorted(codes: IntArray, keys: list[IntArray]) -> bool:
    tied = codes[1:] == codes[:-1]
    for key in keys:
        if bool((tied & (key[1:] < key[:-1])).any()):
            return False
        tied &= key[1:] == key[:-1]
    return True


def levels(rows: FlatRows) -> Levels:
    """Find where iterations and searches begin."""
    new = _changes(rows.codes)
    iteration, search = rows.whole("iteration"), rows.whole("search")
    if iteration is not None:
        new |= _changes(iteration)
    iterations = np.flatnonzero(new)
    if search is None:
        return Levels(iterations, iterations, len(rows))
    new |= _changes(search)
    return Levels(iterations, np.flatnonzero(new), len(rows))


def _changes(values: IntArray) -> BoolArray:
    changes = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=changes[1:])
    return changes


def group_values(values: pl.Series, codes: IntArray, *, groups: int) -> GroupValues:
    """Return what each group of rows says. codes: which group a row belongs to, never descending."""
    told = np.flatnonzero(values.is_not_null().to_numpy())
    if not len(told):
        return GroupValues(pl.Series(values.name, [None] * groups, dtype=values.dtype), told)
    if len(told) < len(values):
        values, codes = values.gather(told), codes[told]
    new = _changes(codes)
    differs = ~new
    differs[1:] &= (values.slice(1) != values.slice(0, len(values) - 1)).to_numpy()
    firsts = np.flatnonzero(new)
    if len(firsts) == groups:
        return GroupValues(values.gather(firsts), told[differs])
    spread = pl.Series([None], dtype=pl.Int64).new_from_index(0, groups).scatter(codes[firsts], firsts)
    return GroupValues(values.gather(spread), told[differs])
