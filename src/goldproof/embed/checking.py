"""What somebody else's embedder returned, checked and brought to length 1.

One row for each text, numbers that are finite, every row of the same dimension. A row of zeros has no direction: it
stays as it is where the user's own function made it (a bag of words knows none of a text's), and its cosine with
everything is 0; from a model it is an error. What is wrong fails the texts of this call, which others need not share.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.core.errors import EmbeddingFailedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from goldproof.embed.embedder import Vectors


def checked_vectors(found: object, texts: Sequence[str], *, where: str, zeros: bool = False) -> Vectors:
    """Return the rows as float32 of length 1; where: who made them, for messages; zeros: a row of them may be."""
    rows = _matrix(found, len(texts), where=where)
    empty = ~rows.any(axis=1)
    for problem, bad in (
        ("has a value that is not finite", ~np.isfinite(rows).all(axis=1)),
        ("is all zeros, so it has no direction", empty & (not zeros)),
    ):
        if bad.any():
            row = int(np.flatnonzero(bad)[0])
            text = f"text {row + 1} of {len(texts)} ({_quoted(texts[row])})"
            raise EmbeddingFailedError(f"{where}: the vector of {text} {problem}.")
    # Divided by the largest first: squares of very large or small numbers would leave the range.
    rows /= np.where(empty, 1.0, np.abs(rows).max(axis=1))[:, None]
    rows /= np.where(empty, 1.0, np.sqrt((rows * rows).sum(axis=1)))[:, None]
    return rows.astype(np.float32)


def _matrix(found: object, count: int, *, where: str) -> npt.NDArray[np.float64]:
    expected = f"expected {count} rows of numbers, one for each text"
    try:
        rows = np.array(found, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise EmbeddingFailedError(f"{where}: returned {_described(found)}; {expected}, all of one length.") from error
    if rows.ndim != 2 or len(rows) != count or not rows.shape[1]:
        raise EmbeddingFailedError(f"{where}: returned {_described(found)} of shape {rows.shape}; {expected}.")
    return rows


def _described(found: object) -> str:
    kind = type(found).__name__
    return f"a {kind} of rows of different lengths" if _is_ragged(found) else f"a {kind}"


def _is_ragged(found: object) -> bool:
    if not isinstance(found, list | tuple):
        return False
    return len({len(row) for row in found if hasattr(row, "__len__")}) > 1


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:40]}...")
