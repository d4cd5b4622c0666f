r"""Tables of text: which rows are headings, and Markdown written and found.

`table_of` cleans what it is given and never cuts: short rows are padded to the longest. Which of the leading rows are
headings is decided by `count_header_rows` unless the caller knows. `columns` joins the headings of each column from top
to bottom, so "Years Ended September 30," over "2019" reads "Years Ended September 30, 2019".

Span headings. A heading that spans several columns stands in one cell of its row, at the left end of its span or in its
middle; the others are empty. From the lowest heading row upwards each is carried over the empty cells beside it.
- Between headings at columns p and q, the left one, whose span begins l columns before p, ends q - p - 1 - l after it:
  all spans of a row are taken to be placed in the same way. The last one goes on to the last column.
- It is carried no further than the headings below it look alike: periods and other headings with a digit ("2019"),
  units ("£m"), and plain words ("Note") are three kinds.
- A row that holds nothing but one unit, "(in millions)", holds for all columns but those of percents; any other lowest
  row stays as it is.

Heading rows. A *value* is a number (with currency, percent, brackets, scale word), a range of numbers, or a sign for
nothing ("—", "n/a"); a year, a date and a period ("2019", "2017/2018", "FY 2019", "53 weeks") are not values.
1. The lead is all rows before the first that has a value beyond its first column.
2. A row of the lead labels columns if it has a cell beyond the first, and is not a lone section title ("Assets:").
3. A row that has both a first cell and others is a heading only while something is still to be labelled: the first
   column, or one of the columns that it fills; or if the first cell is a note in brackets ("($ in millions)").
   Otherwise the body begins there, with a row of words.
4. The headings are the lead up to its last row that labels columns. Rows with only a first cell belong to them if such
   a row follows ("(in millions)" above the years), else they are section titles of the body.
Where a table has no value at all, everything in it is words: the first row is the heading, with those after it whose
first cell is empty. A first row is always a heading.

Written: an optional line `Table: caption` with a blank line after it, one row of headings, the delimiter row, the body.
In a cell a pipe is `\|`, a line break `<br>`, and what only looks like one of these has a backslash before it; reading
undoes exactly that, so `find_tables(table_markdown(table))` gives `table.flat()` back.

Found: a line with a pipe above a delimiter row (`|---|:--:|`), and the lines with a pipe that follow. Pipes at the ends
of a line may be missing and rows may be ragged: short ones are padded, long ones widen the table. The index column that
pandas writes (no heading, aligned right, numbered from 0) is dropped. A second delimiter row makes headings of the rows
above it, as long as they hold no values; after values it begins a new table under the row before it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


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


_NUMBER = r"\d(?:[\d,]*\d)?(?:\.\d+)?|\.\d+"

_MONEY = r"(?:[A-Z]{1,3})?[$€£¥₹]"

_AMOUNT = rf"""[-−–+~<>(]* \s* (?:{_MONEY})? \s* [-−–+(]* \s* (?:{_MONEY})? \s* (?:{_NUMBER})
    \s* [)%]* \s* (?: x | [kmb]n? | bps | pts? | thousand | million | billion
    | (?: (?<=\.\d) | (?<=\.\d\d) ) \s* years? )? [)%*]*"""

_VALUE = re.compile(
    rf"{_AMOUNT} (?: \s* (?:[-–—]|to) \s* {_AMOUNT} )? \s* (?: \( \s* \w{{1,2}} \s* \) )?", re.VERBOSE | re.IGNORECASE
)

_NOTHING = re.compile(r"[$€£¥(]*\s*(?:[-–—−_]+|n/?[am]|nil|none)\s*[)%]*", re.IGNORECASE)

_YEAR = r"(?:19|20)\d\d"

_PERIOD = re.compile(rf"{_YEAR}(?:\s*(?:[-–/]|to)\s*(?:{_YEAR}|\d\d))?\s*[*†]*(?:\s*\(\w{{1,2}}\))?[*†]*")

_NOTE = re.compile(r"\(.*\)", re.DOTALL)

_LONGEST_VALUE = 40

_SPACED_DIGITS = re.compile(r"(?<=\d) (?=\d)")


def count_header_rows(rows: Sequence[Sequence[str]]) -> int:
    """Return how many of the leading rows are headings; 0 for a table without rows."""
    if not rows:
        return 0
    lead = next((number for number, row in enumerate(rows) if any(map(is_value, row[1:]))), None)
    if lead is None:
        return _leading_without_label(rows)
    return max(1, _last_heading(rows[:lead]))


def is_value(cell: str) -> bool:
    """Return whether a cell holds a value, by the definition above."""
    text = _SPACED_DIGITS.sub("", cell.strip())
    if not text or len(text) > _LONGEST_VALUE or _PERIOD.fullmatch(text):
        return False
    return bool(_VALUE.fullmatch(text) or _NOTHING.fullmatch(text))


def _leading_without_label(rows: Sequence[Sequence[str]]) -> int:
    count = 1
    while count < len(rows) and any(rows[count]) and not rows[count][0]:
        count += 1
    return count


def _last_heading(lead: Sequence[Sequence[str]]) -> int:
    labelled: set[int] = set()
    last = 0
    for number, row in enumerate(lead, start=1):
        filled = {i for i, cell in enumerate(row) if cell}
        if not filled - {0} or _is_section_title(row, filled):
            continue
        if 0 in filled and labelled and filled <= labelled and not _NOTE.fullmatch(row[0]):
            break
        labelled |= filled
        last = number
    return last


def _is_section_title(row: Sequence[str], filled: set[int]) -> bool:
    return len(filled) == 1 and row[next(iter(filled))].endswith(":")


# The look-behind begins a run of backslashes at its first: without it a long run would be tried from each of them.
_SPECIAL = re.compile(r"(?<!\\)(\\*)(\||<br\s*/?>|\n)", re.IGNORECASE)

_PIPE = re.compile(r"(?<!\\)(\\*)\|")

_DELIMITER = re.compile(r":?-+:?")

_LONG_DELIMITER = re.compile(r":?-{3,}:?")

_ESCAPED_DELIMITER = re.compile(r"\\+:?-+:?")

_RIGHT_ALIGNED = re.compile(r"-+:")

_CAPTION = re.compile(r"Table: *(\S.*)")


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table of a text, and where it stands there: characters `start` to `end`, its caption included."""

    table: TextTable
    start: int
    end: int


def table_markdown(table: TextTable) -> str:
    """Return the table in markdown; "" for a table without cells and caption."""
    return "\n".join(table_lines(table))


def table_lines(table: TextTable) -> tuple[str, ...]:
    """Return the lines of the table in markdown: the last are its rows, one line each, the headings two before them."""
    caption = (f"Table: {table.caption}", "") if table.caption else ()
    if not table.width:
        return caption[:1]
    delimiter = f"|{' --- |' * table.width}"
    return (*caption, _line(table.columns), delimiter, *(_line(row) for row in table.rows))


def find_tables(text: str) -> tuple[FoundTable, ...]:
    """Return the tables that stand in a text, in order."""
    lines = text.split("\n")
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    tables = []
    for first, last in _blocks(lines):
        table, caption_line = _parsed(lines, first, last=last)
        begin = first if caption_line is None else caption_line
        tables.append(FoundTable(table, starts[begin], starts[last] + len(lines[last])))
    return tuple(tables)


def _line(cells: Sequence[str]) -> str:
    written = [_escaped(cell) for cell in cells]
    if all(_LONG_DELIMITER.fullmatch(cell) for cell in cells):
        written[0] = f"\\{written[0]}"
    return f"| {' | '.join(written)} |"


def _escaped(cell: str) -> str:
    guarded = f"\\{cell}" if _ESCAPED_DELIMITER.fullmatch(cell) else cell
    return _SPECIAL.sub(_escape, guarded)


def _escape(match: re.Match[str]) -> str:
    doubled = match[1] * 2
    return f"{doubled}<br>" if match[2] == "\n" else f"{doubled}\\{match[2]}"


def _unescaped(cell: str) -> str:
    if "\\" not in cell and "<" not in cell:
        return cell
    plain = _SPECIAL.sub(_unescape, cell).strip()
    return plain[1:] if _ESCAPED_DELIMITER.fullmatch(plain) else plain


def _unescape(match: re.Match[str]) -> str:
    half = match[1][: len(match[1]) // 2]
    return half + (match[2] if len(match[1]) % 2 else "\n")


def _split(line: str) -> list[str]:
    """Return the raw cells of a line; an even number of backslashes leaves a pipe a pipe."""
    cells = [cell.strip() for cell in _parts(line.strip())]
    if len(cells) > 1 and not cells[0]:
        cells = cells[1:]
    return cells[:-1] if len(cells) > 1 and not cells[-1] else cells


def _parts(text: str) -> list[str]:
    if "\\" not in text:
        return text.split("|")
    parts, start = [], 0
    for match in _PIPE.finditer(text):
        if len(match[1]) % 2 == 0:
            parts.append(text[start : match.end() - 1])
            start = match.end()
    return [*parts, text[start:]]


def _has_pipe(line: str) -> bool:
    return "|" in line and len(_parts(line)) > 1


def _is_delimiter(line: str, pattern: re.Pattern[str] = _DELIMITER) -> bool:
    if "|" not in line or "-" not in line or line.strip(" \t\r|:-"):
        return False
    return all(pattern.fullmatch(cell) for cell in _split(line))


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last line of each table, the first being its headings."""
    number = 0
    while number + 1 < len(lines):
        if not (_has_pipe(lines[number]) and _is_delimiter(lines[number + 1])):
            number += 1
            continue
        last = _last_line(lines, number + 1)
        yield number, last
        number = last + 1


def _last_line(lines: Sequence[str], delimiter: int) -> int:
    last, values = delimiter, False
    while last + 1 < len(lines) and _has_pipe(lines[last + 1]):
        if values and last + 2 < len(lines) and _is_delimiter(lines[last + 2], _LONG_DELIMITER):
            return last
        last += 1
        values = values or any(is_value(cell) for cell in _split(lines[last])[1:])
    return last


def _parsed(lines: Sequence[str], first: int, *, last: int) -> tuple[TextTable, int | None]:
    rows = [[_unescaped(cell) for cell in _split(lines[first])]]
    header_rows = 1
    for line in lines[first + 2 : last + 1]:
        if _is_delimiter(line, _LONG_DELIMITER):
            header_rows = len(rows)
        else:
            rows.append([_unescaped(cell) for cell in _split(line)])
    if _RIGHT_ALIGNED.fullmatch(_split(lines[first + 1])[0]) and _is_index(rows):
        rows = [row[1:] for row in rows]
    caption_line, caption = _caption(lines, first)
    return table_of(rows, header_rows=header_rows, caption=caption), caption_line


def _is_index(rows: Sequence[Sequence[str]]) -> bool:
    numbers = [row[0] for row in rows[1:]]
    return bool(numbers) and not rows[0][0] and numbers == [str(number) for number in range(len(numbers))]


def _caption(lines: Sequence[str], first: int) -> tuple[int | None, str]:
    place = first - 1 if first and lines[first - 1].strip() else first - 2
    match = _CAPTION.fullmatch(lines[place].strip()) if place >= 0 else None
    return (place, match[1]) if match else (None, "")
