"""Bytes to text: UTF-8 with or without byte-order mark, UTF-16 and UTF-32 with one, else Latin-1.

Latin-1 never fails, so it is a guess, and the reader of a folder says for how many files it was made. A NUL in what is
not UTF-16 or UTF-32 means that the file is no text. Line ends stay as they are; the byte-order mark is dropped.
"""

from __future__ import annotations

import codecs
from typing import NamedTuple

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class Decoded(NamedTuple):
    """The text of a file, and the encoding in which it was read; "" where the bytes are no text."""

    text: str
    encoding: str


def decode(data: bytes) -> Decoded:
    """Return the text of some bytes."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _strict(data[len(bom) :], encoding) or Decoded("", "")
    if b"\x00" in data:
        return Decoded("", "")
    return _strict(data, "utf-8") or Decoded(data.decode("latin-1"), "latin-1")


def _strict(data: bytes, encoding: str) -> Decoded | None:
    try:
        return Decoded(data.decode(encoding), encoding)
    except UnicodeDecodeError:
        return None
