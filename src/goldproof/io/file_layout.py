"""File layout by content first, by suffix second: Parquet, JSON, YAML, CSV, TSV, TREC.

Only the layout is decided here (Parquet, JSON lines, YAML, commas, tabs, blanks); what the columns mean is up to the
reader that asked.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import orjson

from goldproof.errors import FileFormatError
from goldproof.io.columns import looks_like_header
from goldproof.io.delimited import csv_separator, cut_line
from goldproof.io.text_files import GZIP_MAGIC, UTF8_BOM, check_file, check_text_head, decode_text, read_head
from goldproof.io.values import BadValueError, parse_score

if TYPE_CHECKING:
    from pathlib import Path

Format = Literal["parquet", "jsonl", "json", "yaml", "csv", "tsv", "blanks"]
PARQUET_MAGIC = b"PAR1"
_PACKED: dict[bytes, tuple[str, str]] = {  # how such a file begins -> what it is, and how it is unpacked
    b"1AY&SY": ("bzip2", "bunzip2"),  # from the fifth byte on
    b"\xfd7zXZ\x00": ("xz", "unxz"),
    b"(\xb5/\xfd": ("zstd", "unzstd"),
    b"PK\x03\x04": ("zip", "unzip"),
}
_LZ4 = b"\x04\x22\x4d\x18"
_TREC_VALUES = {4: 3, 6: 4}  # width of a line -> the column of its number
_RUN_WIDTH = 6  # what follows the tag of a run is ignored
_SECOND_COLUMNS = ("0", "Q0")  # of judgments and of runs, as a rule
_SUFFIXES: dict[str, Format] = {".csv": "csv", ".yaml": "yaml", ".yml": "yaml"}


@dataclass(frozen=True, slots=True)
class Sniffed:
    """The layout of a file; for text its first line and, cut at blanks, the usual number of fields (0: none).

    Of a TREC file the first line that is not a comment; fields after the tag of a run do not count.
    """

    format: Format
    first_line: str = ""
    width: int = 0
    header: bool = False


def sniff(path: Path | str) -> Sniffed:
    """Recognise the layout of a file by its beginning."""
    path = check_file(path)
    head = read_head(path)
    if not head:
        raise FileFormatError(path, "the file is empty.", hint="Was it cut off, or never written?")
    if head.startswith(PARQUET_MAGIC):
        return _parquet(path)
    _refuse_packed(head, path)
    suffix = _text_suffix(path)
    if suffix in (".parquet", ".pq"):
        raise FileFormatError(path, "is not a Parquet file (it does not start with PAR1).", hint="Check its suffix.")
    check_text_head(head, path)
    head = head.removeprefix(UTF8_BOM)
    lines = {number: line for number, line in enumerate(head.decode("utf-8", "replace").split("\n")) if line.strip()}
    if not lines:
        raise FileFormatError(path, "the file holds only blank lines.", hint="Was it cut off, or never written?")
    sniffed = _text(list(lines.values()), suffix)
    if sniffed.header or sniffed.format in ("csv", "tsv"):
        _check_header(head, next(iter(lines)), path)
    return sniffed


def _refuse_packed(head: bytes, path: Path) -> None:
    if head.startswith(_LZ4):
        raise FileFormatError(
            path,
            "is packed with lz4, as ranx does, expected text or gzip.",
            hint="Save it as JSON: run.save('run.json').",
        )
    for magic, (name, command) in _PACKED.items():
        if head.startswith(magic, 4 if name == "bzip2" else 0):
            raise FileFormatError(
                path, f"is packed with {name}, expected text or gzip.", hint=f"Unpack it: {command} FILE."
            )


def _check_header(head: bytes, index: int, path: Path) -> None:
    """Refuse a header that is not UTF-8: a bad line can be left out, but not the one that names the columns."""
    *whole, _ = head.split(b"\n", index + 1)
    if len(whole) > index:  # else the line goes on beyond the head, which may have cut a character in two
        decode_text(whole[index], path, first_line=index + 1)


def _parquet(path: Path) -> Sniffed:
    with path.open("rb") as stream:
        if stream.read(2) == GZIP_MAGIC:
            raise FileFormatError(path, "is Parquet inside gzip.", hint="Unpack it: gunzip FILE.")
    return Sniffed("parquet")


def _text_suffix(path: Path) -> str:
    plain = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    return plain.suffix.lower()


def _text(lines: list[str], suffix: str) -> Sniffed:
    rows = [line for line in lines if not line.lstrip().startswith("#")]
    if rows and len(rows) < len(lines) and not _named_columns(lines[0], rows[0]):
        sniffed = _lines(rows, suffix)
        if sniffed.format == "blanks" and not sniffed.header and sniffed.width:
            return sniffed
    return _lines(lines, suffix)


def _named_columns(first: str, row: str) -> bool:
    """Return whether a table begins with `#` because the name of its first column does."""
    fields = cut_line(row, "blanks")
    if _is_trec(row, len(fields)) and fields[1] in _SECOND_COLUMNS:
        return False
    return any(separator in row and looks_like_header(first.split(separator)) for separator in ("\t", ","))


def _lines(lines: list[str], suffix: str) -> Sniffed:
    first = lines[0].strip("\r\n")
    # The last line of the head may be cut off; it counts only where it is the only one.
    shown = (lines[:-1] or lines)[:100]
    width = _usual_width(shown)
    if (width == 0 or width > _RUN_WIDTH) and _usual_width(shown, most=_RUN_WIDTH) == _RUN_WIDTH and _is_run(first):
        width = _RUN_WIDTH
    if _is_trec(first, width) and not _is_object(first):
        return Sniffed("blanks", first, width)
    start = first.lstrip()
    if start.startswith("{"):
        return Sniffed("json" if start.strip() == "{" else "jsonl", first)
    if start.startswith("["):
        return Sniffed("json", first)
    by_suffix = _SUFFIXES.get(suffix)
    if by_suffix == "yaml" or start.startswith(("pairs:", "---", "%YAML")):
        return Sniffed("yaml", first)
    return Sniffed(_separator(first, width, suffix), first, width, _has_header(first))


def _usual_width(lines: list[str], *, most: int | None = None) -> int:
    """Return the number of fields (at most `most`) that half of the lines have; 0 where there is none, as in prose."""
    sizes = (len(cut_line(line, "blanks")[:most]) for line in lines)
    width, count = Counter(sizes).most_common(1)[0]
    return width if 2 * count >= len(lines) else 0


def _is_run(first: str) -> bool:
    """Return whether the line is one of a TREC run, with or without fields after its tag."""
    fields = cut_line(first, "blanks")
    return len(fields) >= _RUN_WIDTH and fields[1] == "Q0" and _is_number(fields[_TREC_VALUES[_RUN_WIDTH]])


def _is_trec(first: str, width: int) -> bool:
    """Return whether the line is one of a TREC file, whatever its ids look like (`{1}` is an id there, not JSON)."""
    fields = cut_line(first, "blanks")
    column = _TREC_VALUES.get(width)
    if column is None or (len(fields) != width and not (width == _RUN_WIDTH and _is_run(first))):
        return False
    return _is_number(fields[column])


def _is_number(text: str) -> bool:
    try:
        parse_score(text)
    except BadValueError:
        return False
    return True


def _is_object(first: str) -> bool:
    """Return whether the line is a JSON object: one with blanks in it may have as many fields as a TREC line."""
    try:
        return first.lstrip().startswith("{") and isinstance(orjson.loads(first), dict)
    except orjson.JSONDecodeError:
        return False


def _has_header(first: str) -> bool:
    commas = first.replace(";", ",") if csv_separator(first) == ";" else first
    return any(looks_like_header(cut_line(commas, separator)) for separator in ("\t", ",", "blanks"))


def _separator(first: str, width: int, suffix: str) -> Format:
    if looks_like_header(first.split("\t")):
        return "tsv"
    if looks_like_header(first.split(csv_separator(first))):
        return "csv"
    if looks_like_header(cut_line(first, "blanks")):
        return "blanks"
    if "," in first and (suffix == ".csv" or width < 3):
        return "csv"
    return "blanks"
