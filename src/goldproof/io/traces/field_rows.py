"""The fields of results that stand in a table: a dictionary is made of a row only when somebody asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

import polars as pl

from goldproof.io.traces.cells import says

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.core.traces import Fields


class FieldRows(Sequence["Fields | None"]):
    """What each row of a frame says, without nulls and empty texts; None where it says nothing."""

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
    """Return a frame in which a column `fields` that is a struct is opened; what is in it wins."""
    if frame.schema.get("fields") != pl.Struct:
        return frame
    inner = frame["fields"].struct.unnest()
    frame = frame.drop("fields", *(name for name in inner.columns if name in frame.columns and name != "fields"))
    return frame.hstack(inner)


def _fields(row: dict[str, object]) -> Fields | None:
    return {key: value for key, value in row.items() if says(value)} or None
