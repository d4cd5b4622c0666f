"""Rows of Parquet files as plain JSON values, in batches with flat memory.

Lists and structs become lists and dicts. Moments, dates and times become ISO text, durations seconds. A decimal becomes
a number where a double holds it exactly as written, else its text. NaN and infinity become null. Bytes become text
where they are UTF-8, else null.
"""

from __future__ import annotations

import math
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, cast

import polars as pl

from goldproof.io.parquet import UNREADABLE, not_parquet

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from goldproof.io.complaints import Complaints

_FIRST_ROWS = 64
_BATCH_BYTES = 64 << 20


def read_parquet_records(path: Path, complaints: Complaints) -> Iterator[dict[str, object]]:
    """Yield the rows of a file."""
    try:
        odd = _odd_columns(pl.read_parquet_schema(path))
        for batch in _batches(path):
            yield from _rows(batch, odd)
    except UNREADABLE as error:
        raise not_parquet(complaints, error) from error


def _batches(path: Path) -> Iterator[pl.DataFrame]:
    """Yield slices: few rows first, since some callers only look, then as many as fit the size of a batch.

    Slices and not `collect_batches`, which reads to the end even where nobody asks for it, and holds row groups ahead.
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
            record[name] = plain_value(record[name])
        yield record


def _odd_columns(schema: dict[str, pl.DataType]) -> list[str]:
    """Return the columns whose values are not plain as they come."""
    return [name for name, kind in schema.items() if not _is_plain(kind)]


def _is_plain(kind: pl.DataType) -> bool:
    if isinstance(kind, pl.List | pl.Array):
        return _is_plain(cast("pl.DataType", kind.inner))
    if isinstance(kind, pl.Struct):
        return all(_is_plain(cast("pl.DataType", field.dtype)) for field in kind.fields)
    return kind.is_integer() or kind in (pl.String, pl.Boolean, pl.Categorical, pl.Enum, pl.Null)


def plain_value(value: object) -> object:
    """Return a value in JSON's own types."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: plain_value(item) for name, item in value.items()}
    if isinstance(value, list | tuple | pl.Series):
        return [plain_value(item) for item in value]
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
