"""Rows of labels beside a trace: judgments, or tables that name a document and a grade but no question.

A table without a question is read as judgments of the question `*`: the same checks, the same messages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from goldproof.core.traces import HIGHEST_GAIN
from goldproof.io.columns import find_columns
from goldproof.io.complaints import Complaints
from goldproof.io.datasets import read_dataset
from goldproof.io.frames import to_polars
from goldproof.io.jsonl import read_objects
from goldproof.io.parquet import frame_rows, read_parquet_columns, read_parquet_frame, row_columns
from goldproof.io.reading import judgment_rows
from goldproof.io.row_collector import RowCollector
from goldproof.io.sniffing import sniff
from goldproof.io.table_header import check_columns
from goldproof.io.text_table import read_text_table
from goldproof.io.values import GRADE, BadValueError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from goldproof.core.arrays import FloatArray, IntArray
    from goldproof.core.tables import JudgmentTable
    from goldproof.io.rows import RowBuffer, Rows
    from goldproof.io.sniffing import Sniffed

ANY_QUESTION = "*"
_SCALE_HINT = f"Gains are 0 to {HIGHEST_GAIN}: map your labels to that scale first."


class _Place(NamedTuple):
    """Where a row stands: the words before a problem, or its line."""

    text: str = ""
    line: int | None = None


def read_label_rows(path: Path, complaints: Complaints | None = None) -> JudgmentTable:
    """Read labels as judgments; by document alone they are judgments of one question, `*`."""
    complaints = complaints or Complaints(path)
    sniffed = None if path.is_dir() else sniff(path)
    if sniffed is None or sniffed.format == "yaml":
        dataset = read_dataset(path)
        for remark in dataset.remarks:
            complaints.remark(remark)
        return checked(dataset.judgments, complaints)
    header = _header(path, sniffed, complaints)
    alone = header is not None and _is_by_document(header)
    rows = _document_rows(path, sniffed, complaints) if alone else judgment_rows(path, complaints, sniffed=sniffed)
    _check_rows(rows, complaints)
    return rows.judgments(complaints)


def frame_labels(frame: object, complaints: Complaints) -> JudgmentTable:
    """Take labels from a frame."""
    table = to_polars(frame, complaints)
    if _is_by_document(table.columns):
        rows = _frame_rows(table, complaints)
    else:
        rows = frame_rows(table.select(row_columns(table.columns, GRADE, complaints)), GRADE, complaints)
    _check_rows(rows, complaints)
    return rows.judgments(complaints)


def _header(path: Path, sniffed: Sniffed, complaints: Complaints) -> Sequence[str] | None:
    """Return the names of columns or keys, or None where the file has none."""
    if sniffed.format == "parquet":
        return read_parquet_columns(path, complaints)
    if sniffed.format == "jsonl":
        first = next(read_objects(path, complaints), None)
        return None if first is None else list(first.record)
    return read_text_table(path, complaints, sniffed=sniffed).header if sniffed.header else None


def _is_by_document(header: Sequence[str]) -> bool:
    """Say whether a table names documents and grades, but no question."""
    columns = find_columns(header, needed=("query", "labelled", "grade"))
    return columns.missing == ("query",)


def _document_rows(path: Path, sniffed: Sniffed, complaints: Complaints) -> RowBuffer:
    if sniffed.format == "parquet":
        return _frame_rows(read_parquet_frame(path, read_parquet_columns(path, complaints), complaints), complaints)
    table = read_text_table(path, complaints, sniffed=sniffed)
    columns = find_columns(table.header, needed=("labelled", "grade"))
    check_columns(columns, table.header, complaints=complaints, line=table.header_line)
    collected = RowCollector(GRADE)
    for row in table.rows:
        document = row.fields[columns.position["labelled"]]
        if not isinstance(document, str | int) or isinstance(document, bool) or document == "":
            problem = "the document is empty or not text."
            complaints.add(problem, line=row.line, hint="Give the id of a document.")
            continue
        try:
            grade = GRADE.parse(row.fields[columns.position["grade"]])
            collected.add(ANY_QUESTION, str(document), grade, line=row.line or 0)
        except BadValueError as error:
            complaints.add(f"{error} (column {table.header[columns.position['grade']]!r}).", line=row.line)
    return collected.buffer()


def _frame_rows(frame: pl.DataFrame, complaints: Complaints) -> RowBuffer:
    columns = find_columns(frame.columns, needed=("labelled", "grade"))
    check_columns(columns, frame.columns, complaints=complaints, line=None)
    names = [frame.columns[columns.position[role]] for role in ("labelled", "grade")]
    return frame_rows(frame.select(pl.lit(ANY_QUESTION).alias("*"), *names), GRADE, complaints)


def checked(table: JudgmentTable, complaints: Complaints) -> JudgmentTable:
    """Return judgments that have no lines, after looking at their range."""

    def place(row: int) -> _Place:
        question = table.questions[int(np.searchsorted(table.starts, row, side="right")) - 1]
        return _Place("" if question == ANY_QUESTION else f"question {question!r}: ")

    _check_scale(table.documents, table.grades, complaints=complaints, place=place)
    return table


def _check_rows(rows: RowBuffer, complaints: Complaints) -> None:
    for part in rows.parts:

        def place(row: int, part: Rows = part) -> _Place:
            number = part.numbers[row]
            return _Place(f"row {number}: ") if part.unit == "row" else _Place(line=number)

        _check_scale(part.documents, part.values, complaints=complaints, place=place)


def _check_scale(
    documents: pl.Series, grades: IntArray | FloatArray, *, complaints: Complaints, place: Callable[[int], _Place]
) -> None:
    """Report grades beyond the scale."""
    for row in np.flatnonzero(grades > HIGHEST_GAIN).tolist():
        where = place(row)
        problem = f"{where.text}grade {grades[row]:g} of document {documents[row]!r} is above {HIGHEST_GAIN}."
        complaints.add(problem, line=where.line, hint=_SCALE_HINT)
