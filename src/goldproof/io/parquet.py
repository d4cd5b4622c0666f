"""Parquet tables of judgments and rankings: columns by the aliases of `goldproof.io.columns`; rows are named from 1."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from goldproof.io.columns import find_columns
from goldproof.io.replacing import replace_file
from goldproof.io.rows import RowBuffer, Rows
from goldproof.io.table_header import check_columns
from goldproof.io.values import BadValueError

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.core.arrays import BoolArray, FloatArray, IntArray
    from goldproof.core.errors import FileFormatError
    from goldproof.io.complaints import Complaints
    from goldproof.io.values import ValueKind

_ID_TYPES = (pl.String, pl.Categorical, pl.Enum)
# A damaged file may trip an assertion inside polars, which is a panic there and not an error.
UNREADABLE = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)


def read_parquet_columns(path: Path, complaints: Complaints) -> list[str]:
    """Return the names of the columns."""
    try:
        return list(pl.read_parquet_schema(path))
    except UNREADABLE as error:
        raise not_parquet(complaints, error) from error


def read_parquet_frame(path: Path, names: list[str], complaints: Complaints) -> pl.DataFrame:
    """Read some columns."""
    try:
        return pl.read_parquet(path, columns=names)
    except UNREADABLE as error:
        raise not_parquet(complaints, error) from error


def write_parquet(path: Path | str, frame: pl.DataFrame) -> None:
    """Write a table; the same table gives the same bytes."""
    stream = io.BytesIO()
    frame.rechunk().write_parquet(
        stream, compression="zstd", compression_level=3, statistics=True, row_group_size=1 << 18
    )
    replace_file(path, stream.getvalue())


def not_parquet(complaints: Complaints, error: BaseException) -> FileFormatError:
    """Return the error for a file that polars cannot read."""
    reason = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
    return complaints.fatal(f"is not a readable Parquet file ({reason}).", hint="Copy or write the file again.")


def read_parquet_rows(path: Path, kind: ValueKind, complaints: Complaints) -> RowBuffer:
    """Read judgments or a ranking."""
    names = row_columns(read_parquet_columns(path, complaints), kind, complaints)
    frame = read_parquet_frame(path, names, complaints)
    if not len(frame):
        raise complaints.fatal("holds no rows.", hint="Was it cut off, or never written?")
    return frame_rows(frame.select(names), kind, complaints)


def row_columns(header: list[str], kind: ValueKind, complaints: Complaints) -> list[str]:
    """Return the names of the columns of question, document and value."""
    columns = find_columns(header, needed=("query", "document", kind.name))
    check_columns(columns, header, complaints=complaints, line=None)
    return [header[columns.position[role]] for role in ("query", "document", kind.name)]


def frame_rows(frame: pl.DataFrame, kind: ValueKind, complaints: Complaints) -> RowBuffer:
    """Take judgments or a ranking from a frame with the columns question, document, value, in this order."""
    names = frame.columns
    questions = id_column(frame[names[0]], complaints)
    documents = id_column(frame[names[1]], complaints)
    values, bad = _values(frame[names[2]], kind, complaints)
    good = np.ones(len(frame), dtype=np.bool_)
    good[list(bad)] = False
    good &= (questions.is_not_null() & documents.is_not_null()).to_numpy()
    mask = pl.Series(good)
    numbers = (np.flatnonzero(good) + 1).tolist()
    rows = Rows(questions.filter(mask), documents.filter(mask), values[good], numbers, "row")
    return RowBuffer([rows], dropped=_dropped(questions, ~good, bad))


def _dropped(questions: pl.Series, left_out: BoolArray, bad: dict[int, str]) -> dict[str, str]:
    """Return the questions of bad rows, each with the first of them."""
    dropped: dict[str, str] = {}
    for row in np.flatnonzero(left_out).tolist():
        question = questions[row]
        if question is not None:
            dropped.setdefault(question, bad.get(row, f"row {row + 1}: the document id is empty."))
    return dropped


def id_column(column: pl.Series, complaints: Complaints) -> pl.Series:
    """Return ids as text (whole numbers too); a missing or empty one is reported and becomes null."""
    if not (column.dtype in _ID_TYPES or column.dtype.is_integer()):
        raise complaints.fatal(f"column {column.name!r} holds {column.dtype}, expected text or whole numbers.")
    texts = column.cast(pl.String)
    texts = texts.to_frame().select(pl.when(pl.first() != "").then(pl.first())).to_series()
    for row in texts.is_null().arg_true().to_list():
        complaints.add(f"row {row + 1}: column {column.name!r} is empty.", line=None)
    return texts


def _values(column: pl.Series, kind: ValueKind, complaints: Complaints) -> tuple[FloatArray | IntArray, dict[int, str]]:
    """Return the numbers of a column, and what is wrong by row (where the number is 0)."""
    bad: dict[int, str] = {}
    if column.null_count() == 0 and column.dtype.is_numeric():
        numbers = kind.check_column(column) if kind.name == "score" or column.dtype.is_integer() else None
        if numbers is not None:
            return numbers, bad
    values: list[float] = []
    for row, value in enumerate(column.to_list()):
        try:
            values.append(kind.parse(value))
        except BadValueError as error:
            bad[row] = f"row {row + 1}: {error} (column {column.name!r})."
            complaints.add(bad[row], line=None)
            values.append(0)
    return kind.array(values), bad
