"""The best k documents per query, compiled by numba; the same additions as in numpy, so the same scores.

Compiling takes seconds. It is done once per machine: numba keeps the result under `GOLDPROOF_HOME`, or where
`NUMBA_CACHE_DIR` says.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from goldproof.errors import InputError, reason_of
from goldproof.io.storage.home import make_home
from goldproof.retrieve.lexical.bm25_index import Best

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.records.arrays import BoolArray, IntArray
    from goldproof.retrieve.lexical.bm25_index import Weights


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
    rows = load_kernel()(*asked, found, documents, values, k)
    return Best(found, documents[:rows], values[:rows])


@cache
def load_kernel() -> Callable[..., int]:
    """Import what numba compiles, and compile it or load what is kept.

    Numba reads where to keep it when a function is declared, so the setting is put back at once.
    """
    config: Any = import_module("numba").config
    before = config.CACHE_DIR
    folder = config.CACHE_DIR = before or _folder()
    try:
        return _loaded()
    except RuntimeError as error:
        raise InputError(
            f"bm25: numba has nowhere to keep what it compiles ({error}); "
            "set GOLDPROOF_HOME to a folder that can be written, or take backend=numpy."
        ) from error
    except Exception as error:
        # Numba unpickles what it kept, and damaged bytes may raise anything.
        raise InputError(
            f"bm25: what numba compiled and kept in {folder or '__pycache__'} cannot be loaded ({reason_of(error)}); "
            "delete that folder, and it is compiled anew, or take backend=numpy."
        ) from error
    finally:
        config.CACHE_DIR = before


def _loaded() -> Callable[..., int]:
    from goldproof.retrieve.lexical.bm25_kernel import rank_all  # noqa: PLC0415 - needs numba

    numbers, small = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32)
    weights, mask = np.zeros(0, dtype=np.float32), np.zeros(0, dtype=np.bool_)
    # One call without a query, of the types of every other: only a call loads what is kept of it.
    rank_all(numbers, numbers, numbers, small, weights, numbers, mask, numbers, small, weights, 1)
    return rank_all


def _folder() -> str:
    """Return where numba shall keep what it compiles; empty, which leaves it to numba, where we cannot write."""
    try:
        return str(make_home() / "numba")
    except InputError:
        return ""
