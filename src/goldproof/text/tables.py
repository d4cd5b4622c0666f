"""Tables as texts have them: heading rows, body rows, a caption; any of the rows may be ragged.

`table_of` cleans what it is given and never cuts: short rows are padded to the longest. Which of the leading rows are
headings is decided by `goldproof.text.table_headers` unless the caller knows. `columns` joins the headings of each
column from top to bottom, so "Years Ended September 30," over "2019" reads "Years Ended September 30, 2019".

A heading that spans several columns stands in one cell of its row, the others being empty: at the left end of its span
or in its middle. From the lowest heading row upwards each heading is carried over the empty cells beside it.
- Between headings at columns p and q, the left one, whose span begins l columns before p, ends q - p - 1 - l after it:
  all spans of a row are taken to be placed in the same way. The last one goes on to the last column.
- It is carried no further than the headings below it look alike: periods and other headings with a digit ("2019"),
  units ("£m"), and plain words ("Note") are three kinds.
- A row that holds nothing but one unit, "(in millions)", holds for all columns but those of percents; any other lowest
  row stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.text.table_headers import count_header_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Cells = tuple[str, ...]

_BREAK = re.compile(r"\r\n?")
_UNIT = re.compile(r"[^\w\s]*\w{0,3}[$€£¥₹%]\S{0,8}")
_UNIT_NOTE = re.compile(r"\(.*\)|.*\b(?:in )?(?:thousands?|millions?|billions?)\b.*", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TextTable:
    """Cells in rows of one length: `header` above `rows`. No blanks around cells; breaks are line feeds."""

    header: tuple[Cells, ...]
    rows: tuple[Cells, ...]
    caption: str = ""

    @property
    def width(self) -> int:
        """How many columns there are."""
        return len((self.header + self.rows)[0]) if self.header or self.rows else 0

    @property
    def columns(self) -> Cells:
        """The heading of each column, its parts joined from top to bottom; "" where it has none."""
        levels = spread_headings(self.header)
        return tuple(_joined(level[i] for level in levels) for i in range(self.width))

    def flat(self) -> TextTable:
        """Return the same table under a single row of headings, as markdown has it."""
        return TextTable((self.columns,), self.rows, self.caption)


def table_of(rows: Sequence[Sequence[object]], *, header_rows: int | None = None, caption: str = "") -> TextTable:
    """Return the table of these rows, headings first; `header_rows` where the caller knows how many those are."""
    width = max((len(row) for row in rows), default=0)
    cells = tuple(tuple(cell_text(cell) for cell in row) + ("",) * (width - len(row)) for row in rows)
    count = count_header_rows(cells) if header_rows is None else header_rows
    return TextTable(cells[:count], cells[count:], " ".join(caption.split()))


def cell_text(value: object) -> str:
    """Return a cell as text: None is empty, line breaks are line feeds, no blanks around it."""
    return "" if value is None else _BREAK.sub("\n", str(value)).strip()


def spread_headings(header: tuple[Cells, ...]) -> tuple[Cells, ...]:
    """Return the heading rows with span headings written into every column that they span."""
    levels: list[Cells] = []
    for row in reversed(header):
        unit = _unit_for_all(row) if len(header) > 1 else None
        if unit is not None:
            levels.insert(0, tuple(unit if _takes(unit, i, header=header) else row[i] for i in range(len(row))))
        else:
            levels.insert(0, _carried(row, below=levels[0]) if levels else row)
    return tuple(levels)


def _unit_for_all(row: Cells) -> str | None:
    filled = [cell for cell in row if cell]
    return filled[0] if len(filled) == 1 and not row[0] and _UNIT_NOTE.fullmatch(filled[0]) else None


def _takes(unit: str, column: int, *, header: tuple[Cells, ...]) -> bool:
    return column > 0 and not any("%" in row[column] for row in header if row[column] != unit)


def _carried(row: Cells, *, below: Cells) -> Cells:
    cells = list(row)
    places = [i for i in range(1, len(row)) if row[i]]
    start = 1
    for place, following in zip(places, [*places[1:], None], strict=False):
        end = len(row) - 1 if following is None else max(place, following - 1 - (place - start))
        _carry(cells, place, range(place - 1, start - 1, -1), below=below)
        _carry(cells, place, range(place + 1, end + 1), below=below)
        start = end + 1
    return tuple(cells)


def _carry(cells: list[str], place: int, targets: Iterable[int], *, below: Cells) -> None:
    for target in targets:
        if cells[target] or _kind(below[target]) != _kind(below[place]):
            return
        cells[target] = cells[place]


def _kind(heading: str) -> str:
    if not heading:
        return "none"
    if _UNIT.fullmatch(heading):
        return "unit"
    return "digits" if any(char.isdigit() for char in heading) else "words"


def _joined(parts: Iterable[str]) -> str:
    """Join the parts of a heading; a part that repeats the one above it is said once."""
    kept: list[str] = []
    for part in parts:
        if part and part not in kept[-1:]:
            kept.append(part)
    return " ".join(kept)
