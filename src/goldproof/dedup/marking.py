"""Marking: each result of a conversation, in order, joins the group of an earlier one or begins a group of its own.

A group is proposed by the keys of all its members, and the comparison is always with its first occurrence. Candidates
are tried in order of the strength of the key that proposes them, then of age; the first that is the same wins. Two
results without a common key are never compared, and one without any key is always the first of its group.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from goldproof.dedup.default_rules import DEFAULT_RULES
from goldproof.dedup.groups import Comparison, Grouping, Part
from goldproof.dedup.items import Items
from goldproof.dedup.keys import GENERIC_ID, SPECIFIC_ID, URL, make_keys
from goldproof.dedup.marks import Marks
from goldproof.dedup.repeats import Repeats
from goldproof.dedup.shared_keys import shared_keys
from goldproof.text.near_duplicates import check_near_duplicates_installed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import polars as pl

    from goldproof.core.arrays import IntArray
    from goldproof.core.traces import ResultTable
    from goldproof.dedup.keys import Key
    from goldproof.dedup.rules import Rules
    from goldproof.dedup.shared_keys import SharedKeys

# Rows compared before their texts are let go: few enough to stay in the processor's cache.
_ROWS_AT_ONCE = 1000


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
    prepared: Prepared, starts: IntArray, *, rules: Rules, witness: Callable[[Comparison], None] | None = None
) -> Marks:
    """Compare the rows that share a key, in order. witness: sees every comparison."""
    shared = prepared.shared
    grouping = Grouping(rules, weak_from=_first_text(prepared), witness=witness)
    for part in _parts(shared, starts):
        rows = shared.rows[part]
        bounds = shared.bounds[part.start : part.stop + 1]
        codes = shared.codes[bounds[0] : bounds[-1]]
        items = prepared.items.make(rows)
        grouping.add(Part(rows.tolist(), items, codes=codes.tolist(), bounds=(bounds - bounds[0]).tolist()))
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
    """Count what a reader may want to know about the ids of duplicates."""
    if columns["id"].null_count() == columns.height:
        return {}
    equal, snippets = _equal(columns["id"], repeats), _equal(columns["snippet"], repeats)
    return {"ids_overruled": int((~equal).sum()), "equal_id_snippet_differs": int((equal & ~snippets).sum())}


def _equal(values: pl.Series, pairs: Repeats) -> pl.Series:
    """Return whether the values of each pair are equal, null where one has none."""
    return values.gather(pairs.rows) == values.gather(pairs.firsts)
