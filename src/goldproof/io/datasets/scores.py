"""Score tables: `run, id, metric, value, status, reason, cluster` as CSV, TSV, JSONL or Parquet.

Only id, metric and value must be there. Without a run column the run is named after the file. A row without a value
must say in `status` that it is `undefined` or `failed`: nothing turns into a 0 or is dropped on the way. One value per
run, question and metric. Parquet is written with fixed settings, so the same table gives the same bytes.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from goldproof.errors import UnknownNameError
from goldproof.io.columns import check_columns, find_columns
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.file_layout import sniff
from goldproof.io.parquet import read_parquet_columns, read_parquet_frame, write_parquet
from goldproof.io.record_files import TextTable, read_text_table
from goldproof.io.text_files import file_stem
from goldproof.io.values import BadValueError, parse_score
from goldproof.records.tables import SCORE_SCHEMA, ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_NEEDED = ("id", "metric", "value")
_OPTIONAL = ("run", "status", "reason", "cluster")
_STATUSES = ("scored", "undefined", "failed")
Row = tuple[str, str, str, float | None, str, str | None, str | None]


def read_scores(path: Path | str, *, run: str | None = None) -> ScoreTable:
    """Read a score table; `run` keeps only the rows of that run."""
    diagnostics = Diagnostics(Path(path))
    table = score_table(Path(path), diagnostics)
    if run is None:
        return table
    runs = table.frame["run"].unique().to_list()
    if run not in runs:
        raise UnknownNameError(f"run in {path}", run, runs)
    return ScoreTable(table.frame.filter(pl.col("run") == run))


def score_table(path: Path, diagnostics: Diagnostics) -> ScoreTable:
    """Read a score table, reporting bad rows to `diagnostics`."""
    sniffed = sniff(path)
    own = _own_table(path, diagnostics) if sniffed.format == "parquet" else None
    if own is not None:
        return own
    table = read_text_table(path, diagnostics, sniffed=sniffed)
    columns = find_columns(table.header, needed=_NEEDED, optional=_OPTIONAL)
    check_columns(columns, table.header, diagnostics=diagnostics, line=table.header_line)
    default_run = file_stem(path)
    rows: list[Row] = []
    seen: dict[tuple[str, str, str], str] = {}
    for where, line, row in _rows(table, columns.position, default_run=default_run, diagnostics=diagnostics):
        first = seen.setdefault(row[:3], where)
        if first != where:
            diagnostics.report(
                _at(
                    line,
                    where,
                    f"metric {row[2]!r} of id {row[1]!r} occurs twice for run {row[0]!r} (first at {first}).",
                ),
                line=line,
            )
            continue
        rows.append(row)
    if not rows and not diagnostics.total:
        raise diagnostics.error("holds no rows.", hint="Was it cut off, or never written?")
    return ScoreTable(pl.DataFrame(rows, schema=SCORE_SCHEMA, orient="row"))


def _own_table(path: Path, diagnostics: Diagnostics) -> ScoreTable | None:
    """Read a table as this package writes it, all rows at once; None where rows must be checked one by one."""
    if read_parquet_columns(path, diagnostics) != SCORE_SCHEMA.names():
        return None
    frame = read_parquet_frame(path, SCORE_SCHEMA.names(), diagnostics)
    if frame.schema != SCORE_SCHEMA or not len(frame):
        return None
    named = pl.all_horizontal(pl.col("run", "id", "metric").str.strip_chars().fill_null("") != "")
    scored = pl.col("status") == "scored"
    known = pl.col("status").is_in(_STATUSES) & (scored == pl.col("value").is_not_null())
    finite = pl.col("value").is_finite().fill_null(value=True)
    good = frame.select((named & known & finite).fill_null(value=False).all()).item()
    if not good or frame.select("run", "id", "metric").is_duplicated().any():
        return None
    return ScoreTable(frame)


def write_scores(path: Path | str, scores: ScoreTable) -> None:
    """Write a score table as Parquet; the same table gives the same bytes."""
    write_parquet(path, scores.frame)


def _rows(
    table: TextTable, position: Mapping[str, int], *, default_run: str, diagnostics: Diagnostics
) -> Iterator[tuple[str, int | None, Row]]:
    for number, line, fields in table.rows:
        where = f"row {number}" if line is None else f"line {line}"
        get = {role: fields[at] for role, at in position.items()}
        try:
            row = _row(get, default_run)
        except BadValueError as error:
            diagnostics.report(_at(line, where, f"{error}."), line=line)
            continue
        yield where, line, row


def _row(get: dict[str, object], default_run: str) -> Row:
    value, status = get["value"], get.get("status") or None
    if value in (None, "") and status is None:
        raise BadValueError("value is empty, expected a number, or 'undefined' or 'failed' in a status column")
    status = "scored" if status is None else str(status)
    if status not in _STATUSES:
        raise BadValueError(f"status {status!r} is not one of {', '.join(_STATUSES)}")
    if (value in (None, "")) != (status != "scored"):
        raise BadValueError(f"status is {status!r}, but the value is {value!r}")
    number = _value(value) if status == "scored" else None
    return (
        _text(get.get("run")) or default_run,
        _needed_text(get["id"], "id"),
        _needed_text(get["metric"], "metric"),
        number,
        status,
        _text(get.get("reason")),
        _text(get.get("cluster")),
    )


def _value(value: object) -> float:
    try:
        return parse_score(value)
    except BadValueError as error:
        raise BadValueError(str(error).replace("score", "value", 1)) from error


def _needed_text(value: object, name: str) -> str:
    text = _text(value)
    if text is None:
        raise BadValueError(f"{name} is empty")
    return text


def _text(value: object) -> str | None:
    if value is None or value == "":
        return None
    return str(value).strip() or None


def _at(line: int | None, where: str, sentence: str) -> str:
    return f"{where}: {sentence}" if line is None else sentence
