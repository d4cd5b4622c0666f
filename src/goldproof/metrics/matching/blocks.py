"""Ragged segments as small dense matrices, and binary search in all their rows at once.

A segment holds the keys of one question (its scores), or of one group of equals (their ids). Segments of similar length
are padded to a common width and cut into blocks that stay in the processor's cache. In a block keys rise, so that what
is ranked first is smallest.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.core.arrays import BoolArray, IntArray

CELLS = 1 << 17
Keys: TypeAlias = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Some segments of similar length, and the wanted keys among them.

    segments: which ones; begin, length: where their keys stand. wanted: which wanted keys belong to them; row: per
    wanted key, the row of its segment in the block.
    """

    segments: IntArray
    begin: IntArray
    length: IntArray
    wanted: IntArray
    row: IntArray

    def matrix(self, keys: Keys, *, pad: float) -> Keys:
        """Return the keys, a row per segment."""
        width, low, rows = int(self.length.max()), int(self.begin[0]), len(self.begin)
        if (self.length == width).all() and (self.begin == low + width * np.arange(rows)).all():
            return keys[low : low + width * rows].reshape(rows, width)
        column = np.arange(width)
        inside: BoolArray = column < self.length[:, None]
        cells = np.full(inside.shape, pad, dtype=keys.dtype)
        cells[inside] = keys[(self.begin[:, None] + column)[inside]]
        return cells


class Cells(NamedTuple):
    """The keys of a block as they came, and each row in rising order.

    order: where each key stood before sorting; None where that is not known yet.
    """

    keys: Keys
    ordered: Keys
    order: IntArray | None


class Equals(NamedTuple):
    """Wanted keys that share their value with another key of their row.

    shared: which of the block's wanted keys; group: their group. size: per group, how many keys are equal; row: per
    group, its row, rising. column: where the members stood in their row before sorting, group after group.
    """

    shared: IntArray
    group: IntArray
    size: IntArray
    row: IntArray
    column: IntArray


def blocks(begin: IntArray, length: IntArray, *, wanted: IntArray) -> Iterator[Block]:
    """Cut the segments that have keys into blocks; `wanted` is the segment of each wanted key."""
    width_bits = np.frexp(np.maximum(length, 1) - 0.5)[1].astype(np.int64)
    order = np.argsort(width_bits, kind="stable")
    order = order[length[order] > 0]
    place = np.full(len(length), -1, dtype=np.int64)
    place[order] = np.arange(len(order))
    where = place[wanted]
    by_place = np.argsort(where, kind="stable") if (where[1:] < where[:-1]).any() else np.arange(len(where))
    where = where[by_place]
    for low, high in _cuts(np.left_shift(1, width_bits[order])):
        start, stop = np.searchsorted(where, [low, high])
        some = order[low:high]
        yield Block(some, begin[some], length[some], by_place[start:stop], where[start:stop] - low)


def _cuts(widths: IntArray) -> Iterator[tuple[int, int]]:
    """Cut rising widths into stretches of one width and about CELLS cells."""
    edges = [0, *(np.flatnonzero(np.diff(widths)) + 1).tolist(), len(widths)]
    for low, high in pairwise(edges):
        step = max(1, CELLS // int(widths[low])) if high > low else 1
        for start in range(low, high, step):
            yield start, min(start + step, high)


def order_cells(keys: Keys, *, keep_order: bool) -> Cells:
    """Sort each row, unless all are sorted; keep_order: the order is likely to be asked for."""
    if (keys[:, 1:] >= keys[:, :-1]).all():
        return Cells(keys, keys, None)
    if not keep_order:
        return Cells(keys, np.sort(keys, axis=1), None)
    order = np.argsort(keys, axis=1)
    return Cells(keys, np.take_along_axis(keys, order, axis=1), order)


def count_smaller(ordered: Keys, row: IntArray, key: Keys) -> IntArray:
    """Count, per key, the smaller cells of its row; rows rise."""
    # One binary search for all keys at once: each step halves every open interval.
    flat, left = ordered.ravel(), ordered.shape[1]
    first = row * left
    at = first.copy()
    while left > 1:
        half = left // 2
        at += half * (flat[at + (half - 1)] < key)
        left -= half
    smaller: IntArray = at - first + (flat[at] < key)
    return smaller


def repeats(ordered: Keys) -> BoolArray:
    """Mark, in one row, the cells that equal the one before in their row; with one more, unmarked, at the end."""
    marks = np.zeros(ordered.size + 1, dtype=np.bool_)
    np.equal(ordered[:, 1:], ordered[:, :-1], out=marks[:-1].reshape(ordered.shape)[:, 1:])
    return marks


def equals(cells: Cells, repeated: BoolArray, *, row: IntArray, smaller: IntArray) -> Equals | None:
    """Find the groups of equal keys that hold a wanted key; None where every wanted key stands alone.

    repeated: `repeats` of the cells. smaller: per wanted key, how many keys of its row are smaller.
    """
    width = cells.ordered.shape[1]
    cell = row * width + smaller  # the first of its equals
    shared = np.flatnonzero(repeated[cell + 1])
    if not len(shared):
        return None
    cell = cell[shared]
    starts = np.flatnonzero(~repeated)  # of stretches of equal keys
    stretch_at = np.empty(len(repeated), dtype=np.int64)  # set, and read, only where a stretch starts
    stretch_at[starts] = np.arange(len(starts))
    stretch = stretch_at[cell]
    asked = np.zeros(len(starts), dtype=np.bool_)
    asked[stretch] = True
    chosen = np.flatnonzero(asked)
    begin, size = starts[chosen], starts[chosen + 1] - starts[chosen]
    group_row, order = begin // width, cells.order
    if order is None:  # only of the rows that need it
        new_row = first_of_each(group_row)
        order = np.argsort(cells.keys[group_row[new_row]], axis=1)
        begin = begin + (np.cumsum(new_row) - 1 - group_row) * width
    return Equals(shared, (np.cumsum(asked) - 1)[stretch], size, group_row, order.ravel()[ranges(begin, size)])


def ranges(begin: IntArray, length: IntArray) -> IntArray:
    """Return begin[0], begin[0] + 1, ... (length[0] of them), then the same for the next."""
    return np.repeat(begin - (np.cumsum(length) - length), length) + np.arange(int(length.sum()))


def first_of_each(values: IntArray) -> BoolArray:
    """Mark the first of each stretch of equal values."""
    first = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=first[1:])
    return first
