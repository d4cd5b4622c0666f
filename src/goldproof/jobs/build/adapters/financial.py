"""Page layout and answers shared by FinQA, TAT-QA and T2-RAGBench.

Answers. A record may have two: one that a program computed, and one that an annotator wrote. The program's is the
ground truth. The written one gives its unit, and shows where the two disagree: `scale_conflict` names the scale between
them (0.935 and "93.5%": percent), `answers_differ` says that no scale explains it.
- An answer may be a list written as text (`"['$533 million']"`); its items are joined with "; ".
- A program that answers yes or no yields 1 or 0: the word is the ground truth.
- A date that was made of words (`2021-12-12` of "December 2021") is more precise than they are: the words are the
  ground truth.
- The annotator's answer is an alias where it means the same value, in another notation or at another precision.

Pages. A page is made of blocks of lines, with a blank line between blocks; a block with nothing in it is left out.
FinQA names its pages by company, year and page number, in the original dataset (`V/2008/page_17.pdf`) as in T2-RAGBench
(`pdf/V/2008/page_17.pdf`); both give one document id, `finqa:V/2008/page_17`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from goldproof.jobs.build.adapters.adapter import number_of, parsed, safe_id, text_of
from goldproof.text.numbers import answer_values, parse_quantity
from goldproof.text.quantity import same_value, scale_conflict
from goldproof.text.tables import cell_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from goldproof.text.tables import TextTable

_DATE = re.compile(r"\d{1,4}-\d\d-\d\d")
_YES_NO = {"0": "no", "0.0": "no", "1": "yes", "1.0": "yes"}
_MISSING = frozenset({"", "nan", "none", "null"})


@dataclass(frozen=True, slots=True)
class Answer:
    """A ground truth, its aliases, and notes for the metadata; `text` is "" where there is none."""

    text: str
    aliases: tuple[str, ...] = ()
    original: str = ""
    unit: str = ""
    scale_conflict: str | None = None
    answers_differ: bool = False
    coded_as: str = ""

    @property
    def metadata(self) -> dict[str, object]:
        """The notes that are set, by field."""
        fields: dict[str, object] = {
            "original_answer": self.original,
            "answer_unit": self.unit,
            "scale_conflict": self.scale_conflict,
            "answers_differ": self.answers_differ,
            "answer_coded_as": self.coded_as,
        }
        return {name: value for name, value in fields.items() if value}


def reconciled_answer(computed: object, written: object) -> Answer:
    """Return the ground truth from a program's answer and the annotator's."""
    program, original = answer_text(computed), answer_text(written)
    if not program or not original:
        return Answer(program or original, original=original, unit=_unit(original))
    word = original.casefold().strip(" .")
    if word in {"yes", "no"}:
        text = _YES_NO.get(program, word)
        return Answer(text, original=original, answers_differ=text != word, coded_as=_coded(program, text))
    if _DATE.fullmatch(program) and program != original:
        return Answer(original, original=original, coded_as=program)
    return _compared(program, original)


def answer_text(value: object) -> str:
    """Return an answer as one text: numbers in short, lists opened; "" for anything that is no answer."""
    parts = [_part_text(part) for part in (value if isinstance(value, list) else [value])]
    return "; ".join(part for part in parts if part)


def _part_text(value: object) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number_text(value)
    text = _without_stray_breaks(value.strip()) if isinstance(value, str) else ""
    joined = "; ".join(item.strip() for item in answer_values(text) if item.strip())
    return "" if joined.casefold() in _MISSING else joined


def _without_stray_breaks(text: str) -> str:
    """Return the text without the line breaks that FinQA has, escaped, at the end of some answers."""
    while text.endswith("\\n"):
        text = text[:-2].rstrip("\\ ")
    return text


def number_text(value: float) -> str:
    """Return a number in short: 407.0 is "407"; "" for infinity and other values that are no answer."""
    if not abs(value) < 1e100:
        return ""
    return str(int(value)) if abs(value) < 1e15 and value == int(value) else repr(value)


def _coded(program: str, text: str) -> str:
    return "" if program.casefold() == text else program


def _unit(text: str) -> str:
    quantity = parse_quantity(text)
    return quantity.unit if quantity else ""


def _compared(program: str, original: str) -> Answer:
    computed, written = parse_quantity(program), parse_quantity(original)
    if computed is None or written is None:
        same = program.casefold() == original.casefold()
        return Answer(program, original=original, unit=written.unit if written else "", answers_differ=not same)
    conflict = scale_conflict(computed, written)
    same = same_value(computed, written, cut_off=True)
    return Answer(
        program,
        aliases=(original,) if same and original != program else (),
        original=original,
        unit=written.unit,
        scale_conflict=conflict,
        answers_differ=not same and conflict is None,
    )


_PAGE_FILE = re.compile(r"(?:pdf/)?(?P<symbol>[^/\s]+)/(?P<year>\d{4})/page_(?P<page>\d{1,9})(?:\.pdf)?", re.ASCII)
_WHOLE_NUMBER = re.compile(r"(\d{1,9})(?:\.0)?", re.ASCII)

Rows = tuple[tuple[object, ...], ...]


class PageSpan(NamedTuple):
    """Characters `start` to `end` of a text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Page:
    """A text, and the span of each line of each block; those of a block that was left out are empty."""

    text: str
    spans: tuple[tuple[PageSpan, ...], ...]


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
            spans.append(tuple(PageSpan(len(text), len(text)) for _ in lines))
            continue
        places = []
        for number, line in enumerate(lines):
            text += "\n" if number else "\n\n" if text else ""
            places.append(PageSpan(len(text), len(text) + len(line)))
            text += line
        spans.append(tuple(places))
    return Page(text, tuple(spans))


def row_spans(table: TextTable, lines: Sequence[PageSpan]) -> tuple[PageSpan, ...]:
    """Return the spans of a table's rows, from those of its markdown lines: the headings, then the body."""
    body = len(lines) - len(table.rows)
    return (lines[body - 2], *lines[body:])


def whole_span(lines: Sequence[PageSpan]) -> PageSpan:
    """Return the span of a block, from the spans of its lines."""
    return PageSpan(lines[0].start, lines[-1].end)


def page_name(file_name: object) -> PageName | None:
    """Parse a page's file name of FinQA; None for any other name."""
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


def non_empty(fields: Mapping[str, object]) -> dict[str, object]:
    """Return the fields that are neither None nor an empty text."""
    return {name: value for name, value in fields.items() if value is not None and value != ""}
