"""Near-duplicate texts: normal form, shingles and MinHash bands.

A shingle is three words in a row (a text of fewer words is one shingle; a character of a script written without blanks
is a word). The similarity of two texts is the Jaccard index of their sets of shingles, and it is computed exactly.
MinHash only proposes which texts to compare: the signature of 128 slots is cut into bands, and texts that agree in a
whole band are candidates. A pair of similarity s agrees somewhere with probability 1 - (1 - s^r)^b, for b bands of r
slots; r is the largest for which a pair just at the threshold is proposed with probability 0.99 or more.

    A. Z. Broder, On the resemblance and containment of documents, 1997.

Normal form: Unicode NFKC, lower case, highlight tags (<b>, <em>, <strong>, <mark>) dropped, blanks collapsed and
stripped. Text of which nothing is left is no text (None). A column and a single text follow the same steps; the two
libraries know slightly different versions of Unicode, so a value of one is never compared with a value of the other.
"""

from __future__ import annotations

import re
import unicodedata
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from goldproof.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt


_WORDS_PER_SHINGLE = 3

_SLOTS = 128

_SEED = 20_240_501

_PROPOSED = 0.99

_UNSPACED = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"

_WORD = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")

_MIX = np.uint64(0x9E3779B97F4A7C15)


def shingles(text: str) -> frozenset[str]:
    """Return every three words in a row; text without a word has none."""
    words = _WORD.findall(text)
    if len(words) <= _WORDS_PER_SHINGLE:
        return frozenset([" ".join(words)] if words else [])
    last = len(words) - _WORDS_PER_SHINGLE
    return frozenset(" ".join(words[i : i + _WORDS_PER_SHINGLE]) for i in range(last + 1))


def jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    """Return the share of common members; two empty sets have nothing in common."""
    either = len(a | b)
    return len(a & b) / either if either else 0.0


def check_near_duplicates_installed() -> None:
    """Raise a `MissingExtraError` where near-duplicates cannot be looked for."""
    _rensa()


def bands_for(threshold: float) -> tuple[int, int]:
    """Return how many bands of how many slots find pairs at the threshold."""
    if not 0 < threshold <= 1:
        raise InputError(f"near_duplicates is {threshold:g}, expected a similarity above 0 and at most 1, such as 0.8.")
    fits = [r for r in range(1, 33) if 1 - (1 - threshold**r) ** (_SLOTS // r) >= _PROPOSED]
    slots = max(fits, default=1)
    return _SLOTS // slots, slots


def band_hashes(texts: Sequence[str], *, threshold: float) -> npt.NDArray[np.uint64]:
    """Return one row per text, one hash per band; texts that share a hash in one column are worth comparing."""
    bands, slots = bands_for(threshold)
    matrix = _rensa().RMinHash.digest_matrix_from_token_sets([list(shingles(t)) for t in texts], _SLOTS, _SEED)
    digests = np.array(matrix.to_rows(), dtype=np.uint64).reshape(len(texts), _SLOTS)[:, : bands * slots]
    hashes = np.broadcast_to(np.arange(bands, dtype=np.uint64), (len(texts), bands)).copy()
    for slot in range(slots):
        hashes = (hashes ^ digests[:, slot::slots]) * _MIX
        hashes ^= hashes >> np.uint64(29)
    return hashes


def _rensa() -> Any:  # noqa: ANN401 - an untyped, optional package
    try:
        return import_module("rensa")
    except ModuleNotFoundError as error:
        raise MissingExtraError("near-duplicate text", "dedup") from error


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
    """Return the column with `change` applied to the rows of the mask only."""
    rows = mask.fill_null(value=False).arg_true()
    if not len(rows):
        return values
    return put_values(values, rows, change(values.gather(rows)))


def put_values(values: pl.Series, rows: pl.Series, new: pl.Series) -> pl.Series:
    """Return the column with other values in some rows; polars would change the column in place."""
    return values.clone().scatter(rows, new)
