"""Candidate keys of results, and the rows that share one.

In order of strength: each complete id of the result's type, or else its generic id; the URL; each complete set of
fields by which its type tells that two are the same; the snippet; the title; and, where near-duplicates are looked for,
the bands of the snippet's MinHash. Keys are 64-bit hashes of normal forms, made column by column. They only propose:
two results that share one are then compared.

Rows share a key that has the same hash in the same conversation. Where two different keys collide, a wrong candidate is
proposed, which the comparison then rejects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from goldproof.text.near_duplicates import band_hashes, put_values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy.typing as npt

    from goldproof.dedup.items import ComparedItem, Items
    from goldproof.dedup.rules import Names, Rules
    from goldproof.records.arrays import IntArray


SPECIFIC_ID = "specific id"

GENERIC_ID = "id"

URL = "url"

TYPE_RULE = "type rule"

SNIPPET = "snippet"

TITLE = "title"

NEAR_SNIPPET = "near snippet"

_SEPARATOR = "\x1f"


class Key(NamedTuple):
    """One kind of key: the rows that have one, ascending, and its hash for each."""

    name: str
    rows: IntArray
    hashes: npt.NDArray[np.uint64]


def make_keys(items: Items, rules: Rules) -> list[Key]:
    """Return the kinds of keys, the strongest first."""
    columns = items.columns
    specific = _field_keys(items, specific_ids, [len(typed.ids) for typed in items.by_kind])
    agreed = _field_keys(items, rule_values, [len(typed.same_if) for typed in items.by_kind])
    keys = [_key(SPECIFIC_ID, ids) for ids in specific]
    identified = [ids.is_not_null() for ids in specific]
    generic = columns["id"]
    for has in identified:
        generic = generic.set(has, None)
    urls = columns.select(pl.concat_str("place", pl.col("params").fill_null(""), separator="?")).to_series()
    keys += [_key(GENERIC_ID, generic), _key(URL, urls), *(_key(TYPE_RULE, values) for values in agreed)]
    keys += [_key(SNIPPET, columns["snippet"]), _key(TITLE, columns["title"])]
    if rules.near_duplicates is not None:
        keys += _near_keys(columns["snippet"], rules.near_duplicates)
    return [key for key in keys if len(key.rows)]


def specific_ids(item: ComparedItem) -> list[str | None]:
    """Return the ids that the item's type gives it, one per alternative, None where one is incomplete."""
    return [_joined(item, names) for names in item.rules.ids]


def rule_values(item: ComparedItem) -> list[str | None]:
    """Return the values of the sets in the type's `same_if`, None where one is incomplete."""
    return [_joined(item, names) for names in item.rules.same_if]


def _joined(item: ComparedItem, names: Names) -> str | None:
    parts = [item.value(name) for name in names]
    return None if None in parts else _SEPARATOR.join([item.rules.name, *map(_part, parts)])


def _part(value: object) -> str:
    return value if isinstance(value, str) else repr(value)


def _field_keys(
    items: Items, values: Callable[[ComparedItem], list[str | None]], sizes: Sequence[int]
) -> list[pl.Series]:
    """Return one column per alternative of a type; rows whose type has none are skipped. sizes: by kind."""
    rows = items.kinds.is_in([kind for kind, size in enumerate(sizes) if size]).arg_true()
    if not len(rows):
        return []
    table = [values(item) for item in items.make(rows.to_numpy().astype(np.int64))]
    columns = []
    for alternative in range(max(sizes)):
        texts = [ids[alternative] if alternative < len(ids) else None for ids in table]
        nothing = pl.Series([None], dtype=pl.String).new_from_index(0, len(items.kinds))
        columns.append(put_values(nothing, rows, pl.Series(texts, dtype=pl.String)))
    return columns


def _key(name: str, values: pl.Series) -> Key:
    if values.null_count() == len(values):
        return Key(name, np.empty(0, dtype=np.int64), np.empty(0, dtype=np.uint64))
    hashes = values.hash().to_numpy()
    if not values.null_count():
        return Key(name, np.arange(len(values)), hashes)
    rows = np.flatnonzero(values.is_not_null().to_numpy())
    return Key(name, rows, hashes[rows])


def _near_keys(snippets: pl.Series, threshold: float) -> Iterator[Key]:
    rows = np.flatnonzero(snippets.is_not_null().to_numpy())
    hashes = band_hashes(snippets.drop_nulls().to_list(), threshold=threshold)
    for band in range(hashes.shape[1]):
        yield Key(NEAR_SNIPPET, rows, hashes[:, band])


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
    keys = pl.DataFrame({"conversation": conversation[key.rows].astype(np.uint32), "hash": key.hashes})
    shared = keys.is_duplicated()
    numbers = keys.filter(shared).select(pl.struct("conversation", "hash").rank("dense") - 1).to_series()
    return key.rows[shared.to_numpy()], numbers.cast(pl.Int64).to_numpy()
