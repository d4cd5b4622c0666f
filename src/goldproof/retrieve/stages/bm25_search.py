"""BM25 token weights by bm25s; best k documents by numpy or numba.

The weights are kept by token: those of token t stand at `starts[t]:starts[t + 1]`, with the documents that have it in
rising order. The score of a document is the sum of the weights of the query's tokens in it, in single precision and in
the order of the query, which is what bm25s computes. BM25L and BM25+ also give something to a document for a token that
it lacks: bm25s adds the same for every document, and stores the weights less that. Here it is added last, in double
precision, so that it neither makes nor breaks ties.

The numba kernel takes seconds to compile. That is done once per machine: numba keeps the result under `GOLDPROOF_HOME`,
or where `NUMBA_CACHE_DIR` says.
"""

from __future__ import annotations

import logging
import sys
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from goldproof.errors import InputError, reason_of
from goldproof.io.storage.home import make_home

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from goldproof.records.arrays import BoolArray, FloatArray, IntArray

WeightArray: TypeAlias = npt.NDArray[np.float32]
SmallIntArray: TypeAlias = npt.NDArray[np.int32]
METHODS = ("lucene", "robertson", "atire", "bm25l", "bm25+")


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The weights of all tokens; absent: what a document gets for each token that it lacks, None where that is 0."""

    size: int
    starts: IntArray
    documents: SmallIntArray
    weights: WeightArray
    absent: FloatArray | None = None


class Best(NamedTuple):
    """The best documents of queries, one query after the other, best first. lengths: how many each query has."""

    lengths: IntArray
    documents: SmallIntArray
    scores: WeightArray


def weigh(documents: list[list[int]], vocabulary: dict[str, int], *, method: str, k1: float, b: float) -> Weights:
    """Index documents given as token numbers."""
    # bm25s divides by the mean length, and takes the largest number of the vocabulary: both need a token.
    if not vocabulary:
        nothing = np.empty(0, dtype=np.int32)
        return Weights(len(documents), np.zeros(1, dtype=np.int64), nothing, nothing.astype(np.float32))
    index = load_bm25s().BM25(k1=k1, b=b, method=method, backend="numpy")
    index.index((documents, vocabulary), create_empty_token=False, show_progress=False)
    scores, absent = index.scores, index.nonoccurrence_array
    if not np.isfinite(scores["data"]).all() or (absent is not None and not np.isfinite(absent).all()):
        raise InputError(
            f"bm25: with k1={k1}, b={b} and method={method} some weights are not finite numbers; change k1."
        )
    return Weights(
        len(documents),
        np.ascontiguousarray(scores["indptr"], dtype=np.int64),
        np.ascontiguousarray(scores["indices"], dtype=np.int32),
        np.ascontiguousarray(scores["data"], dtype=np.float32),
        None if absent is None else absent.astype(np.float64),
    )


def load_bm25s() -> ModuleType:
    """Import bm25s; its logger, which logs at debug level, is set to warnings unless it was imported before."""
    before = "bm25s" in sys.modules
    import bm25s  # noqa: PLC0415 - slow where numba is installed, which it loads

    if not before:
        logging.getLogger("bm25s").setLevel(logging.WARNING)
    return bm25s  # type: ignore[no-any-return]


def best_by_numpy(
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
    scores = np.empty(index.size, dtype=np.float32)
    rankings = [_of_query(index, numbers, scores=scores, k=k, order=order, allowed=allowed) for numbers in tokens]
    lengths = np.asarray([len(documents) for documents, _ in rankings], dtype=np.int64)
    documents, values = zip(*rankings, strict=True)
    return Best(lengths, np.concatenate(documents), np.concatenate(values))


def _of_query(
    index: Weights,
    numbers: list[int],
    *,
    scores: WeightArray,
    k: int,
    order: IntArray,
    allowed: BoolArray | None,
) -> tuple[SmallIntArray, WeightArray]:
    scores.fill(0)
    spans = [slice(index.starts[number], index.starts[number + 1]) for number in numbers]
    for span in spans:
        np.add.at(scores, index.documents[span], index.weights[span])
    having = scores > 0
    for span in spans:
        if not index.weights[span].all():
            having[index.documents[span]] = True
    if allowed is not None:
        having &= allowed
    return _first(having, scores, k=k, order=order)


def _first(having: BoolArray, scores: WeightArray, *, k: int, order: IntArray) -> tuple[SmallIntArray, WeightArray]:
    """Return the first k by score, then by order; documents tied with the k-th compete by order."""
    values = scores[having]
    if len(values) > k:
        values.partition(len(values) - k)
        having &= scores >= values[len(values) - k]
    documents = np.flatnonzero(having).astype(np.int32)
    best = documents[np.lexsort((order[documents], scores[documents]))[::-1][:k]]
    return best, scores[best]


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
    filled = np.empty(len(tokens), dtype=np.int64)
    documents = np.empty(len(tokens) * k, dtype=np.int32)
    values = np.empty(len(tokens) * k, dtype=np.float32)
    inputs = (flat, lengths, index.starts, index.documents, index.weights, order, mask)
    rows = load_kernel()(*inputs, filled, documents, values, k)
    return Best(filled, documents[:rows], values[:rows])


@cache
def load_kernel() -> Callable[..., int]:
    """Import the numba kernel; it is compiled, or loaded from numba's cache.

    Numba reads its cache folder when a function is declared, so the setting is put back at once.
    """
    config: Any = import_module("numba").config
    before = config.CACHE_DIR
    folder = config.CACHE_DIR = before or _cache_folder()
    try:
        return _compiled()
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


def _compiled() -> Callable[..., int]:
    from goldproof.retrieve.stages.bm25_kernel import rank_all  # noqa: PLC0415 - needs numba

    numbers, small = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32)
    weights, mask = np.zeros(0, dtype=np.float32), np.zeros(0, dtype=np.bool_)
    # A call without a query, with the types of every other: only a call compiles, or loads from the cache.
    rank_all(numbers, numbers, numbers, small, weights, numbers, mask, numbers, small, weights, 1)
    return rank_all


def _cache_folder() -> str:
    """Return the folder of numba's cache; empty, which leaves it to numba, where we cannot write."""
    try:
        return str(make_home() / "numba")
    except InputError:
        return ""
