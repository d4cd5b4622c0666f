"""Parquet files and data frames: columns, rows, records of plain values, writing.

Columns are found by the aliases of `goldproof.io.columns`. In records, lists and structs become lists and dicts.
Moments, dates and times become ISO text, durations seconds. A decimal becomes a number where a double holds it exactly
as written, else its text. NaN and infinity become null. Bytes become text where they are UTF-8, else null.

A pandas frame is converted column by column, its gaps (NaN, NaT, NA) being nulls: its own conversion would need
pyarrow.
"""

from __future__ import annotations

import io
import math
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import polars as pl

from goldproof.errors import InputError
from goldproof.io.atomic_files import replace_file
from goldproof.io.columns import check_columns, find_columns
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.rows import RowBuffer, Rows
from goldproof.io.values import GRADE, SCORE, BadValueError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.errors import FileFormatError
    from goldproof.io.values import ValueKind
    from goldproof.records.arrays import BoolArray, FloatArray, IntArray
    from goldproof.records.tables import JudgmentTable, RankingTable


_ID_TYPES = (pl.String, pl.Categorical, pl.Enum)

# A damaged file may trip an assertion inside polars, which is a panic there and not an error.
UNREADABLE = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)


def read_parquet_columns(path: Path, diagnostics: Diagnostics) -> list[str]:
    """Return the names of the columns."""
    try:
        return list(pl.read_parquet_schema(path))
    except UNREADABLE as error:
        raise not_parquet(diagnostics, error) from error


def read_parquet_frame(path: Path, names: list[str], diagnostics: Diagnostics) -> pl.DataFrame:
    """Read some columns."""
    try:
        return pl.read_parquet(path, columns=names)
    except UNREADABLE as error:
        raise not_parquet(diagnostics, error) from error


def write_parquet(path: Path | str, frame: pl.DataFrame) -> None:
    """Write a table; the same table gives the same bytes."""
    stream = io.BytesIO()
    frame.rechunk().write_parquet(
        stream, compression="zstd", compression_level=3, statistics=True, row_group_size=1 << 18
    )
    replace_file(path, stream.getvalue())


def not_parquet(diagnostics: Diagnostics, error: BaseException) -> FileFormatError:
    """Return the error for a file that polars cannot read."""
    reason = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
    return diagnostics.error(f"is not a readable Parquet file ({reason}).", hint="Copy or write the file again.")


def read_parquet_rows(path: Path, kind: ValueKind, diagnostics: Diagnostics) -> RowBuffer:
    """Read judgments or a ranking."""
    names = row_columns(read_parquet_columns(path, diagnostics), kind, diagnostics)
    frame = read_parquet_frame(path, names, diagnostics)
    if not len(frame):
        raise diagnostics.error("holds no rows.", hint="Was it cut off, or never written?")
    return frame_rows(frame.select(names), kind, diagnostics)


def row_columns(header: list[str], kind: ValueKind, diagnostics: Diagnostics) -> list[str]:
    """Return the names of the columns of question, document and value."""
    columns = find_columns(header, needed=("query", "document", kind.name))
    check_columns(columns, header, diagnostics=diagnostics, line=None)
    return [header[columns.position[role]] for role in ("query", "document", kind.name)]


def frame_rows(frame: pl.DataFrame, kind: ValueKind, diagnostics: Diagnostics) -> RowBuffer:
    """Return judgments or a ranking from a frame with the columns question, document, value, in this order."""
    names = frame.columns
    questions = id_column(frame[names[0]], diagnostics)
    documents = id_column(frame[names[1]], diagnostics)
    values, bad = _values(frame[names[2]], kind, diagnostics)
    good = np.ones(len(frame), dtype=np.bool_)
    good[list(bad)] = False
    good &= (questions.is_not_null() & documents.is_not_null()).to_numpy()
    mask = pl.Series(good)
    numbers = (np.flatnonzero(good) + 1).tolist()
    rows = Rows(questions.filter(mask), documents.filter(mask), values[good], numbers, "row")
    return RowBuffer([rows], dropped=_dropped(questions, ~good, bad))


def _dropped(questions: pl.Series, left_out: BoolArray, bad: dict[int, str]) -> dict[str, str]:
    """Return each question with a bad row, and the first problem there."""
    dropped: dict[str, str] = {}
    for row in np.flatnonzero(left_out).tolist():
        question = questions[row]
        if question is not None:
            dropped.setdefault(question, bad.get(row, f"row {row + 1}: the document id is empty."))
    return dropped


def id_column(column: pl.Series, diagnostics: Diagnostics) -> pl.Series:
    """Return ids as text (whole numbers too); a missing or empty one is reported and becomes null."""
    if not (column.dtype in _ID_TYPES or column.dtype.is_integer()):
        raise diagnostics.error(f"column {column.name!r} holds {column.dtype}, expected text or whole numbers.")
    texts = column.cast(pl.String)
    texts = texts.to_frame().select(pl.when(pl.first() != "").then(pl.first())).to_series()
    for row in texts.is_null().arg_true().to_list():
        diagnostics.report(f"row {row + 1}: column {column.name!r} is empty.", line=None)
    return texts


def _values(
    column: pl.Series, kind: ValueKind, diagnostics: Diagnostics
) -> tuple[FloatArray | IntArray, dict[int, str]]:
    """Return the numbers of a column, and the problems by row (where the number is 0)."""
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
            diagnostics.report(bad[row], line=None)
            values.append(0)
    return kind.array(values), bad


_FIRST_ROWS = 64

_BATCH_BYTES = 64 << 20


def read_parquet_records(path: Path, diagnostics: Diagnostics) -> Iterator[dict[str, object]]:
    """Yield the rows of a file as records of plain values."""
    try:
        odd = _odd_columns(pl.read_parquet_schema(path))
        for batch in _batches(path):
            yield from _rows(batch, odd)
    except UNREADABLE as error:
        raise not_parquet(diagnostics, error) from error


def _batches(path: Path) -> Iterator[pl.DataFrame]:
    """Yield slices: few rows first, since some callers only look, then as many as fit the size of a batch.

    Slices and not `collect_batches`, which reads to the end even where the caller stops, and holds row groups ahead.
    """
    table = pl.scan_parquet(path, glob=False, hive_partitioning=False)
    start, count = 0, _FIRST_ROWS
    while True:
        batch = table.slice(start, count).collect()
        yield batch
        if len(batch) < count:
            return
        start += count
        count = max(_FIRST_ROWS, _BATCH_BYTES * len(batch) // max(1, int(batch.estimated_size())))


def _rows(batch: pl.DataFrame, odd: list[str]) -> Iterator[dict[str, object]]:
    for record in batch.iter_rows(named=True):
        for name in odd:
            record[name] = json_value(record[name])
        yield record


def _odd_columns(schema: dict[str, pl.DataType]) -> list[str]:
    """Return the columns whose values are not plain JSON as polars gives them."""
    return [name for name, kind in schema.items() if not _is_plain(kind)]


def _is_plain(kind: pl.DataType) -> bool:
    if isinstance(kind, pl.List | pl.Array):
        return _is_plain(cast("pl.DataType", kind.inner))
    if isinstance(kind, pl.Struct):
        return all(_is_plain(cast("pl.DataType", field.dtype)) for field in kind.fields)
    return kind.is_integer() or kind in (pl.String, pl.Boolean, pl.Categorical, pl.Enum, pl.Null)


def json_value(value: object) -> object:
    """Return a value in JSON's own types."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: json_value(item) for name, item in value.items()}
    if isinstance(value, list | tuple | pl.Series):
        return [json_value(item) for item in value]
    return _plain_scalar(value)


def _plain_scalar(value: object) -> object:
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, Decimal):
        return _number(value)
    if isinstance(value, bytes):
        return _text(value)
    return str(value)


def _number(value: Decimal) -> float | str:
    number = float(value)
    return number if Decimal(repr(number)) == value else str(value)


def _text(value: bytes) -> str | None:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return None


def judgments_from_frame(frame: object, *, where: str = "judgments") -> JudgmentTable:
    """Return judgments from a frame with the columns query_id, doc_id, grade (or their aliases)."""
    diagnostics = Diagnostics(Path(where))
    return _frame_rows(frame, GRADE, diagnostics).judgments(diagnostics)


def ranking_from_frame(frame: object, *, where: str = "run") -> RankingTable:
    """Return a ranking from a frame with the columns query_id, doc_id, score (or their aliases)."""
    diagnostics = Diagnostics(Path(where))
    return _frame_rows(frame, SCORE, diagnostics).ranking(diagnostics)


def to_polars(frame: Any, diagnostics: Diagnostics) -> pl.DataFrame:  # noqa: ANN401 - frames have no common type
    """Return any data frame as a polars frame."""
    if isinstance(frame, pl.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, pl.DataFrame):
        return frame
    names = [str(name) for name in frame.columns]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise diagnostics.error(f"column {twice!r} occurs twice.", hint="Rename one of them.")
    return _frame([_column(frame[key], str(key), diagnostics) for key in frame.columns], diagnostics)


def _frame_rows(frame: Any, kind: ValueKind, diagnostics: Diagnostics) -> RowBuffer:  # noqa: ANN401 - frames have no common type
    if isinstance(frame, pl.LazyFrame):
        frame = frame.collect()
    names = row_columns([str(name) for name in frame.columns], kind, diagnostics)
    return frame_rows(
        _frame([_column(frame[name], name, diagnostics) for name in names], diagnostics), kind, diagnostics
    )


def _frame(columns: list[pl.Series], diagnostics: Diagnostics) -> pl.DataFrame:
    if len({len(column) for column in columns}) > 1:
        raise InputError(f"{diagnostics.path}: columns differ in length.")
    return pl.DataFrame(columns)


def _column(column: Any, name: str, diagnostics: Diagnostics) -> pl.Series:  # noqa: ANN401 - frames have no common type
    if isinstance(column, pl.Series):
        return column.alias(name)
    if hasattr(column, "notna") and not column.notna().all():
        column = column.astype(object).where(column.notna(), None)
    values = column.tolist() if hasattr(column, "tolist") else list(column)
    try:
        return pl.Series(name, values)
    except (TypeError, pl.exceptions.PolarsError) as error:
        raise diagnostics.error(f"column {name!r} mixes types ({str(error).splitlines()[0]}).") from error
