"""The columns of a flat table brought to one type each: text, whole numbers, gains; and the cells that cannot be.

What a whole column holds (a list, a time) is refused at once. A cell that is not a whole number is noted with its row,
and becomes null. Text that is empty is null. Numbers that pandas has made floats (`2.0` beside a gap) are whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from goldproof.core.traces import HIGHEST_GAIN
from goldproof.io.traces.cells import bad_gain, stripped_ids, without_empty

if TYPE_CHECKING:
    from goldproof.io.complaints import Complaints

TEXT_TYPES = (pl.String, pl.Categorical, pl.Enum, pl.Null)


class Cells(NamedTuple):
    """A column, and what is wrong with some of its cells: row -> sentence."""

    values: pl.Series
    bad: dict[int, str]


def text_column(column: pl.Series, complaints: Complaints) -> pl.Series:
    """Return a column of text."""
    if column.dtype not in TEXT_TYPES:
        raise complaints.fatal(f"column {column.name!r} holds {column.dtype}, expected text.")
    return without_empty(column if column.dtype == pl.String else column.cast(pl.String))


def name_column(column: pl.Series, complaints: Complaints) -> pl.Series:
    """Return a column of names as text; they may be whole numbers."""
    ids = id_column(column, complaints)
    return ids if ids.dtype == pl.String else ids.cast(pl.String)


def result_id_column(column: pl.Series, complaints: Complaints) -> pl.Series:
    """Return a column of ids of results, without blanks at both ends."""
    ids = id_column(column, complaints)
    return stripped_ids(ids) if ids.dtype == pl.String else ids


def id_column(column: pl.Series, complaints: Complaints) -> pl.Series:
    """Return a column of ids: text, or whole numbers where they are."""
    if column.dtype.is_float():
        column = _whole_floats(column)
    if column.dtype.is_integer():
        whole = column.cast(pl.Int64, strict=False)
        return whole if whole.null_count() == column.null_count() else column.cast(pl.String)
    if column.dtype not in TEXT_TYPES:
        raise complaints.fatal(f"column {column.name!r} holds {column.dtype}, expected text or whole numbers.")
    return text_column(column, complaints)


def error_column(column: pl.Series, complaints: Complaints) -> pl.Series:
    """Return why something failed, null where it did not; true stands for no reason given."""
    if column.dtype == pl.Boolean:
        return column.to_frame().select(pl.when(pl.first()).then(pl.lit("no reason given"))).to_series()
    return text_column(column, complaints)


def whole_column(column: pl.Series, complaints: Complaints, *, what: str) -> Cells:
    """Return a column of whole numbers."""
    numbers = _numbers(column, complaints, expected="whole numbers")
    if numbers.null_count() == column.null_count():
        return Cells(numbers, {})
    lost = numbers.is_null() & _says(column)
    bad = {row: f"{what} {column[row]!r} is not a whole number (column {column.name!r})." for row in _rows(lost)}
    return Cells(numbers, bad)


def gain_column(column: pl.Series, complaints: Complaints) -> Cells:
    """Return a column of gains, null where there is none."""
    numbers = _numbers(column, complaints, expected=f"whole numbers from 0 to {HIGHEST_GAIN}")
    lost = numbers.is_null() & _says(column) if numbers.null_count() > column.null_count() else None
    lowest, highest = numbers.min(), numbers.max()
    outside = numbers.len() > numbers.null_count() and not (lowest >= 0 and highest <= HIGHEST_GAIN)  # type: ignore[operator]
    if outside:
        beyond = (~numbers.is_between(0, HIGHEST_GAIN)).fill_null(value=False)
        lost = beyond if lost is None else lost | beyond
    if lost is None or not lost.any():
        return Cells(numbers, {})
    bad = {row: f"{bad_gain(column[row])} (column {column.name!r})." for row in _rows(lost)}
    kept = numbers.to_frame().select(pl.when(pl.first().is_between(0, HIGHEST_GAIN)).then(pl.first())).to_series()
    return Cells(kept, bad)


def _numbers(column: pl.Series, complaints: Complaints, *, expected: str) -> pl.Series:
    """Return whole numbers, null where a cell is none."""
    if column.dtype == pl.Int64:
        return column
    if column.dtype.is_integer() or column.dtype == pl.Null:
        return column.cast(pl.Int64, strict=False)
    if column.dtype.is_float():
        return _floats(column)
    if column.dtype not in TEXT_TYPES:
        raise complaints.fatal(f"column {column.name!r} holds {column.dtype}, expected {expected}.")
    texts = column.cast(pl.String).str.strip_chars(" \t")
    return _first_of(texts.cast(pl.Int64, strict=False), _floats(texts.cast(pl.Float64, strict=False)))


def _floats(column: pl.Series) -> pl.Series:
    """Return floats that are whole as whole numbers; a float beyond 2^53 is not known to be one."""
    whole = (column == column.round(0)) & (column.abs() < 2**53)
    return column.to_frame().select(pl.when(whole).then(pl.first())).to_series().cast(pl.Int64, strict=False)


def _whole_floats(column: pl.Series) -> pl.Series:
    """Return a column of floats as whole numbers if all of them are, else as it is."""
    whole = _floats(column)
    return whole if whole.null_count() == (column.is_null() | column.is_nan()).sum() else column


def _first_of(first: pl.Series, second: pl.Series) -> pl.Series:
    return first if not first.null_count() else first.zip_with(first.is_not_null(), second)


def _says(column: pl.Series) -> pl.Series:
    """Return where a cell holds anything; NaN is pandas' word for nothing."""
    if column.dtype.is_float():
        return column.is_not_null() & column.is_not_nan().fill_null(value=False)
    if column.dtype == pl.String:
        return (column.str.strip_chars(" \t") != "").fill_null(value=False)
    return column.is_not_null()


def _rows(mask: pl.Series) -> list[int]:
    return np.flatnonzero(mask.to_numpy()).tolist()
