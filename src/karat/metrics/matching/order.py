"""Where a document stands in its ranking: score descending, then document id descending.

This is trec_eval's order, compared in double precision (trec_eval itself compares scores in single precision). Ids are
compared by their UTF-8 bytes, which is the order of their code points. The order of the input does not matter.

Only the judged documents are placed: the rank of a document is 1 + the number of greater scores in its question + the
number of equal scores with a greater id. Scores are sorted only where they are not sorted yet, and ids are looked at
only where a judged document shares its score.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from karat.metrics.matching.blocks import Block, Equals, blocks, count_smaller, equals, order_cells
from karat.metrics.matching.idwords import Groups, IdWords, count_greater

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from karat.core.tables import FloatArray, IntArray


class IdList(NamedTuple):
    """Document ids: those at `position` of the collections, which are numbered on from one to the next."""

    collections: list[Collection[str]]
    position: IntArray


Ids: TypeAlias = "Callable[[IntArray, IntArray], IdList]"


class Retrieved(NamedTuple):
    """What came back: the rows of question i begin at `begin[i]` and are `length[i]` many.

    ids: given questions (rising) and places among the rows of each, the document ids.
    """

    scores: FloatArray
    begin: IntArray
    length: IntArray
    ids: Ids


class Wanted(NamedTuple):
    """Retrieved documents whose rank is asked for, questions rising.

    place: the place of each among the judged documents of its question. ids: as in `Retrieved`, of judged documents.
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
    tied_rows = 0
    for block in blocks(retrieved.begin, retrieved.length, wanted=wanted.question):
        cells = order_cells(-block.matrix(retrieved.scores, pad=-np.inf), keep_order=tied_rows > 0)
        key = -wanted.score[block.wanted]
        ahead = count_smaller(cells.ordered, block.row, key)
        rank[block.wanted] = ahead + 1
        shared = _rows_sharing_a_score(cells.ordered)
        if shared:
            tied_rows += shared
            same = equals(cells, row=block.row, key=key, smaller=ahead)
            if same is not None:
                rank[block.wanted[same.shared]] += _greater_ids(block, same, retrieved=retrieved, wanted=wanted)
    return Placed(rank, tied_rows)


def _rows_sharing_a_score(ordered: FloatArray) -> int:
    same = (ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] < np.inf)  # infinite = padding
    if not same.any():
        return 0
    touched = np.zeros(ordered.shape, dtype=np.bool_)
    touched[:, 1:] |= same
    touched[:, :-1] |= same
    return int(np.count_nonzero(touched))


def _greater_ids(block: Block, same: Equals, *, retrieved: Retrieved, wanted: Wanted) -> IntArray:
    """Count, for the wanted documents that share their score, the greater ids among the equal scores."""
    chosen = block.wanted[same.shared]
    ids = retrieved.ids(block.segments[np.repeat(same.row, same.size)], same.column)
    mine = wanted.ids(wanted.question[chosen], wanted.place[chosen])
    groups = Groups(ids.position, same.size, np.arange(len(chosen)), same.group)
    return count_greater(IdWords(ids.collections), IdWords(mine.collections), groups=groups, mine=mine.position)
