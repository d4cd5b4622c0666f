"""Where a document stands in its ranking: score descending, then document id descending.

This is trec_eval's order, compared in double precision (trec_eval up to 9.0.8 compares single precision). Ids are
compared by their UTF-8 bytes, which is the order of their code points. The order of the input does not matter.

Only the judged documents are placed: the rank of a document is 1 + the number of greater scores in its question + the
number of equal scores with a greater id. Scores are sorted only where they are not sorted yet, and ids are looked at
only where a judged document shares its score.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from goldproof.metrics.matching.blocks import Block, Equals, blocks, count_smaller, equals, order_cells, repeats
from goldproof.metrics.matching.idwords import Groups, IdList, IdWords, count_greater

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.core.arrays import BoolArray, FloatArray, IntArray


OFTEN = 0.1  # share of tied rows above which the next block is expected to have many too
# Given questions, rising, how many ids are asked for of each, and their places in the question: the ids.
Ids: TypeAlias = "Callable[[IntArray, IntArray, IntArray], IdList]"


class Retrieved(NamedTuple):
    """What came back: the rows of question i begin at `begin[i]` and are `length[i]` many."""

    scores: FloatArray
    begin: IntArray
    length: IntArray
    ids: Ids


class Wanted(NamedTuple):
    """Retrieved documents whose rank is asked for, questions rising.

    place: the place of each among the judged documents of its question. ids: of judged documents.
    """

    question: IntArray
    score: FloatArray
    place: IntArray
    ids: Ids


class Placed(NamedTuple):
    """Ranks of the wanted documents, and how many retrieved rows share their score with another of their question."""

    rank: IntArray
    tied_rows: int


def place(retrieved: Retrieved, wanted: Wanted) -> Placed:
    """Find the rank, from 1, of every wanted document."""
    rank = np.empty(len(wanted.question), dtype=np.int64)
    rows = tied_rows = 0
    for block in blocks(retrieved.begin, retrieved.length, wanted=wanted.question):
        cells = order_cells(-block.matrix(retrieved.scores, pad=-np.inf), keep_order=tied_rows > OFTEN * rows)
        rows += int(block.length.sum())
        ahead = count_smaller(cells.ordered, block.row, -wanted.score[block.wanted])
        rank[block.wanted] = ahead + 1
        repeated = repeats(cells.ordered)
        if not repeated.any():
            continue
        tied_rows += _rows_sharing_a_score(cells.ordered, repeated)
        same = equals(cells, repeated, row=block.row, smaller=ahead)
        if same is not None:
            rank[block.wanted[same.shared]] += _greater_ids(block, same, retrieved=retrieved, wanted=wanted)
    return Placed(rank, tied_rows)


def _rows_sharing_a_score(ordered: FloatArray, repeated: BoolArray) -> int:
    later = repeated.copy()
    later[:-1] &= ordered.ravel() < np.inf  # infinite = padding
    first = later[1:] > later[:-1]  # the one that those marked repeat
    return int(np.count_nonzero(later)) + int(np.count_nonzero(first))


def _greater_ids(block: Block, same: Equals, *, retrieved: Retrieved, wanted: Wanted) -> IntArray:
    """Count, for the wanted documents that share their score, the greater ids among the equal scores."""
    chosen = block.wanted[same.shared]
    ids = retrieved.ids(block.segments[same.row], same.size, same.column)
    mine = wanted.ids(wanted.question[chosen], np.ones_like(chosen), wanted.place[chosen])
    groups = Groups(ids.position, same.size, np.arange(len(chosen)), same.group)
    return count_greater(IdWords(ids), IdWords(mine), groups=groups, mine=mine.position)
