"""The best k documents per query, compiled by numba; the same additions as in numpy, so the same scores.

Compiling takes seconds. It is done once per machine: numba keeps the result under `KARAT_HOME`, or where
`NUMBA_CACHE_DIR` says.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from karat.core.errors import InputError
from karat.io.home import make_home
from karat.retrieve.lexical.bm25_index import Best

if TYPE_CHECKING:
    from collections.abc import Callable

    from karat.core.arrays import BoolArray, IntArray
    from karat.retrieve.lexical.bm25_index import Weights


def has_numba() -> bool:
    """Say whether numba is installed."""
    return find_spec("numba") is not None


def best_by_numba(
    index: Weights,
    tokens: list[list[int]],
    *,
    k: int,
    order: IntArray,
    allowed: BoolArray | None,
) -> Best:
    """Return the best k allowed documents of each query.

    order: grows with the document's id; of equal scores the larger comes first.
    """
    lengths = np.asarray([len(numbers) for numbers in tokens], dtype=np.int64)
    flat = np.asarray([number for numbers in tokens for number in numbers], dtype=np.int64)
    mask = np.empty(0, dtype=np.bool_) if allowed is None else np.ascontiguousarray(allowed)
    k = min(k, index.size)
    found = np.empty(len(tokens), dtype=np.int64)
    documents = np.empty(len(tokens) * k, dtype=np.int32)
    values = np.empty(len(tokens) * k, dtype=np.float32)
    asked = (flat, lengths, index.starts, index.documents, index.weights, order, mask)
    rows = _kernel()(*asked, found, documents, values, k)
    return Best(found, documents[:rows], values[:rows])


@cache
def _kernel() -> Callable[..., int]:
    """Import what numba compiles. Numba reads the setting when a function is declared, so it is put back at once."""
    config: Any = import_module("numba").config
    before = config.CACHE_DIR
    config.CACHE_DIR = before or _folder()
    try:
        from karat.retrieve.lexical.bm25_kernel import rank_all  # noqa: PLC0415 - needs numba
    except RuntimeError as error:
        raise InputError(
            f"bm25: numba has nowhere to keep what it compiles ({error}); "
            "set KARAT_HOME to a folder that can be written, or take backend=numpy."
        ) from error
    finally:
        config.CACHE_DIR = before
    return rank_all


def _folder() -> str:
    """Return where numba shall keep what it compiles; empty, which leaves it to numba, where we cannot write."""
    try:
        return str(make_home() / "numba")
    except OSError:
        return ""
