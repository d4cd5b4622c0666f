"""Columns that grow row by row, for the formats that are read one record at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from goldproof.io.rows import RowBuffer, Rows

if TYPE_CHECKING:
    from goldproof.io.values import ValueKind


class RowCollector:
    """Rows, and what a ranking says besides rows (see `RowBuffer`)."""

    def __init__(self, kind: ValueKind) -> None:
        self.failed: dict[str, str] = {}
        self.empty: list[str] = []
        self.dropped: dict[str, str] = {}
        self._kind = kind
        self._questions: list[str] = []
        self._documents: list[str] = []
        self._values: list[float] = []
        self._lines: list[int] = []

    def add(self, question: str, document: str, value: float, *, line: int) -> None:
        """Add one row."""
        self._questions.append(question)
        self._documents.append(document)
        self._values.append(value)
        self._lines.append(line)

    def buffer(self) -> RowBuffer:
        """Return all rows."""
        rows = Rows(
            pl.Series(self._questions, dtype=pl.String),
            pl.Series(self._documents, dtype=pl.String),
            self._kind.array(self._values),
            self._lines,
        )
        return RowBuffer([rows], self.empty, self.failed, self.dropped)
