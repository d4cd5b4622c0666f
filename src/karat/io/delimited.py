"""Lines of columns: TREC files (any blanks), TSV (tabs, no quoting) and CSV (commas, double quotes).

Each block of lines is first read by polars, all columns as text. A block with anything odd in it goes to the slow
reader below, which reads line by line, accepts what is legitimate (mixed blanks, quotes, `1.0` as a grade) and explains
the rest. What polars would do silently, and what is therefore checked here: a short line gets empty columns, a doubled
blank shifts columns, and with only some columns selected a long line is cut.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import polars as pl

from karat.io.opening import Block, block_lines, read_blocks
from karat.io.rows import RowBuffer, Rows
from karat.io.values import BadValueError, ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from karat.io.complaints import Complaints
    from karat.io.opening import Line

Separator = Literal["blanks", "\t", ","]


@dataclass(frozen=True, slots=True)
class Layout:
    """How the lines of a file are cut, and which columns count.

    names: what each column is called in messages. header: whether line 1 names the columns.
    """

    separator: Separator
    names: tuple[str, ...]
    query: int
    document: int
    value: int
    kind: ValueKind
    header: bool = False

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.names)

    def column(self, index: int) -> str:
        """Say which column is meant."""
        where = f"column {index + 1} of {self.width}"
        return f"{self.names[index]!r}, {where}" if self.header else where


class Record(NamedTuple):
    """The columns of one line, cut but not yet understood."""

    line: int
    fields: list[str]


def read_delimited(path: Path, layout: Layout, complaints: Complaints) -> RowBuffer:
    """Read the rows of a file."""
    buffer = RowBuffer()
    header = layout.header
    blocks = read_blocks(path)
    for block in blocks:
        if not block.data.strip():
            continue
        body = _after_first_line(block) if header else block
        header = False
        if not body.data.strip():
            continue
        if layout.separator == "," and b'"' in body.data:
            # A quoted field may hold line breaks, so from here on blocks mean nothing.
            buffer.parts.append(_slow_rows(_quoted_records(body, blocks, complaints), layout, complaints))
            break
        rows = _fast_rows(body, layout)
        buffer.parts.append(rows or _slow_rows(_records(body, layout, complaints), layout, complaints))
    if not any(len(part.questions) for part in buffer.parts) and not complaints.total:
        raise complaints.fatal("holds no rows.", hint="Was it cut off, or never written?")
    return buffer


def cut_line(text: str, separator: Separator) -> list[str]:
    """Cut one line into fields (a quoted field ends where its quote ends, or with the line)."""
    if separator == "blanks":
        # bytes.split knows the six ASCII blanks only, as C's isspace; str.split would cut ids at a no-break space.
        return [field.decode("utf-8") for field in text.encode("utf-8").split()]
    if separator == "\t" or '"' not in text:
        return text.split(separator)
    return next(csv.reader([text]))


def cut_records(path: Path, separator: Separator, complaints: Complaints) -> Iterator[Record]:
    """Yield every line that is not blank, header included, cut into fields: the slow reader on its own."""
    blocks = read_blocks(path)
    if separator == ",":
        yield from _quoted_records(next(blocks), blocks, complaints)
        return
    for block in blocks:
        for line in block_lines(block, complaints):
            yield Record(line.number, cut_line(line.text, separator))


def _after_first_line(block: Block) -> Block:
    """Return the block without its first line that is not blank."""
    data, line = block
    while data:
        first, _, data = data.partition(b"\n")
        line += 1
        if first.strip():
            break
    return Block(data, line)


def _fast_rows(block: Block, layout: Layout) -> Rows | None:
    """Read a block with polars; None where anything in it is odd."""
    data = block.data.replace(b"\r\n", b"\n") if b"\r" in block.data else block.data
    data = data.rstrip(b"\n")
    separator = _byte_separator(data, layout)
    if separator is None:
        return None
    columns = _columns_to_read(data, separator, layout=layout)
    frame = _scan(data, separator, width=layout.width, columns=columns)
    if frame is None or not _is_regular(frame, data, separator=separator, layout=layout):
        return None
    values = layout.kind.read_column(frame[_name(layout.value)])
    if values is None:
        return None
    questions, documents = frame[_name(layout.query)], frame[_name(layout.document)]
    if layout.separator != "blanks" and (b" " in data or b"\t" in data):
        questions, documents = questions.str.strip_chars(" \t"), documents.str.strip_chars(" \t")
        if (questions == "").any() or (documents == "").any():
            return None
    return Rows(questions, documents, values, range(block.first_line, block.first_line + len(frame)))


def _byte_separator(data: bytes, layout: Layout) -> str | None:
    """Return the single byte that cuts the block, or None where only the slow reader can cut it."""
    if b"\r" in data or b"\x0b" in data or b"\x0c" in data:
        return None
    if layout.separator != "blanks":
        return layout.separator
    if b"\t" not in data:
        return " "
    return "\t" if data.find(b"\t") < data.find(b"\n") or b"\n" not in data else None


def _name(column: int) -> str:
    return f"column_{column}"


def _columns_to_read(data: bytes, separator: str, *, layout: Layout) -> list[int]:
    """Return the columns that must be seen to know that a block is regular.

    In a TREC file without stray blanks the ones that count and the last will do: where the last is never missing and
    the separators add up, no line is short or long. That halves the work.
    """
    if layout.separator == "blanks" and not (separator == "\t" and b" " in data):
        return sorted({layout.query, layout.document, layout.value, layout.width - 1})
    return list(range(layout.width))


def _scan(data: bytes, separator: str, *, width: int, columns: list[int]) -> pl.DataFrame | None:
    frame = pl.scan_csv(
        data,
        has_header=False,
        separator=separator,
        quote_char=None,
        schema={_name(i): pl.String() for i in range(width)},
        extra_columns="raise",
        missing_columns="raise",
    ).select(_name(i) for i in columns)
    try:
        return frame.collect()
    except pl.exceptions.PolarsError:
        # Too many columns, or not UTF-8: the slow reader says which line.
        return None


def _is_regular(frame: pl.DataFrame, data: bytes, *, separator: str, layout: Layout) -> bool:
    rows, byte = len(frame), separator.encode()
    if rows != data.count(b"\n") + 1:
        return False
    if layout.separator == "blanks":
        if any(column.null_count() for column in frame):
            return False
        if frame.width == layout.width:
            return separator == " " or b" " not in data or not _any_blank(frame, layout)
        return _count(data, byte) == (layout.width - 1) * rows and not _doubled(data, byte)
    if any(frame[_name(i)].null_count() for i in (layout.query, layout.document, layout.value)):
        return False
    # An empty column that does not count is fine, a missing one is not; polars reads both as null.
    return not any(column.null_count() for column in frame) or _count(data, byte) == (layout.width - 1) * rows


def _count(data: bytes, byte: bytes) -> int:
    return int(np.count_nonzero(np.frombuffer(data, dtype=np.uint8) == byte[0]))


def _doubled(data: bytes, byte: bytes) -> bool:
    """Say whether the byte occurs twice in a row: two bytes at a time, from the first and from the second on."""
    pair = np.uint16(byte[0] * 257)
    starts = ((offset, (len(data) - offset) // 2) for offset in (0, 1))
    return any(
        bool((np.frombuffer(data, dtype=np.uint16, count=count, offset=offset) == pair).any())
        for offset, count in starts
        if count
    )


def _any_blank(frame: pl.DataFrame, layout: Layout) -> bool:
    """Say whether a column other than the value (which is stripped) holds blanks and so would be cut further."""
    others = [i for i in range(layout.width) if i != layout.value]
    return any(bool(frame[_name(i)].str.contains(" ", literal=True).any()) for i in others)


def _records(block: Block, layout: Layout, complaints: Complaints) -> Iterator[Record]:
    for line in block_lines(block, complaints):
        yield Record(line.number, cut_line(line.text, layout.separator))


def _quoted_records(first: Block, rest: Iterable[Block], complaints: Complaints) -> Iterator[Record]:
    """Yield CSV records, which may span lines; the line given is the one on which the record ends."""
    numbers: list[int] = []

    def texts() -> Iterator[str]:
        for block in chain((first,), rest):
            yield from _numbered(block_lines(block, complaints), numbers)

    reader = csv.reader(texts(), strict=True)
    while True:
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            complaints.add(f"is not well-formed CSV ({error}).", line=numbers[-1] if numbers else first.first_line)
            continue
        yield Record(numbers[-1], fields)


def _numbered(lines: Iterable[Line], numbers: list[int]) -> Iterator[str]:
    for line in lines:
        numbers[:] = [line.number]
        yield line.text + "\n"


def _slow_rows(records: Iterable[Record], layout: Layout, complaints: Complaints) -> Rows:
    questions: list[str] = []
    documents: list[str] = []
    values: list[float] = []
    lines: list[int] = []
    for line, fields in records:
        problem = _problem(fields, layout)
        if problem is not None:
            complaints.add(problem, line=line)
            continue
        questions.append(fields[layout.query].strip(" \t"))
        documents.append(fields[layout.document].strip(" \t"))
        values.append(layout.kind.parse(fields[layout.value]))
        lines.append(line)
    return Rows(
        pl.Series(questions, dtype=pl.String),
        pl.Series(documents, dtype=pl.String),
        layout.kind.array(values),
        lines,
    )


def _problem(fields: list[str], layout: Layout) -> str | None:
    if len(fields) != layout.width:
        return f"found {_columns(len(fields))}, expected {layout.width} ({' '.join(layout.names)})."
    for index, name in ((layout.query, "query"), (layout.document, "document")):
        if not fields[index].strip(" \t"):
            return f"the {name} id is empty ({layout.column(index)})."
    try:
        layout.kind.parse(fields[layout.value])
    except BadValueError as error:
        return f"{error} ({layout.column(layout.value)})."
    return None


def _columns(count: int) -> str:
    return "1 column" if count == 1 else f"{count} columns"
