"""Columns of a flat table of results: roles, types, gaps, fields.

`conversation` and `iteration` are needed, and something that tells results apart: an id, a URL, a title or a snippet.
`turn`, `search`, `rank`, `query`, `question`, `question_id`, `cluster`, `error`, `type` and `gain` may be there; names
have the aliases of `goldproof.io.columns`. `score` is not used, nor is a column without a name (pandas writes its index
so). Every other column is a field of the result; where it is another name of a column, it fills the gaps of that.

A column of the wrong type (a list, a time) is refused at once. A cell that is not a whole number is noted with its row,
and becomes null. Text that is empty is null. Numbers that pandas has made floats (`2.0` beside a gap) are whole.

A table with `id` and `doc_id` has its ids in both: the first that has a value in a row counts. What fills a gap is
no field any more; elsewhere the other column stays a field. A column that cannot hold such values at all is left alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, overload

import numpy as np
import polars as pl

from goldproof.io.columns import ALIASES, check_columns, find_columns, normal_name, shown_names
from goldproof.io.traces.results import ROLES, UNUSED_NAMES, bad_gain, has_value, stripped_ids, without_empty
from goldproof.records.traces import HIGHEST_GAIN, RESULT_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from goldproof.io.columns import Columns
    from goldproof.io.diagnostics import Diagnostics
    from goldproof.records.traces import Fields


NEEDED = ("conversation", "iteration")

NUMBERS = ("turn", "iteration", "search", "rank")

FILLED = (
    *("cluster", "question_id", "question_text", "search_query"),
    *(ROLES[column] for column in RESULT_COLUMNS),
    "gain",
)

OPTIONAL = ("turn", "search", "rank", "error", *FILLED)


@dataclass(frozen=True, slots=True)
class FlatLayout:
    """Role -> name of the column; the names of the columns that are fields, and those of them that fill gaps."""

    names: Mapping[str, str]
    fields: tuple[str, ...]
    spares: Mapping[str, tuple[str, ...]]

    @property
    def read(self) -> list[str]:
        """The columns that are read."""
        return [*self.names.values(), *self.fields]


def flat_columns(header: Sequence[str]) -> Columns:
    """Find the columns of a flat table."""
    return find_columns(header, needed=NEEDED, optional=OPTIONAL)


def is_flat(header: Sequence[str]) -> bool:
    """Return whether these are the columns of a trace."""
    return not flat_columns(header).missing


def flat_layout(header: Sequence[str], diagnostics: Diagnostics, *, line: int | None) -> FlatLayout:
    """Return the layout of the columns; refuse a table that lacks one or has one twice."""
    columns = flat_columns(header)
    check_columns(columns, header, diagnostics=diagnostics, line=line)
    names = {role: header[position] for role, position in columns.position.items()}
    if not any(ROLES[column] in names for column in RESULT_COLUMNS if column != "type"):
        raise diagnostics.error(
            f"no column for a result (id, url, title, snippet); found {shown_names(header)}.",
            line=line,
            hint="Rename or add the column.",
        )
    used = set(names.values())
    named = [name for name in header if normal_name(name)]
    fields = [name for name in named if name not in used and normal_name(name) not in UNUSED_NAMES]
    twice = next((name for name in named if named.count(name) > 1), None)
    if twice is not None:
        raise diagnostics.error(f"column {twice!r} occurs twice.", line=line, hint="Rename one of them.")
    return FlatLayout(names, tuple(fields), _spares(names, fields))


def _spares(names: Mapping[str, str], fields: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the fields that are other names of a column, in the order of the aliases."""
    known = {normal_name(name): name for name in fields}
    others = {
        role: tuple(known[alias] for alias in ALIASES[role] if alias in known) for role in names if role in FILLED
    }
    return {role: spares for role, spares in others.items() if spares}


TEXT_TYPES = (pl.String, pl.Categorical, pl.Enum, pl.Null)


class Cells(NamedTuple):
    """A column, and the problems of some of its cells: row -> sentence."""

    values: pl.Series
    bad: dict[int, str]


def text_column(column: pl.Series, diagnostics: Diagnostics) -> pl.Series:
    """Return a column of text."""
    if column.dtype not in TEXT_TYPES:
        raise diagnostics.error(f"column {column.name!r} holds {column.dtype}, expected text.")
    return without_empty(column if column.dtype == pl.String else column.cast(pl.String))


def name_column(column: pl.Series, diagnostics: Diagnostics) -> pl.Series:
    """Return a column of names as text; they may be whole numbers."""
    ids = id_column(column, diagnostics)
    return ids if ids.dtype == pl.String else ids.cast(pl.String)


def result_id_column(column: pl.Series, diagnostics: Diagnostics) -> pl.Series:
    """Return a column of ids of results, without blanks at both ends."""
    ids = id_column(column, diagnostics)
    return stripped_ids(ids) if ids.dtype == pl.String else ids


def id_column(column: pl.Series, diagnostics: Diagnostics) -> pl.Series:
    """Return a column of ids: text, or whole numbers where they are."""
    if column.dtype.is_float():
        column = _whole_floats(column)
    if column.dtype.is_integer():
        whole = column.cast(pl.Int64, strict=False)
        return whole if whole.null_count() == column.null_count() else column.cast(pl.String)
    if column.dtype not in TEXT_TYPES:
        raise diagnostics.error(f"column {column.name!r} holds {column.dtype}, expected text or whole numbers.")
    return text_column(column, diagnostics)


def error_column(column: pl.Series, diagnostics: Diagnostics) -> pl.Series:
    """Return the reason of each failure, null where there is none; true stands for no reason given."""
    if column.dtype == pl.Boolean:
        return column.to_frame().select(pl.when(pl.first()).then(pl.lit("no reason given"))).to_series()
    return text_column(column, diagnostics)


def whole_column(column: pl.Series, diagnostics: Diagnostics, *, what: str) -> Cells:
    """Return a column of whole numbers."""
    numbers = _numbers(column, diagnostics, expected="whole numbers")
    if numbers.null_count() == column.null_count():
        return Cells(numbers, {})
    lost = numbers.is_null() & _has_value(column)
    bad = {row: f"{what} {column[row]!r} is not a whole number (column {column.name!r})." for row in _rows(lost)}
    return Cells(numbers, bad)


def gain_column(column: pl.Series, diagnostics: Diagnostics) -> Cells:
    """Return a column of gains, null where there is none."""
    numbers = _numbers(column, diagnostics, expected=f"whole numbers from 0 to {HIGHEST_GAIN}")
    lost = numbers.is_null() & _has_value(column) if numbers.null_count() > column.null_count() else None
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


def _numbers(column: pl.Series, diagnostics: Diagnostics, *, expected: str) -> pl.Series:
    """Return whole numbers, null where a cell is none."""
    if column.dtype == pl.Int64:
        return column
    if column.dtype.is_integer() or column.dtype == pl.Null:
        return column.cast(pl.Int64, strict=False)
    if column.dtype.is_float():
        return _floats(column)
    if column.dtype not in TEXT_TYPES:
        raise diagnostics.error(f"column {column.name!r} holds {column.dtype}, expected {expected}.")
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


def _has_value(column: pl.Series) -> pl.Series:
    """Return which cells hold anything; NaN is pandas' gap."""
    if column.dtype.is_float():
        return column.is_not_null() & column.is_not_nan().fill_null(value=False)
    if column.dtype == pl.String:
        return (column.str.strip_chars(" \t") != "").fill_null(value=False)
    return column.is_not_null()


def _rows(mask: pl.Series) -> list[int]:
    return np.flatnonzero(mask.to_numpy()).tolist()


_NUMBERS = ("result_id", "cluster", "question_id", "gain")  # roles that numbers can play


class FilledColumn(NamedTuple):
    """A column without the gaps, and the fields without what filled them."""

    column: pl.Series
    fields: pl.DataFrame


def fill_gaps(
    column: pl.Series, fields: pl.DataFrame, *, role: str, spare: str, clean: Callable[[pl.Series], pl.Series]
) -> FilledColumn:
    """Fill the gaps of a column from another one. clean: brings a column to the type of the role."""
    dtype = fields.schema[spare]
    if dtype not in TEXT_TYPES and not (role in _NUMBERS and dtype.is_numeric()):
        return FilledColumn(column, fields)
    source = fields[spare]
    nothing = pl.Series([None], dtype=dtype).new_from_index(0, len(source))
    offered = clean(source.zip_with(column.is_null(), nothing).alias(spare))  # elsewhere its values are not checked
    if offered.dtype != column.dtype:  # told by the types alone, so that all parts of a file are alike
        column, offered = column.cast(pl.String), offered.cast(pl.String)
    filled = column.zip_with(column.is_not_null(), offered)
    return FilledColumn(filled, fields.with_columns(source.zip_with(offered.is_null(), nothing).alias(spare)))


class FieldRows(Sequence["Fields | None"]):
    """The fields of each row of a frame, without nulls and empty texts; None where there are none."""

    __slots__ = ("_frame",)

    def __init__(self, frame: pl.DataFrame) -> None:
        self._frame = frame

    def __len__(self) -> int:
        return self._frame.height

    @overload
    def __getitem__(self, index: int) -> Fields | None: ...
    @overload
    def __getitem__(self, index: slice) -> FieldRows: ...
    def __getitem__(self, index: int | slice) -> Fields | FieldRows | None:
        if isinstance(index, slice):
            return FieldRows(self._frame[index])
        return _fields(self._frame.row(index, named=True))

    def __iter__(self) -> Iterator[Fields | None]:
        return map(_fields, self._frame.iter_rows(named=True))


def field_rows(frame: pl.DataFrame) -> FieldRows | None:
    """Return the fields in a frame, or None where it holds nothing at all."""
    used = [column for column in frame if column.null_count() < frame.height]
    return FieldRows(pl.DataFrame(used)) if used else None


def open_fields(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame with the struct column `fields` opened; its fields win over columns of the same name."""
    if frame.schema.get("fields") != pl.Struct:
        return frame
    inner = frame["fields"].struct.unnest()
    frame = frame.drop("fields", *(name for name in inner.columns if name in frame.columns and name != "fields"))
    return frame.hstack(inner)


def _fields(row: dict[str, object]) -> Fields | None:
    return {key: value for key, value in row.items() if has_value(value)} or None
