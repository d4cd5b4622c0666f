"""The ranks of judged documents, wherever judgments and rankings stand: dicts or tables.

The rankings are the larger side, so the judgments are brought into their form and never the reverse.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from goldproof.core.tables import RankingTable
from goldproof.metrics.matching.dicts import locate_in_dicts
from goldproof.metrics.matching.order import place
from goldproof.metrics.matching.tables import JudgedRows, locate_in_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.core.arrays import IntArray
    from goldproof.metrics.matching.dicts import Run


class Located(NamedTuple):
    """rows, rank: the judged rows that were retrieved within the depth, rising, and their ranks.

    retrieved: per question, how many documents came back, within the depth.
    """

    rows: IntArray
    rank: IntArray
    retrieved: IntArray
    tied_share: float


def locate(
    questions: Sequence[str],
    documents: list[Mapping[str, object]] | pl.Series,
    *,
    counts: IntArray,
    run: RankingTable | Run,
    depth: int | None,
) -> Located:
    """Look the documents up and place them; counts: how many documents each question has."""
    if isinstance(run, RankingTable):
        retrieved, wanted, rows = locate_in_table(questions, _as_rows(documents, counts), counts=counts, run=run)
    else:
        retrieved, wanted, rows = locate_in_dicts(questions, _as_dicts(documents, counts), counts=counts, run=run)
    placed = place(retrieved, wanted)
    total = int(retrieved.length.sum())
    tied_share = placed.tied_rows / total if total else 0.0
    if depth is None:
        return Located(rows, placed.rank, retrieved.length, tied_share)
    seen = placed.rank <= depth
    return Located(rows[seen], placed.rank[seen], np.minimum(retrieved.length, depth), tied_share)


def _as_rows(documents: list[Mapping[str, object]] | pl.Series, counts: IntArray) -> JudgedRows:
    if not isinstance(documents, pl.Series):
        documents = pl.Series("document", list(chain.from_iterable(documents)), dtype=pl.String)
    return JudgedRows(np.repeat(np.arange(len(counts)), counts), documents)


def _as_dicts(documents: list[Mapping[str, object]] | pl.Series, counts: IntArray) -> list[Mapping[str, object]]:
    if not isinstance(documents, pl.Series):
        return documents
    flat = documents.to_list()
    ends = np.cumsum(counts)
    return [dict.fromkeys(flat[low:high]) for low, high in zip((ends - counts).tolist(), ends.tolist(), strict=True)]
