"""Rank documents by score, ties by id, both descending.

This is trec_eval's order, compared in double precision (trec_eval up to 9.0.8 compares single precision). Ids are
compared by their UTF-8 bytes, which is the order of their code points. The order of the input does not matter.

Only the judged documents are placed: the rank of a document is 1 + the number of greater scores in its question + the
number of equal scores with a greater id. Scores are sorted only where they are not sorted yet, and ids are looked at
only where a judged document shares its score.

Ids as words. An id is cut into words: seven bytes, big-endian, and in the lowest byte one more than the number of bytes
that were left (at most 8). Two ids compare like their sequences of words; where they agree in a word the next one
decides. The count decides where one id is the beginning of another, and keeps an id that ends in NUL apart from the one
without.

Blocks. A segment holds the keys of one question (its scores), or of one group of equals (their ids). Segments of
similar length are padded to a common width and cut into blocks that stay in the processor's cache. In a block keys
rise, so that what is ranked first is smallest.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from goldproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from goldproof.records.arrays import BoolArray, FloatArray, IntArray


OFTEN = 0.1  # share of tied rows above which the next block is expected to have many too

# Given questions, rising, how many ids are asked for of each, and their places in the question: the ids.
Ids: TypeAlias = "Callable[[IntArray, IntArray, IntArray], IdList]"


class Retrieved(NamedTuple):
    """The retrieved documents: the rows of question i begin at `begin[i]` and are `length[i]` many."""

    scores: FloatArray
    begin: IntArray
    length: IntArray
    ids: Ids


class Wanted(NamedTuple):
    """Retrieved documents whose rank is asked for, questions rising.

    place: the place of each among the judged documents of its question. ids: of judged documents.
    """

    question: IntArray
    score: FloatArray
    place: IntArray
    ids: Ids


class Placed(NamedTuple):
    """Ranks of the wanted documents, and how many retrieved rows share their score with another of their question."""

    rank: IntArray
    tied_rows: int


def place(retrieved: Retrieved, wanted: Wanted) -> Placed:
    """Find the rank, from 1, of every wanted document."""
    rank = np.empty(len(wanted.question), dtype=np.int64)
    rows = tied_rows = 0
    for block in blocks(retrieved.begin, retrieved.length, wanted=wanted.question):
        cells = order_cells(-block.matrix(retrieved.scores, pad=-np.inf), keep_order=tied_rows > OFTEN * rows)
        rows += int(block.length.sum())
        ahead = count_smaller(cells.ordered, block.row, -wanted.score[block.wanted])
        rank[block.wanted] = ahead + 1
        repeated = repeats(cells.ordered)
        if not repeated.any():
            continue
        tied_rows += _rows_sharing_a_score(cells.ordered, repeated)
        same = equals(cells, repeated, row=block.row, smaller=ahead)
        if same is not None:
            rank[block.wanted[same.shared]] += _greater_ids(block, same, retrieved=retrieved, wanted=wanted)
    return Placed(rank, tied_rows)


def _rows_sharing_a_score(ordered: FloatArray, repeated: BoolArray) -> int:
    later = repeated.copy()
    later[:-1] &= ordered.ravel() < np.inf  # infinite = padding
    first = later[1:] > later[:-1]  # the one that those marked repeat
    return int(np.count_nonzero(later)) + int(np.count_nonzero(first))


def _greater_ids(block: Block, same: Equals, *, retrieved: Retrieved, wanted: Wanted) -> IntArray:
    """Count, for the wanted documents that share their score, the greater ids among the equal scores."""
    chosen = block.wanted[same.shared]
    ids = retrieved.ids(block.segments[same.row], same.size, same.column)
    mine = wanted.ids(wanted.question[chosen], np.ones_like(chosen), wanted.place[chosen])
    groups = Groups(ids.position, same.size, np.arange(len(chosen)), same.group)
    return count_greater(IdWords(ids), IdWords(mine), groups=groups, mine=mine.position)


Words: TypeAlias = npt.NDArray[np.uint64]

BYTES = 7

PAIRS = 8  # comparing pair by pair is faster up to about this many comparisons per member

_NEW_LINE = 10

_PADDING = "\0" * 8  # so that eight bytes can be read from every position

# Which of eight bytes belong to the word when 0, 1, ..., 7 or more bytes of the id are left.
_MASKS: Words = np.array([((1 << 8 * n) - 1) << 8 * (8 - n) for n in (*range(BYTES + 1), BYTES)], dtype=np.uint64)


class IdList(NamedTuple):
    """Document ids: those at `position` of the chosen collections, which are numbered on from one to the next.

    total: how many ids the chosen collections have; none of them is empty. texts: every collection with a line break
    between its ids; None where they have not been joined yet.
    """

    collections: Sequence[Collection[str]]
    chosen: list[int]
    total: int
    position: IntArray
    texts: Sequence[str] | None = None

    def text(self) -> str:
        """Return all ids of the chosen collections, a line break between them."""
        if self.texts is not None:
            return "\n".join([self.texts[i] for i in self.chosen])
        try:
            return "\n".join(["\n".join(self.collections[i]) for i in self.chosen])
        except TypeError:
            raise not_text(self.in_turn(), what="document id") from None

    def in_turn(self) -> Iterator[str]:
        """Return all ids of the chosen collections, one by one."""
        return chain.from_iterable(self.collections[i] for i in self.chosen)


def not_text(ids: Iterable[object], *, what: str) -> InputError:
    """Return the error for the first id that is not text."""
    wrong = next(name for name in ids if not isinstance(name, str))
    return InputError(f"{what} {wrong!r} is {type(wrong).__name__}, not text; convert ids with str().")


class IdWords:
    """Ids as words; word w of an id covers its bytes 7w to 7w + 6. All ids of the chosen collections have a number."""

    def __init__(self, ids: IdList) -> None:
        raw = f"\n{ids.text()}\n{_PADDING}".encode("utf-8", "surrogatepass")
        # Every position of the text as the start of eight bytes.
        self._eight: Words = np.ndarray((len(raw) - 7,), dtype=">u8", buffer=raw, strides=(1,))
        breaks = np.flatnonzero(np.frombuffer(raw, dtype=np.uint8) == _NEW_LINE)
        if len(breaks) != ids.total + 1:  # an id has a line break inside
            sizes = (len(name.encode("utf-8", "surrogatepass")) + 1 for name in ids.in_turn())
            breaks = np.cumsum([0, *sizes])
        self._breaks: IntArray = breaks  # around the ids: id i stands between i and i + 1

    def lengths(self, index: IntArray) -> IntArray:
        """Return how many bytes some ids have."""
        return self._breaks[index + 1] - self._breaks[index] - 1

    def take(self, index: IntArray, word: int) -> Words:
        """Return one word of some ids."""
        start = self._breaks[index] + (1 + BYTES * word)
        left = np.clip(self._breaks[index + 1] - start, 0, BYTES + 1)
        start = np.minimum(start, len(self._eight) - 1)
        words: Words = (self._eight[start].astype(np.uint64) & _MASKS[left]) | (left + 1).astype(np.uint64)
        return words


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Ids of equal rank so far: positions of the members, group after group, each group `size` long.

    wanted: numbers of the wanted ids, by group; group: their group, of which each is a member itself.
    """

    members: IntArray
    size: IntArray
    wanted: IntArray
    group: IntArray


def count_greater(ids: IdWords, wanted: IdWords, *, groups: Groups, mine: IntArray) -> IntArray:
    """Count, per wanted id, the greater ids of its group; mine: the position of each in `wanted`."""
    result = np.zeros(len(mine), dtype=np.int64)
    longest = int(wanted.lengths(mine).max(initial=0))
    word = 0
    while len(groups.wanted) and BYTES * word <= longest:
        theirs, own = ids.take(groups.members, word), wanted.take(mine[groups.wanted], word)
        word += 1
        if (theirs == theirs[0]).all():
            continue  # a beginning that all share decides nothing
        pairs = int(groups.size[groups.group].sum())
        narrow = _compare_pairs if pairs <= PAIRS * len(theirs) else _compare_sorted
        groups = narrow(theirs, own, groups=groups, result=result)
    return result


def _compare_pairs(theirs: Words, own: Words, *, groups: Groups, result: IntArray) -> Groups:
    """Compare each wanted word with each of its group: fast for small groups, or few wanted ids in each.

    Adds the number of greater ones to `result`; returns the groups that agree in this word.
    """
    size = groups.size[groups.group]
    begin = (np.cumsum(groups.size) - groups.size)[groups.group]
    pair = ranges(begin, size)
    there, here = theirs[pair], np.repeat(own, size)
    same = there == here
    last = np.cumsum(size) - 1
    equal = np.diff(np.cumsum(same)[last], prepend=0)
    result[groups.wanted] += np.diff(np.cumsum(there > here)[last], prepend=0)
    still = equal > 1
    if not still.any():
        return Groups(pair[:0], size[:0], size[:0], size[:0])
    members = groups.members[pair[same & np.repeat(still, size)]]
    return Groups(members, equal[still], groups.wanted[still], np.arange(int(still.sum())))


def _compare_sorted(theirs: Words, own: Words, *, groups: Groups, result: IntArray) -> Groups:
    """Sort each group and search the wanted words in it: fast for large groups with many wanted ids.

    Parameters and result are as in `_compare_pairs`.
    """
    begin = np.cumsum(groups.size) - groups.size
    parts: list[Groups] = []
    known = 0
    for block in blocks(begin, groups.size, wanted=groups.group):
        cells = order_cells(~block.matrix(theirs, pad=0), keep_order=False)
        key = ~own[block.wanted]
        greater = count_smaller(cells.ordered, block.row, key)
        result[groups.wanted[block.wanted]] += greater
        same = equals(cells, repeats(cells.ordered), row=block.row, smaller=greater)
        if same is not None:
            members = groups.members[np.repeat(block.begin[same.row], same.size) + same.column]
            wanted = groups.wanted[block.wanted[same.shared]]
            parts.append(Groups(members, same.size, wanted, same.group + known))
            known += len(same.size)
    none = np.zeros(0, dtype=np.int64)
    return Groups(*(np.concatenate([none, *(getattr(part, name) for part in parts)]) for name in Groups.__slots__))


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
    """The keys of a block, unsorted and with each row in rising order.

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
