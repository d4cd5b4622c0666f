"""A page of a financial report as one text: paragraphs, and tables in markdown, with the place of every part known.

A page is made of blocks of lines: the lines of a block stand under each other, a blank line stands between blocks, and
a block with nothing in it is left out. FinQA names its pages by company, year and page number, in the original dataset
(`V/2008/page_17.pdf`) as in T2-RAGBench (`pdf/V/2008/page_17.pdf`); both give one document id, `finqa:V/2008/page_17`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from goldproof.jobs.build.adapters.ids import safe_id
from goldproof.jobs.build.adapters.record_fields import number_of, parsed, text_of
from goldproof.text.tables import cell_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from goldproof.text.tables import TextTable

_PAGE_FILE = re.compile(r"(?:pdf/)?(?P<symbol>[^/\s]+)/(?P<year>\d{4})/page_(?P<page>\d{1,9})(?:\.pdf)?", re.ASCII)
_WHOLE_NUMBER = re.compile(r"(\d{1,9})(?:\.0)?", re.ASCII)

Rows = tuple[tuple[object, ...], ...]


class Span(NamedTuple):
    """Characters `start` to `end` of a text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Page:
    """A text, and where each line of each block stands in it; those of a block that was left out are empty."""

    text: str
    spans: tuple[tuple[Span, ...], ...]


class PageName(NamedTuple):
    """Company, year and number of a page of FinQA."""

    symbol: str
    year: int
    number: int

    @property
    def document(self) -> str:
        """The id of the page as a document."""
        return f"finqa:{safe_id(f'{self.symbol}/{self.year}/page_{self.number}')}"


def lay_out(blocks: Iterable[Sequence[str]]) -> Page:
    """Return the page that blocks of lines make."""
    text, spans = "", []
    for lines in blocks:
        if not any(line.strip() for line in lines):
            spans.append(tuple(Span(len(text), len(text)) for _ in lines))
            continue
        places = []
        for number, line in enumerate(lines):
            text += "\n" if number else "\n\n" if text else ""
            places.append(Span(len(text), len(text) + len(line)))
            text += line
        spans.append(tuple(places))
    return Page(text, tuple(spans))


def row_spans(table: TextTable, lines: Sequence[Span]) -> tuple[Span, ...]:
    """Return where the rows of a table stand, from the spans of its markdown lines: the headings, then the body."""
    body = len(lines) - len(table.rows)
    return (lines[body - 2], *lines[body:])


def whole_span(lines: Sequence[Span]) -> Span:
    """Return where a block stands, from the spans of its lines."""
    return Span(lines[0].start, lines[-1].end)


def page_name(file_name: object) -> PageName | None:
    """Return the page that a file name of FinQA stands for; None for any other name."""
    match = _PAGE_FILE.fullmatch(text_of(file_name))
    return PageName(match["symbol"], int(match["year"]), int(match["page"])) if match else None


def read_rows(value: object) -> Rows | None:
    """Return the rows of a table given as lists, also as a JSON text; None where it is none or has no text in it."""
    value = parsed(value)
    if not isinstance(value, list) or not all(isinstance(row, list) for row in value):
        return None
    rows = tuple(tuple(row) for row in value)
    cells = [cell for row in rows for cell in row]
    if any(isinstance(cell, list | dict) for cell in cells) or not any(cell_text(cell) for cell in cells):
        return None
    return rows


def whole_number(value: object) -> int | None:
    """Return a whole number, also where a column holds it as text or as a float; None for anything else."""
    match = _WHOLE_NUMBER.fullmatch(str(value) if isinstance(value, float) else text_of(value))
    return int(match[1]) if match else number_of(value)


def table_shape(tables: Sequence[TextTable]) -> dict[str, object]:
    """Return the metadata on tables: how many, and rows (headings included) and columns of the largest."""
    largest = max(tables, key=lambda table: table.width * (len(table.header) + len(table.rows)), default=None)
    rows = len(largest.header) + len(largest.rows) if largest else 0
    return {"table_rows": rows, "table_cols": largest.width if largest else 0, "n_tables": len(tables)}


def known(fields: Mapping[str, object]) -> dict[str, object]:
    """Return the fields that say something: neither None nor an empty text."""
    return {name: value for name, value in fields.items() if value is not None and value != ""}
