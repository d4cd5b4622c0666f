"""Frames in memory: polars, pandas, or anything with named columns; and judgments and rankings from them.

Columns are found by the aliases of `goldproof.io.columns`. A pandas frame is converted column by column, its gaps (NaN,
NaT, NA) being nulls: its own conversion would need pyarrow.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from goldproof.core.errors import InputError
from goldproof.io.complaints import Complaints
from goldproof.io.parquet import frame_rows, row_columns
from goldproof.io.values import GRADE, SCORE

if TYPE_CHECKING:
    from goldproof.core.tables import JudgmentTable, RankingTable
    from goldproof.io.rows import RowBuffer
    from goldproof.io.values import ValueKind


def judgments_from_frame(frame: object, *, where: str = "judgments") -> JudgmentTable:
    """Take judgments from a frame with the columns query_id, doc_id, grade (or their aliases)."""
    complaints = Complaints(Path(where))
    return _rows(frame, GRADE, complaints).judgments(complaints)


def ranking_from_frame(frame: object, *, where: str = "run") -> RankingTable:
    """Take a ranking from a frame with the columns query_id, doc_id, score (or their aliases)."""
    complaints = Complaints(Path(where))
    return _rows(frame, SCORE, complaints).ranking(complaints)


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
    return _frame([_column(frame[key], str(key), complaints) for key in frame.columns], complaints)


def _rows(frame: Any, kind: ValueKind, complaints: Complaints) -> RowBuffer:  # noqa: ANN401 - frames have no common type
    if isinstance(frame, pl.LazyFrame):
        frame = frame.collect()
    names = row_columns([str(name) for name in frame.columns], kind, complaints)
    return frame_rows(_frame([_column(frame[name], name, complaints) for name in names], complaints), kind, complaints)


def _frame(columns: list[pl.Series], complaints: Complaints) -> pl.DataFrame:
    if len({len(column) for column in columns}) > 1:
        raise InputError(f"{complaints.path}: columns differ in length.")
    return pl.DataFrame(columns)


def _column(column: Any, name: str, complaints: Complaints) -> pl.Series:  # noqa: ANN401 - frames have no common type
    if isinstance(column, pl.Series):
        return column.alias(name)
    if hasattr(column, "notna") and not column.notna().all():
        column = column.astype(object).where(column.notna(), None)
    values = column.tolist() if hasattr(column, "tolist") else list(column)
    try:
        return pl.Series(name, values)
    except (TypeError, pl.exceptions.PolarsError) as error:
        raise complaints.fatal(f"column {name!r} mixes types ({str(error).splitlines()[0]}).") from error
