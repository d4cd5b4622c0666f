"""The weights of every token in every document, computed by bm25s when the corpus is indexed.

The weights are kept by token: those of token t stand at `starts[t]:starts[t + 1]`, with the documents that have it in
rising order. The score of a document is the sum of the weights of the query's tokens in it, in single precision and in
the order of the query, which is what bm25s computes. BM25L and BM25+ also give something to a document for a token that
it lacks: bm25s adds the same for every document, and stores the weights less it. Here it is added last, in double
precision, so that it neither makes nor breaks ties.
"""

from __future__ import annotations

import logging
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from goldproof.errors import InputError

if TYPE_CHECKING:
    from types import ModuleType

    from goldproof.records.arrays import FloatArray, IntArray

WeightArray: TypeAlias = npt.NDArray[np.float32]
SmallIntArray: TypeAlias = npt.NDArray[np.int32]
METHODS = ("lucene", "robertson", "atire", "bm25l", "bm25+")


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """An index. absent: what a document gets for each token that it lacks; None where that is nothing."""

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
            f"bm25: with k1={k1}, b={b} and method={method} some weights are no finite numbers; change k1."
        )
    return Weights(
        len(documents),
        np.ascontiguousarray(scores["indptr"], dtype=np.int64),
        np.ascontiguousarray(scores["indices"], dtype=np.int32),
        np.ascontiguousarray(scores["data"], dtype=np.float32),
        None if absent is None else absent.astype(np.float64),
    )


def load_bm25s() -> ModuleType:
    """Import bm25s; its logger, which it opens for debugging, is set to warnings unless somebody imported it before."""
    before = "bm25s" in sys.modules
    import bm25s  # noqa: PLC0415 - slow where numba is installed, which it loads

    if not before:
        logging.getLogger("bm25s").setLevel(logging.WARNING)
    return bm25s  # type: ignore[no-any-return]
