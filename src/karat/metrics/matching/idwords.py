"""Document ids compared many at a time, by their UTF-8 bytes.

An id is cut into words: seven bytes, big-endian, and in the lowest byte one more than the number of bytes that were
left (at most 8). Two ids compare like their sequences of words; where they agree in a word the next one decides. The
count settles where one id is the beginning of another, and keeps an id that ends in NUL apart from the one without.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from karat.core.errors import InputError
from karat.metrics.matching.blocks import blocks, count_smaller, equals, order_cells

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from karat.core.tables import IntArray

Words: TypeAlias = npt.NDArray[np.uint64]
BYTES = 7
PAIRS = 8  # comparing pair by pair is faster up to about this many comparisons per member
_NEW_LINE = 10
_PADDING = "\0" * 8  # so that eight bytes can be read from every position
# Which of eight bytes belong to the word when 0, 1, ..., 7 or more bytes of the id are left.
_MASKS: Words = np.array([((1 << 8 * n) - 1) << 8 * (8 - n) for n in (*range(BYTES + 1), BYTES)], dtype=np.uint64)


class IdWords:
    """Ids as words; word w of an id covers its bytes 7w to 7w + 6.

    The ids may come in several collections, and are numbered over all of them.
    """

    def __init__(self, ids: list[Collection[str]]) -> None:
        raw, count = _joined(ids), sum(map(len, ids))
        # Every position of the text as the start of eight bytes.
        self._eight: Words = np.ndarray((len(raw) - 7,), dtype=">u8", buffer=raw, strides=(1,))
        ends = np.flatnonzero(np.frombuffer(raw, dtype=np.uint8) == _NEW_LINE)
        if len(ends) != count:  # an id has a line break inside
            one_by_one = chain.from_iterable(ids)
            ends = np.cumsum([len(one.encode("utf-8", "surrogatepass")) + 1 for one in one_by_one]) - 1
        self._start: IntArray = np.concatenate([np.zeros(1, dtype=np.int64), ends[:-1] + 1])[:count]
        self.length: IntArray = ends - self._start

    def take(self, index: IntArray, word: int) -> Words:
        """Return one word of some ids."""
        left = np.clip(self.length[index] - BYTES * word, 0, BYTES + 1)
        start = np.minimum(self._start[index] + BYTES * word, len(self._eight) - 1)
        return (self._eight[start].astype(np.uint64) & _MASKS[left]) | (left + 1).astype(np.uint64)


def _joined(ids: list[Collection[str]]) -> bytes:
    """Return every id with a line break after it, and padding at the end."""
    try:
        text = "\n".join([*map("\n".join, filter(None, ids)), _PADDING])
    except TypeError:
        every: Iterable[object] = chain.from_iterable(ids)
        wrong = next(one for one in every if not isinstance(one, str))
        raise InputError(
            f"document id {wrong!r} is {type(wrong).__name__}, not text; convert ids with str()."
        ) from None
    return text.encode("utf-8", "surrogatepass")


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
    longest = int(ids.length.max(initial=0))
    word = 0
    while len(groups.wanted) and BYTES * word <= longest:
        found, own = ids.take(groups.members, word), wanted.take(mine[groups.wanted], word)
        word += 1
        if (found == found[0]).all():
            continue  # a beginning that all share decides nothing
        pairs = int(groups.size[groups.group].sum())
        narrow = _compare_pairs if pairs <= PAIRS * len(found) else _compare_sorted
        groups = narrow(found, own, groups=groups, result=result)
    return result


def _compare_pairs(found: Words, own: Words, *, groups: Groups, result: IntArray) -> Groups:
    """Compare each wanted word with each of its group: fast for small groups, or few wanted ids in each.

    Adds the number of greater ones to `result`; returns the groups that agree in this word.
    """
    size = groups.size[groups.group]
    begin = (np.cumsum(groups.size) - groups.size)[groups.group]
    first = np.cumsum(size) - size
    pair = np.repeat(begin - first, size) + np.arange(int(size.sum()))
    theirs, ours = found[pair], np.repeat(own, size)
    same = theirs == ours
    equal = np.add.reduceat(same, first, dtype=np.int64)
    result[groups.wanted] += np.add.reduceat(theirs > ours, first, dtype=np.int64)
    still = equal > 1
    if not still.any():
        return Groups(pair[:0], size[:0], size[:0], size[:0])
    members = groups.members[pair[same & np.repeat(still, size)]]
    return Groups(members, equal[still], groups.wanted[still], np.arange(int(still.sum())))


def _compare_sorted(found: Words, own: Words, *, groups: Groups, result: IntArray) -> Groups:
    """Sort each group and search the wanted words in it: fast for large groups with many wanted ids. As above."""
    begin = np.cumsum(groups.size) - groups.size
    parts: list[Groups] = []
    known = 0
    for block in blocks(begin, groups.size, wanted=groups.group):
        cells = order_cells(~block.matrix(found, pad=0), keep_order=False)
        key = ~own[block.wanted]
        greater = count_smaller(cells.ordered, block.row, key)
        result[groups.wanted[block.wanted]] += greater
        same = equals(cells, row=block.row, key=key, smaller=greater)
        if same is not None:
            members = groups.members[np.repeat(block.begin[same.row], same.size) + same.column]
            wanted = groups.wanted[block.wanted[same.shared]]
            parts.append(Groups(members, same.size, wanted, same.group + known))
            known += len(same.size)
    none = np.zeros(0, dtype=np.int64)
    return Groups(*(np.concatenate([none, *(getattr(part, name) for part in parts)]) for name in Groups.__slots__))
