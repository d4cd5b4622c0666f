"""Duplicates by id alone, for those who trust their ids: the same id again in a conversation is a duplicate.

A result without an id is never a duplicate, whatever else it shares. Nothing else of a result is looked at. Blanks at
the ends of an id are no part of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from goldproof.dedup.explanation import Decision, NamedKey, Trial
from goldproof.dedup.keys import GENERIC_ID
from goldproof.dedup.marks import Marks
from goldproof.dedup.repeats import Repeats, find_repeats, number_bits
from goldproof.dedup.verification import Verdict
from goldproof.text.normal_form import stripped_texts

if TYPE_CHECKING:
    from goldproof.core.arrays import IntArray
    from goldproof.core.traces import ResultTable

STEP = "same id"


def mark_by_id(results: ResultTable, starts: IntArray) -> Marks:
    """Mark the results of each conversation; starts: conversation c has the rows `starts[c]:starts[c + 1]`."""
    if "id" not in results.columns.columns or not len(results):
        none = np.empty(0, dtype=np.int64)
        return Marks(len(results), Repeats(none, none), steps={}, notices=_without_id(len(results)))
    ids = _ids(results)
    repeats = _repeated_ids(ids, starts)
    return Marks(
        len(results),
        repeats,
        steps={STEP: len(repeats.rows)} if len(repeats.rows) else {},
        notices=_without_id(ids.null_count()),
    )


def _without_id(count: int) -> dict[str, int]:
    return {"without_id": count} if count else {}


def explain_by_id(results: ResultTable, starts: IntArray) -> list[Decision]:
    """Return one decision per row, as `explain_marks` does."""
    origins = mark_by_id(results, starts).origin.tolist()
    ids = _ids(results).to_list() if "id" in results.columns.columns else [None] * len(results)
    return [_decision(row, origin, found) for row, (origin, found) in enumerate(zip(origins, ids, strict=True))]


def _decision(row: int, origin: int, found: object) -> Decision:
    keys = () if found is None else (NamedKey(GENERIC_ID, str(found)),)
    seen = (Trial(origin, GENERIC_ID, Verdict(same=True, step=STEP, why="equal ids")),) if origin != row else ()
    return Decision(row, origin, keys=keys, trials=seen)


def _ids(results: ResultTable) -> pl.Series:
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
