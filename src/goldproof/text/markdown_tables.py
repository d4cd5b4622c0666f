r"""Tables in markdown: written so that nothing of them is lost, and found in any text.

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

from goldproof.text.table_headers import is_value
from goldproof.text.tables import TextTable, table_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
    found = []
    for first, last in _blocks(lines):
        table, caption_line = _parsed(lines, first, last=last)
        begin = first if caption_line is None else caption_line
        found.append(FoundTable(table, starts[begin], starts[last] + len(lines[last])))
    return tuple(found)


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
