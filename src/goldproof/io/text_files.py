"""Text files: gzip, BOM, UTF-8, blocks of lines, hints for missing files, `file_stem`.

gzip is recognised by its first two bytes, not by the suffix. Lines are numbered from 1 in the uncompressed text.
"""

from __future__ import annotations

import errno
import gzip
import os
import stat
import zlib
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path, PurePath
from typing import IO, TYPE_CHECKING, NamedTuple, cast

from goldproof.errors import FileFormatError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.io.diagnostics import Diagnostics


BLOCK_BYTES = 8 << 20
_LINE_BYTES = 16 << 20
GZIP_MAGIC = b"\x1f\x8b"
UTF8_BOM = b"\xef\xbb\xbf"
_ENCODING_HINT = "Save the file as UTF-8; if it is Latin-1: iconv -f LATIN1 -t UTF-8."
_OTHER_BOMS = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}


class Block(NamedTuple):
    """Whole lines of a file; `first_line` is the number of the first one."""

    data: bytes
    first_line: int


class TextLine(NamedTuple):
    """One line without its line end."""

    number: int
    text: str


def check_file(path: Path | str) -> Path:
    """Return the path of a readable file, or raise with the reason why it is not one."""
    path = Path(path)
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError) as error:
        if path.is_symlink():
            gone = f"is a link to {path.readlink()}, which does not exist."
            raise FileFormatError(path, gone, hint="Fix the link, or give the file itself.") from error
        raise FileFormatError(path, "no such file.", hint=_missing_hint(path)) from error
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno == errno.ELOOP:
            circle = "is a link that leads back to itself."
            raise FileFormatError(path, circle, hint="Fix the link, or give the file itself.") from error
        raise FileFormatError(path, f"cannot be read: {getattr(error, 'strerror', None) or error}.") from error
    if stat.S_ISDIR(mode):
        raise FileFormatError(path, "is a folder, expected a file.", hint=_folder_hint(path))
    if not stat.S_ISREG(mode):
        # A pipe would hang before its writer comes, and is empty when it is read for the second time.
        kind = "a pipe" if stat.S_ISFIFO(mode) else "a device or socket"
        raise FileFormatError(path, f"is {kind}, expected a file.", hint="Save the data to a file first.")
    if not os.access(path, os.R_OK):
        raise FileFormatError(path, "cannot be read: permission denied.")
    return path


def _missing_hint(path: Path) -> str:
    if not path.parent.is_dir():
        return f"The folder {path.parent} does not exist either."
    near = near_names(path.name, path.parent)
    return f"Did you mean {' or '.join(near)}?" if near else ""


def _folder_hint(path: Path) -> str:
    if (path / "qrels").is_dir():
        return "It looks like a BEIR folder: give it as a dataset (--dataset)."
    return ""


def near_names(name: str, folder: Path) -> list[str]:
    """Return names in the folder that are close to the given one."""
    try:
        names = [entry.name for entry in folder.iterdir()]
    except OSError:
        return []
    return get_close_matches(name, names, n=3, cutoff=0.6)


@contextmanager
def open_bytes(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading, through gzip where its content says so."""
    check_file(path)
    try:
        with path.open("rb") as plain:
            packed = plain.read(2) == GZIP_MAGIC
            plain.seek(0)
            if not packed:
                yield plain
                return
            with gzip.open(plain, "rb") as unpacked:
                yield cast("IO[bytes]", unpacked)
    except OSError as error:
        raise FileFormatError(path, f"cannot be read: {error.strerror or error}.") from error


def read_head(path: Path, *, size: int = 1 << 16, whole_line: bool = True) -> bytes:
    """Return the first bytes, unpacked, and the rest of the line in which they end unless it is absurdly long."""
    with open_bytes(path) as stream, _gzip_errors(path):
        return stream.read(size) + (stream.readline(_LINE_BYTES) if whole_line else b"")


def read_blocks(path: Path) -> Iterator[Block]:
    """Yield the file as blocks of whole lines, without byte-order mark; refuse an empty file or one that is no text."""
    first_line = 1
    with open_bytes(path) as stream:
        while data := _read_whole_lines(stream, path):
            if first_line == 1:
                check_text_head(data, path)
                data = data.removeprefix(UTF8_BOM)
            _check_nul(data, first_line, path)
            yield Block(data, first_line)
            first_line += data.count(b"\n")
            if not data.endswith(b"\n"):
                return
    if first_line == 1:
        raise FileFormatError(path, "the file is empty.", hint="Was it cut off, or never written?")


def _read_whole_lines(stream: IO[bytes], path: Path) -> bytes:
    with _gzip_errors(path):
        return stream.read(BLOCK_BYTES) + stream.readline()


def read_chunks(path: Path, *, size: int) -> Iterator[bytes]:
    """Yield the file in chunks cut anywhere, without byte-order mark, for formats that are not made of lines."""
    first = True
    with open_bytes(path) as stream:
        while data := _read_piece(stream, path, size=size):
            if first:
                check_text_head(data, path)
                data = data.removeprefix(UTF8_BOM)
                first = False
            yield data


def _read_piece(stream: IO[bytes], path: Path, *, size: int) -> bytes:
    with _gzip_errors(path):
        return stream.read(size)


@contextmanager
def _gzip_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except EOFError as error:
        raise FileFormatError(
            path, "the gzip data is cut off.", hint="Copy or download the file again; it is incomplete."
        ) from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise FileFormatError(path, f"the gzip data is damaged ({error}).", hint="Copy the file again.") from error


def check_text_head(data: bytes, path: Path) -> None:
    """Refuse a file whose beginning shows that it is not UTF-8 text."""
    for bom, name in _OTHER_BOMS.items():
        if data.startswith(bom):
            raise FileFormatError(
                path, f"starts with a {name} byte-order mark, expected UTF-8.", hint="Save the file as UTF-8."
            )
    _check_nul(data, 1, path)


def _check_nul(data: bytes, first_line: int, path: Path) -> None:
    at = data.find(b"\x00")
    if at >= 0:
        raise FileFormatError(
            path,
            "holds a NUL byte, so it is not UTF-8 text.",
            line=first_line + data.count(b"\n", 0, at),
            hint="Save the file as UTF-8 text; UTF-16 and binary files look like this.",
        )


def read_lines(path: Path, diagnostics: Diagnostics) -> Iterator[TextLine]:
    """Yield the lines that are not blank; one that is not UTF-8 is reported and left out."""
    for block in read_blocks(path):
        yield from block_lines(block, diagnostics)


def block_lines(block: Block, diagnostics: Diagnostics) -> Iterator[TextLine]:
    """Yield the lines of a block that are not blank; one that is not UTF-8 is reported and left out."""
    for number, raw in enumerate(block.data.split(b"\n"), start=block.first_line):
        if not raw or raw.isspace():
            continue
        try:
            yield TextLine(number, raw.removesuffix(b"\r").decode("utf-8"))
        except UnicodeDecodeError as error:
            diagnostics.report(_not_utf8(error.start, raw[error.start]), line=number, hint=_ENCODING_HINT)


def decode_text(data: bytes, path: Path, *, first_line: int = 1) -> str:
    """Return some lines as text; raise where they are not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = first_line + data.count(b"\n", 0, error.start)
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1)
        raise FileFormatError(path, _not_utf8(column, data[error.start]), line=line, hint=_ENCODING_HINT) from error


def _not_utf8(column: int, byte: int) -> str:
    return f"byte {column + 1} of the line (0x{byte:02X}) is not UTF-8."


ENDINGS = (
    *(".gz", ".trec", ".run", ".qrels", ".txt", ".tsv", ".csv"),
    *(".jsonl", ".json", ".parquet", ".pq", ".yaml", ".yml"),
)


def file_stem(path: PurePath | str) -> str:
    """Return a file's name without its folder and known endings.

    `runs/bm25.trec.gz` is `bm25`, and `bm25.v2.csv` is `bm25.v2`: a point alone does not begin an ending.
    """
    name = PurePath(path).name
    while (shorter := _without_ending(name)) != name:
        name = shorter
    return name or str(path)


def _without_ending(name: str) -> str:
    """Return the name without its last known ending; a name that is nothing but an ending stays."""
    ending = next((e for e in ENDINGS if name.lower().endswith(e) and len(name) > len(e)), "")
    return name[: len(name) - len(ending)]
