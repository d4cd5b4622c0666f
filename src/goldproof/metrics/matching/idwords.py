"""Document ids compared many at a time, by their UTF-8 bytes.

An id is cut into words: seven bytes, big-endian, and in the lowest byte one more than the number of bytes that were
left (at most 8). Two ids compare like their sequences of words; where they agree in a word the next one decides. The
count settles where one id is the beginning of another, and keeps an id that ends in NUL apart from the one without.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from goldproof.core.errors import InputError
from goldproof.metrics.matching.blocks import blocks, count_smaller, equals, order_cells, ranges, repeats

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from goldproof.core.arrays import IntArray

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
    """Return the complaint about the first id that is not text."""
    wrong = next(one for one in ids if not isinstance(one, str))
    return InputError(f"{what} {wrong!r} is {type(wrong).__name__}, not text; convert ids with str().")


class IdWords:
    """Ids as words; word w of an id covers its bytes 7w to 7w + 6. All ids of the chosen collections have a number."""

    def __init__(self, ids: IdList) -> None:
        raw = f"\n{ids.text()}\n{_PADDING}".encode("utf-8", "surrogatepass")
        # Every position of the text as the start of eight bytes.
        self._eight: Words = np.ndarray((len(raw) - 7,), dtype=">u8", buffer=raw, strides=(1,))
        breaks = np.flatnonzero(np.frombuffer(raw, dtype=np.uint8) == _NEW_LINE)
        if len(breaks) != ids.total + 1:  # an id has a line break inside
            sizes = (len(one.encode("utf-8", "surrogatepass")) + 1 for one in ids.in_turn())
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
    pair = ranges(begin, size)
    theirs, ours = found[pair], np.repeat(own, size)
    same = theirs == ours
    last = np.cumsum(size) - 1
    equal = np.diff(np.cumsum(same)[last], prepend=0)
    result[groups.wanted] += np.diff(np.cumsum(theirs > ours)[last], prepend=0)
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
        same = equals(cells, repeats(cells.ordered), row=block.row, smaller=greater)
        if same is not None:
            members = groups.members[np.repeat(block.begin[same.row], same.size) + same.column]
            wanted = groups.wanted[block.wanted[same.shared]]
            parts.append(Groups(members, same.size, wanted, same.group + known))
            known += len(same.size)
    none = np.zeros(0, dtype=np.int64)
    return Groups(*(np.concatenate([none, *(getattr(part, name) for part in parts)]) for name in Groups.__slots__))
