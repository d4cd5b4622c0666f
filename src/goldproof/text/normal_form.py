"""The normal form in which texts are compared: what a reader would not call a difference is taken out.

Unicode NFKC, lower case, highlight tags (<b>, <em>, <strong>, <mark>) dropped, blanks collapsed and stripped. Text of
which nothing is left is no text (None). A column and a single text follow the same steps; the two libraries know
slightly different versions of Unicode, so a value of one is never compared with a value of the other.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Callable

_TAG = r"</?(?:b|em|strong|mark)(?:\s[^<>]*)?>"
_TAGS = re.compile(_TAG)


def normal_text(text: str) -> str | None:
    """Return one text in normal form, None where nothing is left."""
    lowered = text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).lower()
    if "<" in lowered:
        lowered = _TAGS.sub("", lowered)
    return " ".join(lowered.split()) or None


def normal_texts(texts: pl.Series) -> pl.Series:
    """Return a column of texts in normal form, null where nothing is left."""
    if texts.null_count() == len(texts):
        return texts
    text = pl.col("text")
    frame = texts.alias("text").to_frame()
    beyond_ascii = frame.select(text.str.len_bytes() != text.str.len_chars()).to_series()
    # NFKC costs more than all the rest together and changes no ASCII text.
    frame = frame.with_columns(where(frame["text"], beyond_ascii, lambda s: s.str.normalize("NFKC")))
    lowered = text.str.to_lowercase().str.replace_all(_TAG, "")
    blanks = lowered.str.replace_all(r"\s{2,}|[^\S ]", " ").str.strip_chars()
    return frame.lazy().select(blanks).select(pl.when(text.str.len_bytes() > 0).then(text)).collect().to_series()


def stripped_texts(texts: pl.Series) -> pl.Series:
    """Return a column of texts without blanks at their ends, null where nothing is left."""
    if texts.null_count() == len(texts):
        return texts
    stripped = texts.str.strip_chars()
    return stripped.set(stripped.str.len_bytes() == 0, None)


def where(values: pl.Series, mask: pl.Series, change: Callable[[pl.Series], pl.Series]) -> pl.Series:
    """Return the column with `change` applied to the rows of the mask only; most columns need it nowhere."""
    rows = mask.fill_null(value=False).arg_true()
    if not len(rows):
        return values
    return put_values(values, rows, change(values.gather(rows)))


def put_values(values: pl.Series, rows: pl.Series, new: pl.Series) -> pl.Series:
    """Return the column with other values in some rows; polars itself would change the column it is given."""
    return values.clone().scatter(rows, new)
