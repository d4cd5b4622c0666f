"""nDCG and nDCG@k: gain discounted by rank, over the best that could have been reached.

The gain of a document is its grade (trec_eval: ndcg, ndcg_cut_k); `nDCG(dcg='exp-log2')` takes 2^grade - 1 instead,
and `nDCG(gains={1:1,2:5})@10` gains of your own, as in ir_measures: whole numbers, and a grade that is not named is its
own gain. Unjudged documents, and those of negative grade, gain 0. Ties: score descending, then document id descending.
The ideal ranking holds all judged documents, highest gain first, cut at k. A judged question that the run lacks scores
0. A question without a document that gains something is undefined. `nDCG(norm=False)@10` is DCG@10 itself, without an
upper bound; `DCG@3` alone is the gain of a search trace.

    DCG@k  = sum over ranks r <= k of gain(r) / log2(r + 1)
    nDCG@k = DCG@k / DCG@k of the ideal ranking

Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, ACM TOIS 20, 2002; exponential gain: Burges
et al., Learning to rank using gradient descent, ICML 2005.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.errors import InputError
from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.ranks import position_in_group, ratio

if TYPE_CHECKING:
    from goldproof.metrics.ranks import JudgedRanks
    from goldproof.records.arrays import FloatArray, IntArray

HIGHEST_EXPONENT = 60
_SHOWN = 6


def ndcg(ranks: JudgedRanks, *, k: int | None, dcg: str | None, norm: bool) -> FloatArray:
    """Discounted gain of the first k, over that of the ideal ranking unless it is not normalised."""
    reached = _dcg(ranks.question, ranks.rank, grade=ranks.grade, questions=ranks.questions, k=k, dcg=dcg)
    if not norm:
        return reached
    place = position_in_group(ranks.judged_question, groups=ranks.questions) + 1
    ideal = _dcg(ranks.judged_question, place, grade=ranks.judged_grade, questions=ranks.questions, k=k, dcg=dcg)
    return ratio(reached, ideal)


def _dcg(
    question: IntArray, rank: IntArray, *, grade: IntArray, questions: int, k: int | None, dcg: str | None
) -> FloatArray:
    keep = grade > 0
    if k is not None:
        keep &= rank <= k
    rows = np.flatnonzero(keep)
    kept = rank[rows]
    discount = np.log2(np.arange(2, int(kept.max(initial=0)) + 2))
    gain = _gain(grade[rows], dcg)
    total = np.bincount(question[rows], weights=gain / discount[kept - 1], minlength=questions)
    return total.astype(np.float64, copy=False)


def _gain(grade: IntArray, dcg: str | None) -> FloatArray:
    if dcg is None:
        return grade.astype(float)
    highest = int(grade.max(initial=0))
    if highest > HIGHEST_EXPONENT:
        raise InputError(
            f"nDCG(dcg={dcg!r}): the gain of grade {highest} is 2^{highest} - 1, which leaves nothing of the others; "
            f"use grades up to {HIGHEST_EXPONENT}, or nDCG with the grade as gain."
        )
    return np.exp2(grade) - 1.0


def _explain(ranks: JudgedRanks, *, k: int | None, dcg: str | None, norm: bool) -> str:
    parts = [
        f"{gain:g}/log2({rank + 1})"
        for rank, gain in zip(ranks.rank.tolist(), _gain(ranks.grade, dcg).tolist(), strict=True)
        if gain > 0 and (k is None or rank <= k)
    ]
    terms = " + ".join([*parts[:_SHOWN], *(["..."] if len(parts) > _SHOWN else [])]) or "0"
    reached = _dcg(ranks.question, ranks.rank, grade=ranks.grade, questions=1, k=k, dcg=dcg)[0]
    if not norm:
        return f"DCG -> {terms}"
    zeros = np.zeros_like(ranks.judged_grade)
    place = np.arange(len(zeros)) + 1
    ideal = _dcg(zeros, place, grade=ranks.judged_grade, questions=1, k=k, dcg=dcg)[0]
    return f"DCG = {terms} = {reached:.4f}, ideal {ideal:.4f} -> {reached:.4f}/{ideal:.4f}"


DEFINITION = Definition(
    shape=SHAPES["nDCG"],
    kind="relevance",
    summary="Discounted gain of the first k over that of the ideal ranking; gain = grade, or as you say.",
    formula="sum of gain(r) / log2(r + 1) for r <= k / the same for the ideal ranking",
    kernel=ndcg,
    explain=_explain,
)
