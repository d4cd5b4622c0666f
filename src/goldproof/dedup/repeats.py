"""Which rows of a group hold a number that an earlier row of the same group holds.

The workhorse of duplicate marking. A group is laid out as one row of a matrix, each cell `number << bits | position`;
after sorting the rows, cells that differ only in their last bits are neighbours, in order of position. Groups of like
length share a matrix of about the size of a processor's cache. Small numbers are sorted as 32 bits, in half the time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from goldproof.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from goldproof.core.arrays import BoolArray, IntArray

    _Cells: TypeAlias = npt.NDArray[np.signedinteger[Any]]

_CELLS = 1 << 16
_NARROW_POSITION = 15  # bits; a cell without a number holds its position twice, beside the sign


class _Layout(NamedTuple):
    """How a cell is made up: the bits of the position, and the type of the whole."""

    bits: int
    dtype: np.dtype[np.signedinteger[Any]]

    @classmethod
    def holding(cls, highest: int, *, width: int, rows: int) -> _Layout:
        """Take the smaller type that holds every number beside its position, and the number of every row."""
        bits = _position_bits(width)
        narrow = bits <= _NARROW_POSITION and not highest >> (31 - bits) and rows < 1 << 31
        return cls(bits, np.dtype(np.int32 if narrow else np.int64))


class Repeats(NamedTuple):
    """Rows whose number was seen before in their group, and for each the row where it was first seen."""

    rows: IntArray
    firsts: IntArray


def number_bits(starts: IntArray) -> int:
    """Return how many bits a number may have, beside the position in the longest of the groups."""
    return 62 - _position_bits(int(np.diff(starts).max(initial=0)))


def find_repeats(numbers: IntArray, starts: IntArray, *, valid: BoolArray | None = None) -> Repeats:
    """Find the repeats within each group.

    numbers: from 0 up to `number_bits(starts)` bits. starts: group g has the rows `starts[g]:starts[g + 1]`.
    valid: rows that have a number at all; the others repeat nothing.
    """
    room = number_bits(starts)
    lowest, highest = int(numbers.min(initial=0)), int(numbers.max(initial=0))
    if lowest < 0 or highest >> room:
        raise InputError(f"numbers from 0 to 2**{room} are expected, found {lowest} to {highest}.")
    found = []
    for origin, lengths in _batches(starts):
        layout = _Layout.holding(highest, width=int(lengths[-1]), rows=len(numbers))
        cells = _cells(numbers, origin, lengths, layout=layout, valid=valid)
        found.append(_sorted_repeats(cells, origin, bits=layout.bits))
    if not found:
        return Repeats(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
    return Repeats(*(np.concatenate(part, dtype=np.int64) for part in zip(*found, strict=True)))


def _position_bits(width: int) -> int:
    return max(1, (width - 1).bit_length())


def _batches(starts: IntArray) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield groups that share a matrix: the row at which each begins, and how many it has, never descending."""
    lengths = np.diff(starts)
    order = np.argsort(lengths, kind="stable")
    ordered = lengths[order]
    low = int(np.searchsorted(ordered, 1, side="right"))  # one result alone repeats nothing
    while low < len(order):
        high = _matrix_end(ordered, low)
        yield starts[order[low:high]], ordered[low:high]
        low = high


def _cells(
    numbers: IntArray, origin: IntArray, lengths: IntArray, *, layout: _Layout, valid: BoolArray | None
) -> _Cells:
    width = int(lengths[-1])
    position = np.arange(width, dtype=layout.dtype)
    begin, end = int(origin[0]), int(origin[-1]) + width
    if valid is None and lengths[0] == width and end - begin == width * len(origin):
        # Nothing to move: as most files are.
        return _joined(numbers[begin:end].reshape(-1, width), position, layout=layout)
    rows = origin[:, None] + position
    inside = rows < (origin + lengths)[:, None]
    np.minimum(rows, len(numbers) - 1, out=rows)  # what is beyond the last group is not looked at, but read
    if valid is not None:
        inside &= valid[rows]
    # Cells that hold nothing get numbers of their own, which are negative and all different.
    return np.where(inside, _joined(numbers[rows], position, layout=layout), (-1 - position) << layout.bits)


def _joined(numbers: IntArray, position: _Cells, *, layout: _Layout) -> _Cells:
    cells = numbers.astype(layout.dtype)
    cells <<= layout.bits
    cells |= position
    return cells


def _matrix_end(ordered: IntArray, low: int) -> int:
    """Return how far a matrix reaches: lengths are ascending, so its last group is its width."""
    width = int(ordered[low])
    most = max(1, _CELLS // width)
    high = min(low + most, len(ordered))
    while high - low > 1 and int(ordered[high - 1]) * (high - low) > 2 * _CELLS:
        high = low + (high - low) // 2
    return high


def _sorted_repeats(cells: _Cells, origin: IntArray, *, bits: int) -> tuple[_Cells, _Cells]:
    cells.sort(axis=1)
    width = cells.shape[1]
    flat = cells.ravel()
    mask = (1 << bits) - 1
    same = (flat[1:] ^ flat[:-1]).view(f"u{flat.itemsize}") <= mask
    same[width - 1 :: width] = False
    before = np.flatnonzero(same)
    cells &= mask  # from here on a cell says which row it is
    cells += origin[:, None].astype(cells.dtype)
    fresh = np.diff(before, prepend=-2) != 1  # where a run of equal numbers begins
    return flat[before + 1], flat[before[fresh]][np.cumsum(fresh) - 1]
