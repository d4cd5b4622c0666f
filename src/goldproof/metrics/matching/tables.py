"""Look judged documents up in a `RankingTable`, by a 64-bit hash of question and document, then by the id itself.

The hash only proposes; a pair counts only if the ids are equal, so a collision costs time and nothing else.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from goldproof.errors import InputError
from goldproof.metrics.matching.order import IdList, Retrieved, Wanted, ranges

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from goldproof.records.arrays import IntArray
    from goldproof.records.tables import RankingTable

ROWS = 1 << 20
Keys: TypeAlias = npt.NDArray[np.uint64]
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # odd, so that different questions get different multiples


class JudgedRows(NamedTuple):
    """Judged documents, questions (as positions) rising."""

    question: IntArray
    documents: pl.Series


def locate_in_table(
    questions: Sequence[str], judged: JudgedRows, *, counts: IntArray, run: RankingTable
) -> tuple[Retrieved, Wanted, IntArray]:
    """Look every judged document up; return what was retrieved, the hits, and which judged rows they are.

    counts: how many documents are judged per question.
    """
    scores = run.scores
    if not np.isfinite(scores).all():
        raise _bad_score(run)
    position = {question: i for i, question in enumerate(questions)}
    code = np.array([position.get(question, -1) for question in run.questions.to_list()], dtype=np.int64)
    known = np.flatnonzero(code >= 0)
    begin, length = np.zeros(len(questions), dtype=np.int64), np.zeros(len(questions), dtype=np.int64)
    begin[code[known]] = run.starts[:-1][known]
    length[code[known]] = np.diff(run.starts)[known]
    rows, run_rows = _pairs(judged, run, code=code, counts=counts)
    _refuse_duplicates(rows, judged, questions=questions)
    first = np.cumsum(counts) - counts
    question = judged.question[rows]
    retrieved = Retrieved(scores, begin, length, partial(_ids, run.documents, begin))
    wanted = Wanted(question, scores[run_rows], rows - first[question], partial(_ids, judged.documents, first))
    return retrieved, wanted, rows


def _pairs(judged: JudgedRows, run: RankingTable, *, code: IntArray, counts: IntArray) -> tuple[IntArray, IntArray]:
    """Return the judged rows that were retrieved, rising, and their rows in the run."""
    ours = _keys(judged.documents, judged.question)
    first = np.cumsum(counts) - counts
    parts: list[tuple[IntArray, IntArray]] = []
    for low, high in _stretches(run.starts):
        asked = code[low:high]
        asked = asked[asked >= 0]
        some = ranges(first[asked], counts[asked])
        start, stop = int(run.starts[low]), int(run.starts[high])
        question = np.repeat(code[low:high], np.diff(run.starts[low : high + 1]))
        theirs = _keys(run.documents.slice(start, stop - start), question)
        mine, row = equal_keys(ours[some], theirs)
        parts.append((some[mine], start + row))
    judged_row, run_row = (np.concatenate([np.zeros(0, dtype=np.int64), *side]) for side in zip(*parts, strict=True))
    same = (run.documents.gather(run_row) == judged.documents.gather(judged_row)).to_numpy()
    judged_row, run_row = judged_row[same], run_row[same]
    order = np.argsort(judged_row, kind="stable")
    return judged_row[order], run_row[order]


def _stretches(starts: IntArray) -> list[tuple[int, int]]:
    """Cut the questions of a run into stretches of about ROWS rows; at least one, perhaps empty."""
    edges = [0, *(np.flatnonzero(np.diff(starts[:-1] // ROWS)) + 1).tolist(), len(starts) - 1]
    return list(pairwise(edges))


def _keys(documents: pl.Series, question: IntArray) -> Keys:
    keys = question.astype(np.uint64) * _SPREAD
    np.bitwise_xor(documents.hash().to_numpy(), keys, out=keys)
    return keys


def equal_keys(few: Keys, many: Keys) -> tuple[IntArray, IntArray]:
    """Return all pairs (i, j) with few[i] == many[j].

    A table of the leading bits of the few drops most of the many before anything is sorted or searched.
    """
    bits = max(4, (8 * len(few)).bit_length())
    shift = np.uint64(64 - bits)
    seen = np.zeros(1 << bits, dtype=np.bool_)
    seen[few >> shift] = True
    candidate = np.flatnonzero(seen[many >> shift])
    candidate = candidate[np.argsort(many[candidate])]
    order = np.argsort(few)
    ordered, key = few[order], many[candidate]
    left, right = np.searchsorted(ordered, key), np.searchsorted(ordered, key, side="right")
    hits = np.flatnonzero(right > left)
    times = (right - left)[hits]
    return order[ranges(left[hits], times)], np.repeat(candidate[hits], times)


def _ids(documents: pl.Series, begin: IntArray, question: IntArray, size: IntArray, place: IntArray) -> IdList:
    ids = documents.gather(np.repeat(begin[question], size) + place).to_list()
    return IdList([ids], [0], len(ids), np.arange(len(ids)))


def _refuse_duplicates(rows: IntArray, judged: JudgedRows, *, questions: Sequence[str]) -> None:
    twice = np.flatnonzero(rows[1:] == rows[:-1])
    if len(twice):
        row = int(rows[twice[0]])
        raise InputError(
            f"question {questions[int(judged.question[row])]!r}: document {judged.documents[row]!r} "
            "is retrieved twice; keep its best rank."
        )


def _bad_score(run: RankingTable) -> InputError:
    row = int(np.flatnonzero(~np.isfinite(run.scores))[0])
    question = run.questions[int(np.searchsorted(run.starts, row, side="right")) - 1]
    return InputError(
        f"question {question!r}, document {run.documents[row]!r}: score {float(run.scores[row])!r} is not a finite "
        "number; correct it or leave the document out."
    )
