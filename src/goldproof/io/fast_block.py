"""One block of lines, read by polars: fast, and only where nothing in the block is odd.

What polars would do silently, and what is therefore checked here: a short line gets empty columns, a doubled blank
shifts columns, and with only some columns selected a long line is cut. Anything odd is left to the slow reader.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from goldproof.io.rows import Rows

if TYPE_CHECKING:
    from goldproof.io.layout import Layout
    from goldproof.io.opening import Block


def fast_rows(block: Block, layout: Layout) -> Rows | None:
    """Read a block with polars; None where anything in it is odd."""
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
