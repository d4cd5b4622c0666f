"""Which rows share a key with another row of their conversation: found with integers, without looking at any text.

The hash of each key is mixed with the number of the conversation; the row takes the place of its lowest bits. After
sorting, rows that share a key are neighbours in order of appearance. Where two different keys fall together, a wrong
candidate is proposed, which the comparison then rejects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.core.arrays import IntArray
    from goldproof.dedup.keys import Key

_MIX = np.uint64(0x9E3779B97F4A7C15)


class SharedKeys(NamedTuple):
    """The rows that share a key, ascending; row i has the keys `bounds[i]:bounds[i + 1]`, the strongest first.

    codes: a number per key and conversation. kinds: the position of each key among the kinds of keys.
    """

    rows: IntArray
    bounds: IntArray
    codes: IntArray
    kinds: IntArray


def shared_keys(keys: Sequence[Key], starts: IntArray) -> SharedKeys:
    """Find the rows that share a key. starts: conversation c has the rows `starts[c]:starts[c + 1]`."""
    conversation = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    rows, codes, kinds = [], [], []
    total = 0
    for kind, key in enumerate(keys):
        shared, numbers = _shared_rows(key, conversation)
        rows.append(shared)
        codes.append(numbers + total)
        kinds.append(np.full(len(shared), kind))
        total += int(numbers.max()) + 1 if len(numbers) else 0
    if not total:
        none = np.empty(0, dtype=np.int64)
        return SharedKeys(none, np.zeros(1, dtype=np.int64), none, none)
    all_rows = np.concatenate(rows)
    order = np.argsort(all_rows, kind="stable")
    distinct, begins = np.unique(all_rows[order], return_index=True)
    bounds = np.append(begins, len(order))
    return SharedKeys(distinct, bounds, np.concatenate(codes)[order], np.concatenate(kinds)[order])


def _shared_rows(key: Key, conversation: IntArray) -> tuple[IntArray, IntArray]:
    """Return the rows that share this key with another, ascending, and a number per shared key."""
    bits = np.uint64(max(1, len(conversation).bit_length()))
    low = (np.uint64(1) << bits) - np.uint64(1)
    mixed = (key.hashes ^ (conversation[key.rows].astype(np.uint64) * _MIX)) & ~low
    cells = np.sort(mixed | key.rows.astype(np.uint64))
    rows = (cells & low).astype(np.int64)
    group = conversation[rows]
    same = ((cells[1:] ^ cells[:-1]) <= low) & (group[1:] == group[:-1])
    shares = np.zeros(len(cells), dtype=np.bool_)
    shares[1:] |= same
    shares[:-1] |= same
    begins = shares.copy()
    begins[1:] &= ~same
    numbers = np.cumsum(begins) - 1
    found, codes = rows[shares], numbers[shares]
    order = np.argsort(found)
    return found[order], codes[order]
