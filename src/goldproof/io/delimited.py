"""TREC, TSV and CSV files: blocks read fast by polars, all else by an exact line reader.

Each block of lines goes to polars first (`fast_rows`). What polars would do silently is checked there: a short line
gets empty columns, a doubled blank shifts columns, and with only some columns selected a long line is cut. A block with
anything irregular in it goes to the slow reader, which reads line by line, accepts what is legitimate (mixed blanks,
quotes, `1.0` as a grade, comments in TREC files) and explains the rest.

Fields of CSV may be quoted as spreadsheets and Python write them: line breaks and separators inside a quoted field
belong to it, a quote inside is doubled. A record is known by the line on which it ends.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import polars as pl

from goldproof.errors import FileFormatError, counted
from goldproof.io.columns import check_columns, find_columns, looks_like_header, shown_names
from goldproof.io.rows import RowBuffer, Rows
from goldproof.io.text_files import Block, block_lines, decode_text, read_blocks, read_lines
from goldproof.io.values import SCORE, BadValueError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from goldproof.io.diagnostics import Diagnostics
    from goldproof.io.values import ValueKind


_FIELD_LIMIT = 2**31 - 1
Separator = Literal["blanks", "\t", ","]


@dataclass(frozen=True, slots=True)
class Layout:
    """Separator of a file and the meaning of its columns.

    names: what each column is called in messages. header: whether line 1 names the columns. comments: whether a line
    that begins with `#` is a comment. longer: whether fields after the last column are ignored.
    """

    separator: Separator
    names: tuple[str, ...]
    query: int
    document: int
    value: int
    kind: ValueKind
    header: bool = False
    comments: bool = False
    longer: bool = False

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.names)

    def column(self, index: int) -> str:
        """Return the name of a column for messages."""
        where = f"column {index + 1} of {self.width}"
        return f"{self.names[index]!r}, {where}" if self.header else where


class Record(NamedTuple):
    """The fields of one record, and the line on which it ends."""

    line: int
    fields: list[str]


def read_delimited(path: Path, layout: Layout, diagnostics: Diagnostics) -> RowBuffer:
    """Read the rows of a file; ignored lines and fields are remarks."""
    buffer, ignored = RowBuffer(), _Ignored()
    header = layout.header
    blocks = read_blocks(path)
    for block in blocks:
        if block.data.isspace():
            continue
        body = _after_first_line(block) if header else block
        header = False
        body = ignored.cut_head(body) if layout.comments else body
        if not body.data or body.data.isspace():
            continue
        if layout.separator == "," and b'"' in body.data:
            # A quoted field may hold line breaks, so from here on blocks mean nothing.
            _add_slow_rows(
                buffer, quoted_records(chain((body,), blocks), diagnostics), layout=layout, diagnostics=diagnostics
            )
            break
        rows = None if layout.comments and _holds_comment(body.data) else fast_rows(body, layout)
        if rows is not None:
            buffer.parts.append(rows)
        else:
            read = _records(body, layout, diagnostics)
            kept = (record for record in (ignored.cut(record, layout) for record in read) if record is not None)
            _add_slow_rows(buffer, kept, layout=layout, diagnostics=diagnostics)
    ignored.report(layout, diagnostics)
    if not any(len(part.questions) for part in buffer.parts) and not diagnostics.total:
        raise diagnostics.error("holds no rows.", hint="Was it cut off, or never written?")
    return buffer


@dataclass(slots=True)
class _Ignored:
    """Counts of what is not read: comments and fields after the last column, with the first line of each."""

    comments: int = 0
    first_comment: int = 0
    longer: int = 0
    first_longer: int = 0

    def cut(self, record: Record, layout: Layout) -> Record | None:
        """Return the record without ignored fields; None where it is a comment."""
        line, fields = record
        if layout.comments and fields[0].startswith("#"):
            self.first_comment = self.first_comment or line
            self.comments += 1
            return None
        if layout.longer and len(fields) > layout.width:
            self.first_longer = self.first_longer or line
            self.longer += 1
            return Record(line, fields[: layout.width])
        return record

    def cut_head(self, block: Block) -> Block:
        """Return the block without the comments it begins with, so that the rest can be read fast."""
        data, line = block
        while data.startswith(b"#"):
            self.first_comment = self.first_comment or line
            self.comments += 1
            _, _, data = data.partition(b"\n")
            line += 1
        return Block(data, line)

    def report(self, layout: Layout, diagnostics: Diagnostics) -> None:
        """Add remarks on how much was ignored."""
        if self.comments:
            count = counted(self.comments, "line that begins with # is", "lines that begin with # are")
            kind = "comments; the first is" if self.comments > 1 else "a comment:"
            diagnostics.remark(f"{count} skipped as {kind} line {self.first_comment}.")
        if self.longer:
            count = counted(self.longer, "line has", "lines have")
            where = "; the first is" if self.longer > 1 else ":"
            diagnostics.remark(
                f"{count} fields after the {layout.names[-1]}, which are ignored{where} line {self.first_longer}."
            )


def _holds_comment(data: bytes) -> bool:
    """Return whether a line begins with `#`; with blanks before it the slow reader takes the block anyway."""
    return data.startswith(b"#") or b"\n#" in data


def _after_first_line(block: Block) -> Block:
    """Return the block without its first line that is not blank."""
    data, line = block
    while data:
        first, _, data = data.partition(b"\n")
        line += 1
        if first.strip():
            break
    return Block(data, line)


def _records(block: Block, layout: Layout, diagnostics: Diagnostics) -> Iterator[Record]:
    for line in block_lines(block, diagnostics):
        yield Record(line.number, cut_line(line.text, layout.separator))


def cut_records(path: Path, separator: Separator, diagnostics: Diagnostics) -> Iterator[Record]:
    """Yield every line that is not blank, header included, cut into fields: the slow reader on its own."""
    if separator == ",":
        yield from quoted_records(read_blocks(path), diagnostics)
        return
    for line in read_lines(path, diagnostics):
        yield Record(line.number, cut_line(line.text, separator))


def quoted_records(blocks: Iterable[Block], diagnostics: Diagnostics, *, separator: str = ",") -> Iterator[Record]:
    """Yield the records of CSV that are not blank; a quoted field keeps its line breaks and blank lines.

    What is not well-formed is reported at the line where the record begins. A quote that is not closed takes in the
    lines after it, so --skip-bad does not leave them out as if they were one bad line.
    """
    lines: list[int] = []  # of the record in hand
    damage: list[FileFormatError] = []
    reader = csv.reader(_texts(blocks, diagnostics.path, lines=lines, damage=damage), delimiter=separator, strict=True)
    while True:
        lines.clear()
        damage.clear()
        try:
            fields = _next_record(reader)
        except StopIteration:
            return
        except csv.Error as error:
            start, end = lines[0], lines[-1]
            if end != start or "unexpected end of data" in str(error):
                raise diagnostics.error(
                    f"is not well-formed CSV (the quote opened here runs to line {end}).",
                    line=start,
                    hint='Close the quote; a quote inside a quoted field is doubled ("").',
                ) from error
            diagnostics.report(f"is not well-formed CSV ({error}).", line=start)
            continue
        if damage:
            diagnostics.report(damage[0].problem, line=damage[0].line, hint=damage[0].hint)
        elif len(fields) > 1 or (fields and not fields[0].isspace()):
            yield Record(lines[-1], fields)


def _texts(blocks: Iterable[Block], path: Path, *, lines: list[int], damage: list[FileFormatError]) -> Iterator[str]:
    """Yield lines with their ends; note the number of each, and of one that is not UTF-8 what is wrong with it."""
    for block in blocks:
        for number, raw in enumerate(block.data.splitlines(keepends=True), start=block.first_line):
            lines.append(number)
            try:
                yield decode_text(raw, path, first_line=number)
            except FileFormatError as error:
                damage.append(error)
                yield raw.decode("utf-8", "replace")


def csv_separator(header: str) -> Literal[",", ";"]:
    """Return what separates the columns of CSV; spreadsheets write semicolons where numbers have a decimal comma."""
    return ";" if ";" in header and "," not in header else ","


def rows_below(header: Sequence[str], records: Iterable[Record], diagnostics: Diagnostics) -> Iterator[Record]:
    """Yield the records that are as wide as the header; any other is reported and left out."""
    for record in records:
        if len(record.fields) == len(header):
            yield record
        else:
            advice = "; put a text with commas in quotes" if len(header) == 1 < len(record.fields) else ""
            found = f"found {counted(len(record.fields), 'column')}, expected {len(header)} ({shown_names(header)})"
            diagnostics.report(f"{found}{advice}.", line=record.line)


def cut_line(text: str, separator: Separator) -> list[str]:
    """Cut one line into fields (a quoted field ends where its quote ends, or with the line)."""
    if separator == "blanks":
        # bytes.split knows the six ASCII blanks only, as C's isspace; str.split would cut ids at a no-break space.
        return [field.decode("utf-8") for field in text.encode("utf-8").split()]
    if separator == "\t" or '"' not in text:
        return text.split(separator)
    try:
        return _next_record(csv.reader([text]))
    except csv.Error:  # a lone carriage return: no CSV, so quotes mean nothing
        return text.split(separator)


def _next_record(reader: Iterator[list[str]]) -> list[str]:
    """Return the next record whatever the length of its fields: csv's limit is one for the whole process."""
    before = csv.field_size_limit(_FIELD_LIMIT)
    try:
        return next(reader)
    finally:
        csv.field_size_limit(before)


def _add_slow_rows(buffer: RowBuffer, records: Iterable[Record], *, layout: Layout, diagnostics: Diagnostics) -> None:
    questions: list[str] = []
    documents: list[str] = []
    values: list[float] = []
    lines: list[int] = []
    for line, fields in records:
        problem = _problem(fields, layout)
        if problem is not None:
            diagnostics.report(problem, line=line)
            # Of judgments nothing is failed, so nothing needs to be remembered of a million bad lines.
            if layout.kind is SCORE and len(fields) > layout.query + 1 and (query := fields[layout.query].strip(" \t")):
                buffer.dropped.setdefault(query, f"line {line}: {problem}")
            continue
        questions.append(fields[layout.query].strip(" \t"))
        documents.append(fields[layout.document].strip(" \t"))
        values.append(layout.kind.parse(fields[layout.value]))
        lines.append(line)
    buffer.parts.append(
        Rows(
            pl.Series(questions, dtype=pl.String),
            pl.Series(documents, dtype=pl.String),
            layout.kind.array(values),
            lines,
        )
    )


def _problem(fields: list[str], layout: Layout) -> str | None:
    if len(fields) != layout.width:
        names = shown_names(layout.names, separator=" ")
        return f"found {counted(len(fields), 'column')}, expected {layout.width} ({names})."
    for index, name in ((layout.query, "query"), (layout.document, "document")):
        if not fields[index].strip(" \t"):
            return f"the {name} id is empty ({layout.column(index)})."
    try:
        layout.kind.parse(fields[layout.value])
    except BadValueError as error:
        if looks_like_header(fields):
            return f"is a header ({shown_names(fields, separator=' ')}) in the middle of the file."
        return f"{error} ({layout.column(layout.value)})."
    return None


def table_layout(first_line: str, separator: Separator, *, kind: ValueKind, diagnostics: Diagnostics) -> Layout:
    """Return the layout that a header line describes."""
    header = [name.strip() for name in cut_line(first_line, separator)]
    columns = find_columns(header, needed=("query", "document", kind.name))
    check_columns(columns, header, diagnostics=diagnostics, line=1)
    at = columns.position
    return Layout(
        separator,
        tuple(header),
        query=at["query"],
        document=at["document"],
        value=at[kind.name],
        kind=kind,
        header=True,
    )


def fast_rows(block: Block, layout: Layout) -> Rows | None:
    """Read a block with polars; None where anything in it is irregular."""
    data = block.data.replace(b"\r\n", b"\n") if b"\r" in block.data else block.data
    data = data.rstrip(b"\n")
    separator = _byte_separator(data, layout)
    if separator is None:
        return None
    columns = _columns_to_read(data, separator, layout=layout)
    frame = _scan(data, separator, layout=layout, columns=columns)
    if frame is None or not _is_regular(frame, data, separator=separator, layout=layout):
        return None
    values = layout.kind.check_column(frame[_name(layout.value)])
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


def _scan(data: bytes, separator: str, *, layout: Layout, columns: list[int]) -> pl.DataFrame | None:
    schema: dict[str, pl.DataType] = {_name(i): pl.String() for i in range(layout.width)}
    schema[_name(layout.value)] = layout.kind.dtype
    frame = pl.scan_csv(
        data,
        has_header=False,
        separator=separator,
        quote_char=None,
        schema=schema,
        extra_columns="raise",
        missing_columns="raise",
    ).select(_name(i) for i in columns)
    try:
        return frame.collect()
    except pl.exceptions.PolarsError:
        # Too many columns, not a number, not UTF-8: the slow reader says which line.
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
    """Return whether the byte occurs twice in a row: two bytes at a time, from the first and from the second on."""
    pair = np.uint16(byte[0] * 257)
    starts = ((offset, (len(data) - offset) // 2) for offset in (0, 1))
    return any(
        bool((np.frombuffer(data, dtype=np.uint16, count=count, offset=offset) == pair).any())
        for offset, count in starts
        if count
    )


def _any_blank(frame: pl.DataFrame, layout: Layout) -> bool:
    """Return whether a column other than the value (which is stripped) holds blanks and so would be cut further."""
    others = [i for i in range(layout.width) if i != layout.value]
    return any(bool(frame[_name(i)].str.contains(" ", literal=True).any()) for i in others)
