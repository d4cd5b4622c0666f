"""Lines of columns: TREC files (any blanks), TSV (tabs, no quoting) and CSV (commas, double quotes).

Each block of lines is first read by polars (`goldproof.io.fast_block`). A block with anything odd in it goes to the
slow reader here, which reads line by line, accepts what is legitimate (mixed blanks, quotes, `1.0` as a grade, comments
in TREC files) and explains the rest.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from goldproof.io.columns import looks_like_header, shown_names
from goldproof.io.fast_block import fast_rows
from goldproof.io.opening import Block, block_lines, read_blocks
from goldproof.io.rows import RowBuffer, Rows
from goldproof.io.values import SCORE, BadValueError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from goldproof.io.complaints import Complaints
    from goldproof.io.layout import Layout, Separator
    from goldproof.io.opening import Line


_FIELD_LIMIT = 2**31 - 1


class Record(NamedTuple):
    """The columns of one line, cut but not yet understood."""

    line: int
    fields: list[str]


@dataclass(slots=True)
class _Ignored:
    """What a file holds that is not read: comments and fields after the last column, with the first line of each."""

    comments: int = 0
    first_comment: int = 0
    longer: int = 0
    first_longer: int = 0

    def cut(self, record: Record, layout: Layout) -> Record | None:
        """Return the record without what is ignored; None where it is a comment."""
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

    def report(self, layout: Layout, complaints: Complaints) -> None:
        """Say how much was ignored."""
        if self.comments:
            many = self.comments > 1
            count = f"{self.comments:,} lines that begin with # are" if many else "1 line that begins with # is"
            what = "comments; the first is" if many else "a comment:"
            complaints.remark(f"{count} skipped as {what} line {self.first_comment}.")
        if self.longer:
            many = self.longer > 1
            count = f"{self.longer:,} lines have" if many else "1 line has"
            where = "; the first is" if many else ":"
            complaints.remark(
                f"{count} fields after the {layout.names[-1]}, which are ignored{where} line {self.first_longer}."
            )


def read_delimited(path: Path, layout: Layout, complaints: Complaints) -> RowBuffer:
    """Read the rows of a file; what is ignored in it is a remark."""
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
            _add_slow_rows(buffer, _quoted_records(body, blocks, complaints), layout=layout, complaints=complaints)
            break
        rows = None if layout.comments and _holds_comment(body.data) else fast_rows(body, layout)
        if rows is not None:
            buffer.parts.append(rows)
        else:
            read = _records(body, layout, complaints)
            kept = (record for record in (ignored.cut(record, layout) for record in read) if record is not None)
            _add_slow_rows(buffer, kept, layout=layout, complaints=complaints)
    ignored.report(layout, complaints)
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
    try:
        return _next_record(csv.reader([text]))
    except csv.Error:  # a lone carriage return: no CSV, so quotes mean nothing
        return text.split(separator)


def cut_records(path: Path, separator: Separator, complaints: Complaints) -> Iterator[Record]:
    """Yield every line that is not blank, header included, cut into fields: the slow reader on its own."""
    blocks = read_blocks(path)
    if separator == ",":
        yield from _quoted_records(next(blocks), blocks, complaints)
        return
    for block in blocks:
        for line in block_lines(block, complaints):
            yield Record(line.number, cut_line(line.text, separator))


def _holds_comment(data: bytes) -> bool:
    """Say whether a line begins with `#`; one with blanks before it is odd enough for the slow reader anyway."""
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


def _records(block: Block, layout: Layout, complaints: Complaints) -> Iterator[Record]:
    for line in block_lines(block, complaints):
        yield Record(line.number, cut_line(line.text, layout.separator))


def _quoted_records(first: Block, rest: Iterable[Block], complaints: Complaints) -> Iterator[Record]:
    """Yield CSV records, which may span lines; the line given is the one on which the record ends.

    What is not well-formed is reported at the line where the record begins. A quote that is not closed takes in the
    lines after it: nobody knows what they say, so --skip-bad does not leave them out as if they were one.
    """
    numbers: list[int] = []  # of the record in hand

    def texts() -> Iterator[str]:
        for block in chain((first,), rest):
            yield from _numbered(block_lines(block, complaints), numbers)

    reader = csv.reader(texts(), strict=True)
    while True:
        numbers.clear()
        try:
            fields = _next_record(reader)
        except StopIteration:
            return
        except csv.Error as error:
            start, end = (numbers[0], numbers[-1]) if numbers else (first.first_line, first.first_line)
            if end != start or _at_end(error):
                raise complaints.fatal(
                    f"is not well-formed CSV (a quote that opens here takes in all up to line {end}).",
                    line=start,
                    hint='Close the quote; a quote inside a quoted field is doubled ("").',
                ) from error
            complaints.add(f"is not well-formed CSV ({error}).", line=start)
            continue
        yield Record(numbers[-1], fields)


def _next_record(reader: Iterator[list[str]]) -> list[str]:
    """Return the next record whatever the length of its fields: csv's limit is one for the whole process."""
    before = csv.field_size_limit(_FIELD_LIMIT)
    try:
        return next(reader)
    finally:
        csv.field_size_limit(before)


def _at_end(error: csv.Error) -> bool:
    return "unexpected end of data" in str(error)


def _numbered(lines: Iterable[Line], numbers: list[int]) -> Iterator[str]:
    for line in lines:
        numbers.append(line.number)
        yield line.text + "\n"


def _add_slow_rows(buffer: RowBuffer, records: Iterable[Record], *, layout: Layout, complaints: Complaints) -> None:
    questions: list[str] = []
    documents: list[str] = []
    values: list[float] = []
    lines: list[int] = []
    for line, fields in records:
        problem = _problem(fields, layout)
        if problem is not None:
            complaints.add(problem, line=line)
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
        return f"found {_columns(len(fields))}, expected {layout.width} ({shown_names(layout.names, separator=' ')})."
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


def _columns(count: int) -> str:
    return "1 column" if count == 1 else f"{count} columns"
