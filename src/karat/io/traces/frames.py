"""Traces from a frame in memory: polars, pandas, or anything with named columns, one row per result.

Columns are those of `karat.io.traces.flat_layout`. A pandas frame is converted column by column, its gaps (NaN,
NaT, NA) being nulls: its own conversion would need pyarrow.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from karat.core.errors import InputError
from karat.io.complaints import Complaints
from karat.io.traces.flat_layout import flat_layout
from karat.io.traces.flat_reader import FlatReader
from karat.io.traces.flat_rows import Chunk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from karat.core.traces import TraceTable


def traces_from_frame(frame: object, *, where: str = "traces") -> Iterator[TraceTable]:
    """Take conversations from a frame; where: what it is called in messages."""
    complaints = Complaints(Path(where))
    rows = to_polars(frame, complaints)
    layout = flat_layout(rows.columns, complaints, line=None)
    chunk = Chunk(rows.select(layout.read), np.arange(1, len(rows) + 1), np.zeros(len(rows), dtype=np.bool_))
    return FlatReader(layout, complaints, unit="row").tables([chunk])


def to_polars(frame: Any, complaints: Complaints) -> pl.DataFrame:  # noqa: ANN401 - frames have no common type
    """Return any frame as one of polars."""
    if isinstance(frame, pl.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, pl.DataFrame):
        return frame
    names = [str(name) for name in frame.columns]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise complaints.fatal(f"column {twice!r} occurs twice.", hint="Rename one of them.")
    columns = [_column(frame[key], name, complaints) for key, name in zip(frame.columns, names, strict=True)]
    if len({len(column) for column in columns}) > 1:
        raise InputError(f"{complaints.path}: columns differ in length.")
    return pl.DataFrame(columns)


def _column(column: Any, name: str, complaints: Complaints) -> pl.Series:  # noqa: ANN401 - frames have no common type
    if hasattr(column, "notna"):
        column = column.astype(object).where(column.notna(), None)
    values = column.tolist() if hasattr(column, "tolist") else list(column)
    try:
        return pl.Series(name, values)
    except (TypeError, pl.exceptions.PolarsError) as error:
        raise complaints.fatal(f"column {name!r} mixes types ({str(error).splitlines()[0]}).") from error
