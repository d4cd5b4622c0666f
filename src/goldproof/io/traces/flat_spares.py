"""Gaps in a column of a flat table, filled from columns that are other names of the same thing.

A table with `id` and `doc_id` has its ids in both: the first that says something in a row counts. What fills a gap is
no field any more; elsewhere the other column stays a field. A column that cannot hold such values at all is left alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from goldproof.io.traces.flat_values import TEXT_TYPES

if TYPE_CHECKING:
    from collections.abc import Callable

_NUMBERS = ("result_id", "cluster", "question_id", "gain")  # roles that numbers can play


class Filled(NamedTuple):
    """A column without the gaps, and the fields without what filled them."""

    column: pl.Series
    fields: pl.DataFrame


def fill_gaps(
    column: pl.Series, fields: pl.DataFrame, *, role: str, spare: str, clean: Callable[[pl.Series], pl.Series]
) -> Filled:
    """Fill gaps from another column. clean: brings a column to the type of the role."""
    dtype = fields.schema[spare]
    if dtype not in TEXT_TYPES and not (role in _NUMBERS and dtype.is_numeric()):
        return Filled(column, fields)
    given = fields[spare]
    nothing = pl.Series([None], dtype=dtype).new_from_index(0, len(given))
    offered = clean(given.zip_with(column.is_null(), nothing).alias(spare))  # elsewhere it may hold what it likes
    if offered.dtype != column.dtype:  # told by the types alone, so that all parts of a file are alike
        column, offered = column.cast(pl.String), offered.cast(pl.String)
    filled = column.zip_with(column.is_not_null(), offered)
    return Filled(filled, fields.with_columns(given.zip_with(offered.is_null(), nothing).alias(spare)))
