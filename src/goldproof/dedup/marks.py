"""Mark duplicate results within a conversation, by comparison or by id alone.

By comparison (`mark_duplicates`). A group is proposed by the keys of all its members, and the comparison is always with
its first occurrence. Candidates are tried in order of the strength of the key that proposes them, then of age; the
first that is the same wins. Two results without a common key are never compared, and one without any key is always the
first of its group.

By id (`mark_by_id`). A result without an id is never a duplicate, whatever else it shares; nothing else of a result is
looked at. Blanks at the ends of an id are no part of it.

`find_repeats` finds repeated numbers in many groups at once. A group is laid out as one row of a matrix, each cell
`number << bits | position`; after sorting the rows, cells that differ only in their last bits are neighbours, in order
of position. Groups of like length share a matrix of about the size of a processor's cache. Small numbers are sorted as
32 bits, in half the time.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import polars as pl

from goldproof.dedup.groups import GroupComparison, Grouping, GroupPart
from goldproof.dedup.items import Items
from goldproof.dedup.keys import GENERIC_ID, SPECIFIC_ID, URL, make_keys, shared_keys
from goldproof.dedup.rules import DEFAULT_RULES
from goldproof.errors import InputError
from goldproof.text.near_duplicates import check_near_duplicates_installed, stripped_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import numpy.typing as npt

    from goldproof.dedup.keys import Key, SharedKeys
    from goldproof.dedup.rules import Rules
    from goldproof.records.arrays import BoolArray, IntArray
    from goldproof.records.traces import ResultTable

    _Cells: TypeAlias = npt.NDArray[np.signedinteger[Any]]

SAME_ID = "same id"

# Rows compared before their texts are let go: few enough to stay in the processor's cache.
_ROWS_AT_ONCE = 1000


class Repeats(NamedTuple):
    """Rows whose number was seen before in their group, and for each the row where it was first seen."""

    rows: IntArray
    firsts: IntArray


_NOTHING: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """The duplicates among the rows of a `ResultTable`.

    size: how many rows there are. repeats: the duplicates, and for each the first occurrence of the same document in
    its conversation. steps: how many duplicates each step decided, by the step's name. notices: counts of
    what else was noticed, by name, where it occurred:
    `ids_overruled`: duplicates whose id differs from that of their first occurrence;
    `equal_id_rejected`: comparisons of results of equal id that were found to be different;
    `equal_id_snippet_differs`: duplicates of equal id whose snippet differs (it depends on the query);
    `without_id`: results without an id, where only ids are looked at.
    """

    size: int
    repeats: Repeats
    steps: Mapping[str, int]
    notices: Mapping[str, int] = field(default_factory=lambda: _NOTHING)

    @property
    def origin(self) -> IntArray:
        """Per row, the row of the first occurrence of the same document; itself where it is the first."""
        origin = np.arange(self.size)
        origin[self.repeats.rows] = self.repeats.firsts
        return origin

    @property
    def duplicate(self) -> BoolArray:
        """True where the result was seen before."""
        seen = np.zeros(self.size, dtype=np.bool_)
        seen[self.repeats.rows] = True
        return seen


class Prepared(NamedTuple):
    """A table of results with its keys."""

    items: Items
    keys: Sequence[Key]
    shared: SharedKeys


def mark_duplicates(results: ResultTable, starts: IntArray, *, rules: Rules = DEFAULT_RULES) -> Marks:
    """Mark the results of each conversation; starts: conversation c has the rows `starts[c]:starts[c + 1]`."""
    return mark_prepared(prepare(results, starts, rules=rules), starts, rules=rules)


def prepare(results: ResultTable, starts: IntArray, *, rules: Rules) -> Prepared:
    """Make the keys, and find the rows that share one."""
    if rules.near_duplicates is not None:
        check_near_duplicates_installed()
    items = Items(results, rules)
    keys = make_keys(items, rules)
    return Prepared(items, keys, shared_keys(keys, starts))


def mark_prepared(
    prepared: Prepared, starts: IntArray, *, rules: Rules, witness: Callable[[GroupComparison], None] | None = None
) -> Marks:
    """Compare the rows that share a key, in order. witness: sees every comparison."""
    shared = prepared.shared
    grouping = Grouping(rules, weak_from=_first_text(prepared), witness=witness)
    for part in _parts(shared, starts):
        rows = shared.rows[part]
        bounds = shared.bounds[part.start : part.stop + 1]
        codes = shared.codes[bounds[0] : bounds[-1]]
        items = prepared.items.make(rows)
        grouping.add(GroupPart(rows.tolist(), items, codes=codes.tolist(), bounds=(bounds - bounds[0]).tolist()))
    columns = prepared.items.columns
    repeats = Repeats(np.array(grouping.duplicates, dtype=np.int64), np.array(grouping.firsts, dtype=np.int64))
    notices = {**_odd_ids(columns, repeats), "equal_id_rejected": grouping.equal_id_rejected}
    return Marks(
        columns.height,
        repeats,
        steps=dict(Counter(grouping.steps)),
        notices={name: count for name, count in notices.items() if count},
    )


def _first_text(prepared: Prepared) -> int:
    """Return the lowest code of a key that is a text; codes ascend with the kinds, and texts are the weakest."""
    kinds = [kind for kind, key in enumerate(prepared.keys) if key.name not in (SPECIFIC_ID, GENERIC_ID, URL)]
    codes = prepared.shared.codes
    weak = codes[prepared.shared.kinds >= min(kinds, default=len(prepared.keys))]
    return int(weak.min(initial=codes.max(initial=0) + 1))


def _parts(shared: SharedKeys, starts: IntArray) -> Iterator[slice]:
    """Yield parts of the rows that share a key, each of whole conversations."""
    ends = np.unique(np.searchsorted(shared.rows, starts[1:]))
    low = 0
    while low < len(shared.rows):
        far = np.searchsorted(ends, low + _ROWS_AT_ONCE, side="right") - 1
        high = int(ends[far]) if far >= 0 and ends[far] > low else int(ends[np.searchsorted(ends, low, side="right")])
        yield slice(low, high)
        low = high


def _odd_ids(columns: pl.DataFrame, repeats: Repeats) -> dict[str, int]:
    """Count duplicates whose ids differ, and those of equal id whose snippets differ."""
    if columns["id"].null_count() == columns.height:
        return {}
    equal, snippets = _equal(columns["id"], repeats), _equal(columns["snippet"], repeats)
    return {"ids_overruled": int((~equal).sum()), "equal_id_snippet_differs": int((equal & ~snippets).sum())}


def _equal(values: pl.Series, pairs: Repeats) -> pl.Series:
    """Return whether the values of each pair are equal, null where one has none."""
    return values.gather(pairs.rows) == values.gather(pairs.firsts)


def mark_by_id(results: ResultTable, starts: IntArray) -> Marks:
    """Mark the results of each conversation by their ids; starts as in `mark_duplicates`."""
    if "id" not in results.columns.columns or not len(results):
        none = np.empty(0, dtype=np.int64)
        return Marks(len(results), Repeats(none, none), steps={}, notices=_without_id(len(results)))
    ids = result_ids(results)
    repeats = _repeated_ids(ids, starts)
    return Marks(
        len(results),
        repeats,
        steps={SAME_ID: len(repeats.rows)} if len(repeats.rows) else {},
        notices=_without_id(ids.null_count()),
    )


def _without_id(count: int) -> dict[str, int]:
    return {"without_id": count} if count else {}


def result_ids(results: ResultTable) -> pl.Series:
    """Return the ids of results, texts without blanks around them."""
    ids = results.columns["id"]
    return stripped_texts(ids) if ids.dtype == pl.String else ids


def _repeated_ids(ids: pl.Series, starts: IntArray) -> Repeats:
    bits = number_bits(starts)
    if ids.dtype.is_integer() and not ids.null_count():
        numbers = ids.to_numpy()
        if numbers.min() >= 0 and int(numbers.max()) < 1 << bits:
            return find_repeats(numbers.astype(np.int64, copy=False), starts)
    known = ids.is_not_null().to_numpy()
    hashes = (ids.hash().to_numpy() >> np.uint64(64 - bits)).astype(np.int64)
    repeats = find_repeats(hashes, starts, valid=known)
    if (ids.gather(repeats.rows) == ids.gather(repeats.firsts)).all():
        return repeats
    # Two ids of one hash: rare beyond measure, but then every id is numbered by its own.
    return find_repeats(ids.rank("dense").fill_null(0).cast(pl.Int64).to_numpy(), starts, valid=known)


_CELLS = 1 << 16

_NARROW_POSITION = 15  # bits; a cell without a number holds its position twice, beside the sign


class _Layout(NamedTuple):
    """Layout of a cell: the bits of the position, and the type of the whole."""

    bits: int
    dtype: np.dtype[np.signedinteger[Any]]

    @classmethod
    def holding(cls, highest: int, *, width: int, rows: int) -> _Layout:
        """Take the smaller type that holds every number beside its position, and the number of every row."""
        bits = _position_bits(width)
        narrow = bits <= _NARROW_POSITION and not highest >> (31 - bits) and rows < 1 << 31
        return cls(bits, np.dtype(np.int32 if narrow else np.int64))


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
    parts = []
    for origin, lengths in _batches(starts):
        layout = _Layout.holding(highest, width=int(lengths[-1]), rows=len(numbers))
        cells = _cells(numbers, origin, lengths, layout=layout, valid=valid)
        parts.append(_sorted_repeats(cells, origin, bits=layout.bits))
    if not parts:
        return Repeats(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
    return Repeats(*(np.concatenate(part, dtype=np.int64) for part in zip(*parts, strict=True)))


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
