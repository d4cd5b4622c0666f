"""Judgments and rankings from frames in memory: polars, pandas, or anything with named columns.

Columns are found by the aliases of `karat.io.columns`. A pandas frame is converted column by column: its own conversion
would need pyarrow.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from karat.core.errors import InputError
from karat.io.complaints import Complaints
from karat.io.parquet import frame_rows, row_columns
from karat.io.values import GRADE, SCORE

if TYPE_CHECKING:
    from karat.core.tables import JudgmentTable, RankingTable
    from karat.io.rows import RowBuffer
    from karat.io.values import ValueKind


def judgments_from_frame(frame: object, *, where: str = "judgments") -> JudgmentTable:
    """Take judgments from a frame with the columns query_id, doc_id, grade (or their aliases)."""
    complaints = Complaints(Path(where))
    return _rows(frame, GRADE, complaints).judgments(complaints)


def ranking_from_frame(frame: object, *, where: str = "run") -> RankingTable:
    """Take a ranking from a frame with the columns query_id, doc_id, score (or their aliases)."""
    complaints = Complaints(Path(where))
    return _rows(frame, SCORE, complaints).ranking(complaints)


def _rows(frame: Any, kind: ValueKind, complaints: Complaints) -> RowBuffer:  # noqa: ANN401 - frames have no common type
    if isinstance(frame, pl.LazyFrame):
        frame = frame.collect()
    names = row_columns([str(name) for name in frame.columns], kind, complaints)
    columns = {name: _column(frame[name], complaints) for name in names}
    if len({len(column) for column in columns.values()}) > 1:
        raise InputError(f"{complaints.path}: columns differ in length.")
    return frame_rows(pl.DataFrame(columns), kind, complaints)


def _column(column: Any, complaints: Complaints) -> pl.Series:  # noqa: ANN401 - frames have no common type
    if isinstance(column, pl.Series):
        return column
    values = column.tolist() if hasattr(column, "tolist") else list(column)
    try:
        return pl.Series(str(column.name), values)
    except (TypeError, pl.exceptions.PolarsError) as error:
        raise complaints.fatal(f"column {column.name!r} mixes types ({str(error).splitlines()[0]}).") from error
