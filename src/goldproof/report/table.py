"""A table of finished text: what every renderer takes. It knows no job."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from goldproof.core.errors import InputError

Align = Literal["left", "right"]


@dataclass(frozen=True, slots=True)
class Heading:
    """A column's name, and which side its cells stand on."""

    name: str
    align: Align = "right"


@dataclass(frozen=True, slots=True)
class Table:
    """Headings and rows of text, with notes below."""

    headings: tuple[Heading, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows, start=1):
            if len(row) != len(self.headings):
                raise InputError(f"table row {number} has {len(row)} cells, expected {len(self.headings)}.")

    def without_empty_columns(self) -> Table:
        """Leave out the columns in which no row says anything."""
        keep = [i for i in range(len(self.headings)) if any(row[i] for row in self.rows)]
        return Table(
            headings=tuple(self.headings[i] for i in keep),
            rows=tuple(tuple(row[i] for i in keep) for row in self.rows),
            title=self.title,
            notes=self.notes,
        )
